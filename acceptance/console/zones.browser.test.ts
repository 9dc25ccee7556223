import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { footage, hasFootage } from '../../server/test/footage.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { shareService } from '../harness/shared-service.ts';

const TIMEOUT_MS = 180_000;
/** Four cars on a car park, from above: up, down, up, down. */
const CLIP = footage('road/intel_car_detection_topdown.mp4');

type Area = { x: number; y: number; width: number; height: number };

/** Zones are drawn over a real clip by mouse and by keyboard, and questions about them find what the frames show. */
describe.runIf(inject('programs').chromium && hasFootage)('zones', { timeout: TIMEOUT_MS }, () => {
  let view: Console;
  let page: Page;
  let video: string;

  const open = async (search = '') => {
    await page.goto(`/videos/${video}${search}`);
    const ready = () => page.evaluate<number>(`document.querySelector('video')?.readyState ?? 0`);
    await expect.poll(ready, { timeout: 120_000 }).toBeGreaterThanOrEqual(2);
  };
  /** Where the picture is on the page, without the bars beside it. */
  const picture = () =>
    page.evaluate<Area>(`(() => {
      const video = document.querySelector('video');
      const box = video.getBoundingClientRect();
      const scale = Math.min(box.width / video.videoWidth, box.height / video.videoHeight);
      const [width, height] = [video.videoWidth * scale, video.videoHeight * scale];
      return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
    })()`);
  const zones = async () => (await view.sdk.zones({ videoId: video })).map(({ name, points }) => ({ name, points }));
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** Asks in the console. Returns the starts of the events in seconds. */
  const ask = async (query: string) => {
    await page.getByRole('tab', { name: 'Ask' }).click();
    await page.getByRole('textbox', { name: 'Question about the video' }).fill(query);
    await button('Ask').click();
    await page.getByRole('heading', { name: query, includeHidden: true }).waitFor();
    const analysisOf = () => new URL(page.url()).searchParams.get('analysis');
    const document = async () => {
      const params = { path: { video_id: video, analysis_id: analysisOf()! } };
      return (await view.sdk.api.GET('/api/videos/{video_id}/analyses/{analysis_id}', { params })).data!;
    };
    const isDone = async () => {
      const { analysis } = await document();
      return analysis.query === query && analysis.status;
    };
    await expect.poll(isDone, { timeout: 120_000 }).toBe('COMPLETED');
    return (await document()).events.map(({ start_s }) => start_s);
  };
  const near = (time: number) => expect.closeTo(time, 0);

  beforeAll(async () => {
    view = await openConsole(await shareService());
    page = view.page;
    const { data: folder } = await view.sdk.api.POST('/api/folders', { body: { name: 'Car park' } });
    const file = await openAsBlob(CLIP);
    ({ video_id: video } = await view.sdk.upload(file, { name: basename(CLIP), folderId: folder!.id }));
    await view.sdk.ready(video, { signal: AbortSignal.timeout(60_000) });
  }, TIMEOUT_MS);
  afterAll(() => view?.close());

  test('zones that cannot be read are no missing zones', async () => {
    await page.route('**/api/zones?*', (route) =>
      route.fulfill({ status: 403, json: { error: 'folder_forbidden', message: 'Not now.' } }),
    );
    await open('?tab=zones');
    const notice = page.getByRole('alert').filter({ hasText: 'Not now.' });
    await notice.waitFor();
    await view.checkAccessibility();
    await page.unroute('**/api/zones?*');
    await notice.getByRole('button').click();
    await notice.waitFor({ state: 'detached' });
    expect(view.problems().filter((problem) => !/status of 403/.test(problem))).toEqual([]);
  });

  test('a line is drawn by mouse for the whole folder, and its points are dragged', async () => {
    await open('?tab=zones&t=6');
    await button('Draw line').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('A');
    const area = await picture();
    const at = (x: number, y: number) => [area.x + x * area.width, area.y + y * area.height] as const;
    await page.mouse.click(...at(0.02, 0.3));
    await page.mouse.click(...at(0.98, 0.5));
    await page.mouse.move(...at(0.02, 0.3));
    await page.mouse.down();
    await page.mouse.move(...at(0.02, 0.45), { steps: 4 });
    await page.mouse.move(...at(0.02, 0.5), { steps: 4 });
    await page.mouse.up();
    // A line has two ends.
    await page.mouse.click(...at(0.5, 0.8));
    await expect.poll(() => page.evaluate(`document.querySelector('video').paused`)).toBe(true);
    await view.checkAccessibility();
    await button('Save').click();
    await page.getByText('line A', { exact: true }).waitFor();
    expect(await zones()).toEqual([
      {
        name: 'A',
        points: [
          { x: expect.closeTo(0.02, 2), y: expect.closeTo(0.5, 2) },
          { x: expect.closeTo(0.98, 2), y: expect.closeTo(0.5, 2) },
        ],
      },
    ]);
  });

  test('each press adds a point, also in the corner where the player has its switches', async () => {
    await open('?tab=zones&t=6');
    await page.getByRole('button', { name: /^Zones/ }).waitFor();
    await button('Draw zone').click();
    const area = await picture();
    const corner = [
      [0.5, 0.3],
      [0.98, 0.97],
      [0.92, 0.97],
      [0.86, 0.95],
    ] as const;
    for (const [x, y] of corner) await page.mouse.click(area.x + x * area.width, area.y + y * area.height);
    await expect.poll(() => page.getByRole('button', { name: /^Point \d: / }).count()).toBe(corner.length);
    await button('Cancel').click();
    await page.getByRole('button', { name: /^Zones/ }).waitFor();
    expect(view.problems()).toEqual([]);
  });

  test('a zone is drawn by keyboard alone', async () => {
    await open('?tab=zones');
    await button('Draw zone').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('lane');
    for (let count = 0; count < 4; count++) {
      await button('Add point').focus();
      await page.keyboard.press('Enter');
    }
    const set = async (number: number, side: 'left' | 'top', percent: string) => {
      await page.getByRole('spinbutton', { name: `Point ${number}, from the ${side}` }).focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(percent);
    };
    for (const [number, left, top] of [
      [1, '0', '0'],
      [2, '38', '0'],
      [3, '38', '100'],
      [4, '1', '99'],
    ] as const) {
      await set(number, 'left', left);
      await set(number, 'top', top);
    }
    // The keys of the player do nothing meanwhile.
    await page.getByRole('button', { name: /^Point 4:/ }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('combobox', { name: 'Holds for' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'This video' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await button('Save').focus();
    await page.keyboard.press('Enter');
    await page.getByText('zone lane', { exact: true }).waitFor();
    expect((await zones()).find(({ name }) => name === 'lane')!.points).toEqual([
      { x: 0, y: 0 },
      { x: 0.38, y: 0 },
      { x: 0.38, y: 1 },
      { x: 0, y: 1 },
    ]);
    expect((await view.sdk.zones({ videoId: video })).map(({ video_id }) => video_id)).toEqual([null, video]);
    await view.checkAccessibility();
  });

  test('questions name them, with suggestions, and find the cars', async () => {
    await open('?tab=ask&t=6');
    const names = page.getByRole('list', { name: 'Zones' }).getByRole('button');
    await expect.poll(() => names.allInnerTexts()).toEqual(['a person crosses line A', 'a person enters zone lane']);
    await page.getByRole('textbox', { name: 'Question about the video' }).fill('a car in');
    await names.filter({ hasText: 'zone lane' }).click();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Question about the video' }).inputValue())
      .toBe('a car in zone lane');
    expect(await ask('a car crosses line A')).toEqual([7, 15.7, 17.6, 26].map(near));
    expect(await ask('a car in zone lane')).toEqual([14.5, 25.3].map(near));
    expect(await ask('a car enters zone garage')).toEqual([]);
    await page.getByText('there is no zone "garage" for this video').first().waitFor();
  });

  test('are hidden and shown by a key, changed, and deleted after a confirmation', async () => {
    await open('?tab=zones&t=6');
    const drawing = page.getByRole('group', { name: 'Zones' });
    await drawing.waitFor();
    await page.keyboard.press('z');
    await drawing.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Zones Z' }).click();
    await drawing.waitFor();
    await button('Change A').click();
    await button('Swap sides').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('lane');
    await button('Save').click();
    await page.getByText('zone lane', { exact: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await view.checkAccessibility();
    await button('Delete lane').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    // The line of the folder has the same name, which the zone of the video replaced.
    await page.getByText('line lane', { exact: true }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    expect((await zones()).map(({ name }) => name)).toEqual(['lane']);
    expect((await zones())[0]!.points[0]!.x).toBeCloseTo(0.98, 2);
  });
});
