import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip, stillClip } from '../../server/test/media/clips.ts';
import { DARK } from '../harness/answers.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { shareService } from '../harness/shared-service.ts';

/** The library: storyboards, order, scopes, folders and tags in the address, URLs, and what a selection can do. */
const { chromium: program } = inject('programs');
const TIMEOUT_MS = 180_000;

describe.runIf(program)('the library', { timeout: TIMEOUT_MS }, () => {
  let browser: Console;
  let page: Page;
  let scene: Buffer;

  beforeAll(async () => {
    browser = await openConsole(await shareService());
    page = browser.page;
    const { sdk } = browser;
    const { data } = await sdk.api.POST('/api/folders', { body: { name: 'Gate', scope: 'org' } });
    scene = await readFile(await sceneClip());
    const first = await sdk.upload(new Blob([scene]), { name: 'a scene.mp4', folderId: data!.id });
    const second = await sdk.upload(new Blob([await readFile(await stillClip())]), { name: 'b still.mp4' });
    for (const { video_id } of [first, second]) await sdk.ready(video_id);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  const cards = () => page.getByRole('gridcell');
  const card = (name: string) => cards().filter({ hasText: name });
  const choose = async (box: string, option: string) => {
    await page.getByRole('combobox', { name: box, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  test('shows the frames of a storyboard while the pointer moves over a poster', async () => {
    await page.goto('/');
    await card('a scene.mp4').waitFor();
    const poster = card('a scene.mp4').locator('img');
    const frameAt = async (share: number) => {
      // The first steps, which load meanwhile, move the cards.
      const move = async () => {
        const { x, y, width, height } = (await poster.boundingBox())!;
        await page.mouse.move(x + width * share, y + height / 2, { steps: 3 });
        return card('a scene.mp4').locator('canvas').count();
      };
      await expect.poll(move).toBe(1);
      return page.evaluate<string>(`document.querySelector('[role=gridcell] canvas').toDataURL()`);
    };
    const frames = [await frameAt(0.05), await frameAt(0.95)];
    expect(frames[0]).not.toBe(frames[1]);
    await page.mouse.move(0, 0);
    await card('a scene.mp4').locator('canvas').waitFor({ state: 'detached' });
  });

  test('keeps order, scope and folder in the address', async () => {
    const names = () => cards().locator('[title$=".mp4"]').allInnerTexts();
    await page.goto('/');
    await choose('Order', 'Name, Z to A');
    await page.waitForURL(/sort=name-desc/);
    await page.reload();
    await expect.poll(names).toEqual(['b still.mp4', 'a scene.mp4']);
    await choose('Order', 'Name, A to Z');
    await expect.poll(names).toEqual(['a scene.mp4', 'b still.mp4']);
    await page.getByRole('button', { name: 'Team', exact: true }).click();
    await page.waitForURL(/scope=org/);
    await page.reload();
    await expect.poll(names).toEqual(['a scene.mp4']);
    await page.goto('/');
    await page.getByRole('button', { name: 'Folder: All folders' }).click();
    await page.getByRole('button', { name: /^Gate/ }).click();
    await page.waitForURL(/folder=/);
    await page.reload();
    await expect.poll(names).toEqual(['a scene.mp4']);
  });

  test('orders by the time of recording, and filters by day, weekday and time of day', async () => {
    const { sdk } = browser;
    const videos = (await sdk.api.GET('/api/videos')).data!.videos;
    const { video_id } = videos.find(({ video_name }) => video_name === 'a scene.mp4')!;
    // Thursday at 22:30 there.
    const recorded = { recorded_at: '2026-11-26T21:30:00Z', time_zone: 'Europe/Berlin' };
    await sdk.api.PATCH('/api/video/{video_id}', { params: { path: { video_id } }, body: recorded });
    await page.goto('/?view=table');
    await card('a scene.mp4').getByText('Nov 26, 2026, 10:30 PM').waitFor();
    const names = () => cards().locator('[title$=".mp4"]').allInnerTexts();
    await choose('Order', 'Latest recording first');
    await page.waitForURL(/sort=recorded/);
    await expect.poll(names).toEqual(['a scene.mp4', 'b still.mp4']);
    await choose('Order', 'Earliest recording first');
    await expect.poll(names).toEqual(['b still.mp4', 'a scene.mp4']);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Time of day from').fill('22:00');
    await page.getByLabel('Time of day until').fill('06:00');
    await page.waitForURL(/time_of_day=22%3A00-06%3A00/);
    await expect.poll(names).toEqual(['a scene.mp4']);
    await page.getByRole('button', { name: 'Fri', exact: true }).click();
    await page.getByText('No video matches these filters').waitFor();
    await page.getByText('Videos without a known time of recording match no filter by it.').waitFor();
    await page.getByRole('button', { name: 'Thu', exact: true }).click();
    await page.getByLabel('Recorded from').fill('2026-11-26');
    await page.getByLabel('Recorded until').fill('2026-11-27');
    await page.waitForURL(/weekday=thu%2Cfri/);
    await page.waitForURL(/recorded_before=2026-11-27/);
    await page.reload();
    await expect.poll(names).toEqual(['a scene.mp4']);
    await page.getByRole('button', { name: 'Remove the filter Recorded on Thu, Fri' }).click();
    await page.waitForURL((url) => !url.search.includes('weekday'));
  });

  test('adds and removes tags of several videos, and filters by them', async () => {
    await page.goto('/');
    for (const name of ['a scene.mp4', 'b still.mp4']) await card(name).getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    await page.getByLabel('New tags, separated by commas').fill('night, rain');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('2 videos tagged').waitFor();
    await card('b still.mp4').getByText('#night #rain').waitFor();
    await card('a scene.mp4').getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'rain' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('1 video tagged').waitFor();
    await page.goto('/?tag=rain');
    await card('b still.mp4').waitFor();
    await expect.poll(() => cards().count()).toBe(1);
  });

  test('gets a video from an address', async () => {
    const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end(scene));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      await page.goto('/');
      await page.getByRole('button', { name: 'Upload', exact: true }).first().click();
      await page.getByRole('menuitem', { name: 'From a URL' }).click();
      const { port } = server.address() as AddressInfo;
      await page.getByLabel('Address of a video file').fill(`http://127.0.0.1:${port}/gate.mp4`);
      await page.getByLabel('Name (optional)').fill('fetched.mp4');
      await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
      await card('fetched.mp4').getByText('0:', { exact: false }).first().waitFor();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('asks about a selection, and exports its events', async () => {
    await page.goto('/?q=scene');
    await card('a scene.mp4').getByRole('checkbox').click();
    const bar = page.getByRole('region', { name: 'Selected videos' });
    await bar.getByRole('button', { name: 'Ask' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill(DARK);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/questions\/\w{32}/);
    await page
      .getByRole('status')
      .filter({ hasText: /^1 event\./ })
      .waitFor();
    await page.goto('/?q=scene');
    await card('a scene.mp4').getByText('1 incident').waitFor();
    await card('a scene.mp4').getByRole('checkbox').click();
    await bar.getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('radio', { name: /^CSV/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click();
    expect(await readFile(await (await saved).path(), 'utf8')).toContain('a scene.mp4');
  });
});
