import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { footage, hasFootage } from '../server/test/footage.ts';
import { flatClip, remuxedClip, SCENE, sceneClip } from '../server/test/media/clips.ts';
import { callPlayer, launchPlayerBrowser, openPlayer } from './harness/player.ts';
import type { Service } from './harness/service.ts';
import { shareService } from './harness/shared-service.ts';

/** A real browser plays signed URLs on a page of another origin, and the API docs page works. */
const { chromium: program } = inject('programs');
/** Starting a browser and a service takes long on a busy machine. */
const TIMEOUT_MS = 180_000;

type PlayableVideo = { what: string; make: () => Promise<string>; durationS: number; width: number; height: number };
const scene = { durationS: SCENE.durationS, width: SCENE.width, height: SCENE.height };
const HEVC = footage('tricky/mpf_h265_aac.mp4');
const TIMES = Array.from({ length: 100 }, (_, i) => i * 0.1);
const VIDEOS: PlayableVideo[] = [
  { what: 'H.264 in MP4', make: sceneClip, ...scene },
  { what: 'H.264 in Matroska', make: async () => remuxedClip(await sceneClip(), 'matroska'), ...scene },
  { what: 'H.264 in a transport stream', make: async () => remuxedClip(await sceneClip(), 'mpegts'), ...scene },
  {
    what: 'a video that lies on its side',
    make: () => flatClip({ times: TIMES, endS: 10, width: 320, height: 240, rotation: 90 }),
    durationS: 10,
    width: 240,
    height: 320,
  },
  ...(hasFootage ? [{ what: 'HEVC', make: async () => HEVC, durationS: 1.03, width: 640, height: 480 }] : []),
];

type Watched = { duration: number; width: number; height: number; played: number; currentTime: number };
type Board = {
  cues: { startTime: number; endTime: number; text: string }[];
  picture: { width: number; height: number };
};

describe.runIf(program)('in a browser', { timeout: TIMEOUT_MS }, () => {
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    service = await shareService();
    browser = await launchPlayerBrowser(program!);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
  });

  async function sign(id: string, kind: string): Promise<string> {
    const { json } = await service.call('POST', `/api/video/${id}/signed-url`, { json: { kind } });
    return String(json.url);
  }
  /** Plays, seeks and continues playing; checks that time advances and that size and duration are the video's. */
  async function watch({ durationS, width, height }: PlayableVideo, what: { video: string } | { stream: string }) {
    const page = await openPlayer(browser);
    const seen = await callPlayer<Watched>(page, 'watch', { ...what, seekTo: durationS * 0.6 });
    expect(seen).toMatchObject({ width, height });
    expect(seen.played).toBeGreaterThan(0.3);
    expect(seen.currentTime).toBeGreaterThan(durationS * 0.6);
    expect(Math.abs(seen.duration - durationS)).toBeLessThan(0.15);
    await page.close();
  }

  test('a video plays by its signed URL, with its poster and its storyboard', async () => {
    const [video] = VIDEOS as [PlayableVideo];
    const id = await service.upload(await video.make());
    await watch(video, { video: await sign(id, 'film') });

    const page = await openPlayer(browser);
    const poster = await callPlayer<Board['picture']>(page, 'sizeOf', await sign(id, 'poster'));
    expect(poster).toEqual({ width: video.width, height: video.height });
    const { cues, picture } = await callPlayer<Board>(page, 'storyboard', await sign(id, 'storyboard'));
    expect(cues.length).toBe(16);
    expect(cues.at(-1)!.endTime).toBeCloseTo(video.durationS, 1);
    const tiles = cues.map(({ text }) => /#xywh=(\d+),(\d+),(\d+),(\d+)$/.exec(text)!.slice(1).map(Number));
    for (const [x, y, width, height] of tiles as [number, number, number, number][]) {
      expect(x + width).toBeLessThanOrEqual(picture.width);
      expect(y + height).toBeLessThanOrEqual(picture.height);
    }
    expect(new Set(tiles.map(String)).size).toBe(cues.length);
    await page.close();
  });

  test.each(VIDEOS)('$what plays as a stream', async (video) => {
    const id = await service.upload(await video.make());
    await watch(video, { stream: await sign(id, 'hls') });
  });

  test('the API docs fit a phone and send requests with a key', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    page.setDefaultTimeout(TIMEOUT_MS / 2);
    await page.goto(`${service.url}/docs`);
    await page.locator('#operations-tag-System').click();
    const operation = page.locator('#operations-System-getSystem');
    await operation.waitFor();
    await page.locator('.btn.authorize').first().click();
    await page.getByLabel('auth-bearer-value').fill(service.key);
    await page.locator('.modal-btn.authorize').first().click();
    await page.locator('.btn-done').first().click();
    await operation.locator('.opblock-summary').click();
    await operation.getByText('Try it out').click();
    await operation.getByText('Execute').click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    await expect.poll(() => operation.locator('.live-responses-table').textContent()).toContain('"engine"');
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.close();
  });
});
