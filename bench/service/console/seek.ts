import type { Page } from 'playwright-core';
import type { BenchmarkBrowser } from '../../lib/browser.ts';
import { median } from '../../lib/measure.ts';
import type { BenchmarkRow } from '../../run.ts';
import { LONG_S } from './videos.ts';

const SEEKS = 40;
const STORYBOARD_MS = 10 * 60_000;
const PLAYABLE_MS = 60_000;
const FRAME_BAR = { max: 300 };
const RATIO_BAR = { max: 1 };
/** A seek without a frame after this time counts as one that took as long. */
const LOST_MS = 10_000;
/** The start of the frame of a time is less than this many seconds from it, with a margin for rounding. */
const NEAR_S = 1.2 / 30;
const INDEX_MS = 5_000;
const RULER = '[data-timeline] [role=slider]';
/** Step through the video: prime to its length, so that seeks go far, forwards and backwards. */
const STEP_S = 1_427;

/**
 * Sets `seeked`, which resolves with the milliseconds from the next press of the pointer on a strip to the first
 * preview over the video (null without one), and to the moment when the frame of the pressed time is on the screen:
 * the element presents it, or the page has painted a canvas with it.
 */
const watchSeek = (strip: string) => `void (globalThis.seeked = new Promise((resolve) => {
  addEventListener('pointerdown', ({ timeStamp, clientX }) => {
    const strip = document.querySelector('${strip}');
    const [video, canvas] = ['video', '[data-seek-preview]'].map((each) => document.querySelector(each));
    const time = ((clientX - strip.getBoundingClientRect().left) / strip.clientWidth) * video.duration;
    let preview = null;
    const isFrame = (shown) => Math.abs(shown - time) < ${NEAR_S};
    const look = (now) => {
      const isShown = canvas && !canvas.hidden;
      if (isShown) preview ??= now - timeStamp;
      if (isShown && canvas.dataset.frame && isFrame(canvas.dataset.frame))
        // It was drawn before this frame of the page, which is on the screen when the next one begins.
        requestAnimationFrame((next) => resolve({ preview, frame: next - timeStamp }));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    const check = (now, { mediaTime, expectedDisplayTime }) => {
      if (isFrame(mediaTime)) resolve({ preview, frame: Math.max(now, expectedDisplayTime) - timeStamp });
      else video.requestVideoFrameCallback(check);
    };
    video.requestVideoFrameCallback(check);
    setTimeout(() => resolve({ preview, frame: ${LOST_MS} }), ${LOST_MS});
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
  // The page decodes single frames itself, once it has read the index of the file.
  await page.waitForTimeout(INDEX_MS);
  const ours = await seek(page, RULER);

  const bare = await browser.openPage();
  const html = `<style>* { margin: 0 }</style><video muted preload="auto" width="1200" src="${source}"></video>`;
  // On the address of the service, which does not let other sites embed its files.
  await bare.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await bare.goto('/bare');
  await isPlayable(bare);
  await bare.evaluate(
    `const video = document.querySelector('video');
     addEventListener('pointerdown', ({ clientX }) => { video.currentTime = (clientX / video.clientWidth) * video.duration; }); void 0`,
  );
  const peer = await seek(bare, 'video');

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
async function seek(page: Page, strip: string) {
  const { x, y, width } = (await page.locator(strip).boundingBox())!;
  const results: { preview: number | null; frame: number }[] = [];
  for (let index = 1; index <= SEEKS; index++) {
    await page.evaluate(watchSeek(strip));
    await page.mouse.click(Math.round(x + (((index * STEP_S) % LONG_S) / LONG_S) * (width - 4)), y + 8);
    results.push(await page.evaluate<(typeof results)[number]>('seeked'));
  }
  await page.context().close();
  return results;
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.POSITIVE_INFINITY;
