import type { Page } from 'playwright-core';
import type { BenchmarkBrowser } from '../../lib/browser.ts';
import { median } from '../../lib/measure.ts';
import type { BenchmarkRow } from '../../run.ts';
import { LONG_S } from './videos.ts';

const SEEKS = 40;
const STORYBOARD_MS = 10 * 60_000;
const PLAYABLE_MS = 60_000;
const FRAME_BAR = { max: 300 };
const RATIO_BAR = { max: 1.25 };
/** Step through the video: prime to its length, so that seeks go far, forwards and backwards. */
const STEP_S = 1_427;

/**
 * Sets `seeked`, which resolves with the milliseconds from the next press of the pointer to the preview over the video
 * (null without one) and to the frame of that time.
 */
const WATCH_SEEK = `void (globalThis.seeked = new Promise((resolve) => {
  addEventListener('pointerdown', ({ timeStamp }) => {
    const [video, canvas] = ['video', '[data-seek-preview]'].map((each) => document.querySelector(each));
    let preview = null;
    const look = (now) => {
      if (canvas && !canvas.hidden) preview ??= now - timeStamp;
      if (preview === null) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    const check = (now, { mediaTime, expectedDisplayTime }) => {
      const isTarget = Math.abs(mediaTime - video.currentTime) < 0.05;
      if (isTarget) resolve({ preview, frame: Math.max(now, expectedDisplayTime) - timeStamp });
      else video.requestVideoFrameCallback(check);
    };
    video.requestVideoFrameCallback(check);
  }, { once: true, capture: true });
}))`;

/** Presses on the ruler of the timeline, and on an empty page with the same video, which sets its time at once. */
export async function seekRows(browser: BenchmarkBrowser, videoId: string): Promise<BenchmarkRow[]> {
  const page = await browser.openPage();
  // It is drawn when it is first requested.
  const storyboard = page.waitForResponse(/storyboard/, { timeout: STORYBOARD_MS });
  await page.goto(`/videos/${videoId}`);
  await isPlayable(page);
  await (await storyboard).finished();
  const source = await page.evaluate<string>(`document.querySelector('video').currentSrc`);
  const ruler = (await page.getByRole('slider', { name: 'Position in the video' }).boundingBox())!;
  const ours = await seek(page, { x: ruler.x + 2, y: ruler.y + 8, width: ruler.width - 4 });

  const bare = await browser.openPage();
  const html = `<style>* { margin: 0 }</style><video muted preload="auto" width="1200" src="${source}"></video>`;
  // On the address of the service, which does not let other sites embed its files.
  await bare.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await bare.goto('/bare');
  await isPlayable(bare);
  await bare.evaluate(
    `addEventListener('pointerdown', ({ clientX }) => { video.currentTime = (clientX / 1200) * ${LONG_S}; });
     const video = document.querySelector('video'); void 0`,
  );
  const peer = await seek(bare, { x: 0, y: 100, width: 1200 });

  const [frames, peers] = [ours, peer].map((all) => all.map(({ frame }) => frame)) as [number[], number[]];
  const previews = ours.flatMap(({ preview }) => preview ?? []);
  return [
    {
      name: `seek to the frame of the storyboard, ${LONG_S / 3600} h at 1080p, 95th percentile`,
      value: p95(previews),
      unit: 'ms',
      bar: FRAME_BAR,
      note: `${previews.length} of ${SEEKS} seeks showed one`,
    },
    {
      name: 'seek to the exact frame, 95th percentile',
      value: p95(frames),
      unit: 'ms',
      bar: FRAME_BAR,
      note: `median ${median(frames).toFixed(0)} ms, worst ${Math.max(...frames).toFixed(0)} ms; a keyframe every 2 s`,
    },
    {
      name: 'the same against an empty page with the video, medians',
      value: median(frames) / median(peers),
      unit: '×',
      bar: RATIO_BAR,
      note: `there: median ${median(peers).toFixed(0)} ms, 95th percentile ${p95(peers).toFixed(0)} ms`,
    },
  ];
}

async function isPlayable(page: Page): Promise<void> {
  const end = Date.now() + PLAYABLE_MS;
  while (!(await page.evaluate<boolean>(`document.querySelector('video')?.readyState >= 2`))) {
    if (Date.now() > end) throw new Error(`The video at ${page.url()} does not play.`);
    await page.waitForTimeout(100);
  }
}

/** Presses on a strip that stands for the whole video. */
async function seek(page: Page, strip: { x: number; y: number; width: number }) {
  const results: { preview: number | null; frame: number }[] = [];
  for (let index = 1; index <= SEEKS; index++) {
    await page.evaluate(WATCH_SEEK);
    await page.mouse.click(strip.x + (((index * STEP_S) % LONG_S) / LONG_S) * strip.width, strip.y);
    results.push(await page.evaluate<(typeof results)[number]>('seeked'));
  }
  await page.context().close();
  return results;
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.POSITIVE_INFINITY;
