import { openAsBlob } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { footage, hasFootage } from '../../server/test/footage.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { shareService } from '../harness/shared-service.ts';

/** Rows of the timeline and overlays of the player: observations, telemetry, the GPS track, coverage, boxes. */
const { chromium: program } = inject('programs');
const TIMEOUT_MS = 300_000;
const RECORDING = footage('mcap/derived_comma2k19_seg40_telemetry_ros2.mcap');
const ROAD = footage('road/kitti_seq1_10fps.mp4');
/** Number of pixels that the boxes cover. */
const BOX_PIXELS = `(() => {
  const canvas = document.querySelector('canvas[data-boxes]');
  if (!canvas?.width) return 0;
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((value, index) => index % 4 === 3 && value > 0).length;
})()`;

describe.runIf(program && hasFootage)('the timeline', { timeout: TIMEOUT_MS }, () => {
  let browser: Console;
  let page: Page;
  beforeAll(async () => {
    browser = await openConsole(await shareService());
    page = browser.page;
    page.setDefaultTimeout(TIMEOUT_MS);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  const timeline = () => page.getByRole('region', { name: 'Timeline' });
  const seconds = async () => {
    const text = await page.getByRole('timer', { name: 'Current time' }).innerText();
    return text.split(':').reduce((total, part) => total * 60 + Number(part), 0);
  };

  test('of a recording without a camera has its telemetry and a GPS track that seeks, and claims no frames', async () => {
    const { sdk } = browser;
    await sdk.uploadRecording(await openAsBlob(RECORDING), { name: 'seg40.mcap' });
    // One of its cameras has a single image.
    const longest = async () =>
      (await sdk.api.GET('/api/videos', { params: { query: { status: 'uploaded' } } })).data!.videos.find(
        ({ duration_s }) => duration_s !== null && duration_s > 5,
      )?.video_id ?? '';
    await expect.poll(longest, { timeout: TIMEOUT_MS }).not.toBe('');
    const video_id = await longest();
    await Array.fromAsync(sdk.ask({ query: 'the camera brakes', videoIds: [video_id], fast: true }));
    await page.goto(`/videos/${video_id}`);
    await page.getByText('This recording has measurements and no camera.').waitFor();
    await timeline().getByText('Speed · km/h', { exact: true }).waitFor();
    for (const name of ['Motion', 'Camera motion', 'Brightness', 'Coverage'])
      expect(await timeline().getByText(name, { exact: true }).count()).toBe(0);
    // The plots take the place of the empty frames.
    const [rows, window] = [(await timeline().boundingBox())!, page.viewportSize()!];
    expect(rows.y).toBeLessThan(window.height / 2);

    const row = (await timeline().getByText('Speed · km/h', { exact: true }).boundingBox())!;
    const lanes = (await page.getByRole('slider', { name: 'Position in the video' }).boundingBox())!;
    await page.mouse.move(lanes.x + lanes.width / 2, row.y + row.height / 2);
    const card = page.locator('[data-hover-card]');
    await card.getByText(/^Speed · km\/h · [\d.]+ km\/h$/).waitFor();

    const track = page.getByRole('img', { name: 'Track of the recording, north up' });
    expect((await track.locator('path').first().getAttribute('d'))!.split('L').length).toBeGreaterThan(10);
    const start = await seconds();
    await track.click({ position: { x: 180, y: 20 } });
    await expect.poll(seconds).not.toBe(start);
    const width = async () => (await track.boundingBox())!.width;
    const small = await width();
    await page.getByRole('button', { name: 'Larger map' }).click();
    await expect.poll(width).toBeGreaterThan(small * 1.5);
    await browser.checkAccessibility();
  });

  test('has boxes of objects over the picture, which a key hides, at every speed', async () => {
    const { sdk } = browser;
    const { video_id } = await sdk.upload(await openAsBlob(ROAD), { name: 'road.mp4' });
    await sdk.ready(video_id);
    await Array.fromAsync(sdk.ask({ query: 'a car', videoIds: [video_id] }));
    await page.goto(`/videos/${video_id}?t=1`);
    const covered = () => page.evaluate<number>(BOX_PIXELS);
    await expect.poll(covered, { timeout: TIMEOUT_MS }).toBeGreaterThan(500);
    await page.keyboard.press('b');
    await expect.poll(covered).toBe(0);
    await page.keyboard.press('b');
    await expect.poll(covered).toBeGreaterThan(500);
    await page.getByRole('combobox', { name: 'Speed' }).click();
    await page.getByRole('option', { name: '0.25×' }).click();
    await expect.poll(() => page.evaluate('document.querySelector("video").playbackRate')).toBe(0.25);
    await timeline().getByText('Car', { exact: false }).first().waitFor();
  });

  test('has observations with their scales, and what was not seen', async () => {
    for (const name of ['Motion', 'Camera motion', 'Brightness', 'Cuts', 'Coverage'])
      await timeline().getByText(name, { exact: true }).waitFor();
    const nameOf = (name: string) => timeline().getByText(name, { exact: true }).locator('..');
    await expect.poll(() => nameOf('Motion').innerText()).toMatch(/Motion\s*0–\d/);
    const row = (await nameOf('Motion').boundingBox())!;
    const lanes = (await page.getByRole('slider', { name: 'Position in the video' }).boundingBox())!;
    await page.mouse.move(lanes.x + lanes.width / 2, row.y + row.height / 2);
    // The storyboard is made on the first request.
    await page.locator('[data-hover-card] canvas').waitFor();
  });

  test('has the rows that a person chose, in their order, also after a reload', async () => {
    const shown = () => timeline().locator('[data-lane-name]').allInnerTexts();
    const before = await shown();
    expect(before.at(-1)).toBe('Coverage');
    await timeline().getByRole('button', { name: /^Rows/ }).click();
    const list = page.getByRole('dialog', { name: 'Rows of the timeline' });
    await list.getByRole('button', { name: 'Pin Brightness' }).click();
    await list.getByRole('button', { name: 'Move Coverage up' }).click();
    await list.getByRole('checkbox', { name: 'Motion', exact: true }).click();
    const expected = ['Brightness', ...before.filter((name) => name !== 'Brightness' && name !== 'Motion')];
    [expected[expected.length - 2], expected[expected.length - 1]] = [expected.at(-1)!, expected.at(-2)!];
    await expect.poll(shown).toEqual(expected);
    await browser.checkAccessibility();
    await page.reload();
    await expect.poll(shown).toEqual(expected);
    await timeline()
      .getByRole('button', { name: /^Rows, \d+ hidden/ })
      .click();
    await list.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(shown).toEqual(before);
    expect(browser.problems()).toEqual([]);
  });
});
