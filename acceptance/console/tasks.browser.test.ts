// Tasks of a driving-safety analyst and a robotics engineer, with the number of their steps.
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { footage, hasFootage } from '../../server/test/footage.ts';
import { type Console, openConsole } from '../harness/console.ts';
import { shareService } from '../harness/shared-service.ts';
import { Steps } from '../harness/steps.ts';

const TIMEOUT_MS = 420_000;
const MOST_STEPS = 6;
const GATE = footage('road/intel_car_detection_topdown.mp4');
const DRIVES = [footage('road/kitti_seq1_10fps.mp4'), footage('road/udacity_solidWhiteRight.mp4')];

describe.runIf(inject('programs').chromium && hasFootage)('tasks by mouse', { timeout: TIMEOUT_MS }, () => {
  let view: Console;
  let page: Page;

  const upload = async (path: string, name = basename(path)) => {
    const { video_id } = await view.sdk.upload(await openAsBlob(path), { name });
    await view.sdk.ready(video_id, { signal: AbortSignal.timeout(120_000) });
    return video_id;
  };
  /** Asks over the API, and waits for the answers. */
  const ask = async (query: string, videoIds: string[]) => {
    const { batch_id, stream_id } = await view.sdk.start({ query, videoIds });
    await Array.fromAsync(view.sdk.follow(stream_id));
    return batch_id;
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  beforeAll(async () => {
    view = await openConsole(await shareService());
    page = view.page;
  }, TIMEOUT_MS);
  afterAll(async () => {
    await view?.close();
  });

  test('an engineer draws a zone and has its answer in at most 6 steps', async () => {
    const video = await upload(GATE, 'bench.mp4');
    await page.goto(`/videos/${video}?t=6`);
    await expect
      .poll(() => page.evaluate<number>(`document.querySelector('video')?.readyState ?? 0`), { timeout: 120_000 })
      .toBeGreaterThanOrEqual(2);
    const steps = new Steps();
    await steps.press(page.getByRole('tab', { name: 'Zones' }));
    await steps.press(button('Draw zone'));
    await steps.do('draw', drawZone);
    await steps.press(button('Save'));
    await steps.press(button('Ask about A'));
    const box = page.getByRole('textbox', { name: 'Question about the video' });
    await expect.poll(() => box.inputValue()).toBe('a person enters zone A');
    await steps.press(button('Ask'));
    await page.waitForURL(/analysis=\w{32}/);
    await page.getByRole('heading', { name: 'a person enters zone A', includeHidden: true }).waitFor();
    await page
      .getByText(/^(no|\d+) events?$/i)
      .first()
      .waitFor({ timeout: TIMEOUT_MS });
    expect([steps.done, steps.count <= MOST_STEPS]).toEqual([steps.done, true]);
    expect(view.problems()).toEqual([]);
  });

  /** Three corners over the frame. */
  async function drawZone(): Promise<void> {
    const frame = (await page.locator('video').boundingBox())!;
    for (const [x, y] of [
      [0.35, 0.3],
      [0.65, 0.3],
      [0.5, 0.8],
    ] as const)
      await page.mouse.click(frame.x + x * frame.width, frame.y + y * frame.height);
    await expect.poll(() => page.getByRole('button', { name: /^Point \d: / }).count()).toBe(3);
  }

  test('an analyst compares two questions, and what is shown adds up', async () => {
    const videoIds = [await upload(DRIVES[0]!), await upload(DRIVES[1]!)];
    const cars = await ask('a car', videoIds);
    await ask('a car or a truck', videoIds);
    await page.goto(`/questions/${cars}`);
    const steps = new Steps();
    await steps.press(button('Compare'));
    await steps.press(
      page
        .getByRole('dialog')
        .getByRole('button', { name: /^a car or a truck/ })
        .first(),
    );
    const headline = page.getByRole('status').filter({ hasText: /^Both questions found \d+ incidents?/ });
    await headline.waitFor();
    expect([steps.done, steps.count <= MOST_STEPS]).toEqual([steps.done, true]);
    const [both = 0, onlyA = 0, onlyB = 0] = (await headline.textContent())!.match(/\d+/g)!.map(Number);
    const shownOf = async (side: 'Only A' | 'Only B') => {
      const column = page.getByRole('region', { name: side, exact: true });
      return Number(/of (\d+)/.exec((await column.textContent())!)![1]);
    };
    expect([both + onlyA, both + onlyB]).toEqual([await shownOf('Only A'), await shownOf('Only B')]);
    expect(both).toBeGreaterThan(0);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(1_440);
    expect(view.problems()).toEqual([]);
  });
});
