// Evidence pictures over HTTP: drawn when they are first asked for, once, from the right frame of the video.
import { readdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, test, vi } from 'vitest';
import type { VideoEvent } from '#engine/index';
import { createEvent } from '#test/events';
import type { ApiClient } from '#test/http';
import { flatClip, flatLevel } from '#test/media/clips';
import type { DecodeClipArgs, DecodedClip } from '#test/media/media-tasks';
import { people, type TestNode } from './node.fixture.ts';
import { askAndFollow, completion, createWorld } from './world.fixture.ts';

const world = createWorld();

type StoredEvent = { data: { evidence: { frames: { time_s: number; url: string }[] } } };

/** Asks, and returns the paths of all evidence pictures in the document's order. */
async function picturesOf(on: Pick<TestNode, 'api'>, videoId: string, query: string) {
  const { events } = await askAndFollow(on, { query, video_id: videoId });
  const analysisId = String(completion(events).analysis_id);
  const { json } = await on.api.call('GET', `/api/videos/${videoId}/analyses/${analysisId}`, { key: 'alice' });
  const stored = (json.analysis as { events: StoredEvent[] }).events;
  const paths = stored.flatMap(({ data }) => data.evidence.frames.map(({ url }) => url.replace('http://public', '')));
  return { analysisId, paths };
}

const listImages = (analysisId: string) => readdir(join(world.dir, 'analyses', analysisId)).catch(() => []);
const statusOf = async (api: ApiClient, path: string) => (await api.call('GET', path)).status;

test('an analysis draws nothing; an evidence frame is drawn at the first request and cached', async () => {
  const on = await world.node();
  const { analysisId, paths } = await picturesOf(on, await world.video(), '150');
  expect(paths).toHaveLength(150);
  expect([on.engine.drawn, await listImages(analysisId)]).toEqual([0, []]);

  const first = await on.api.call('GET', paths[149]!);
  expect(first).toMatchObject({ status: 200, text: 'jpeg at 299' });
  const again = await on.api.call('GET', paths[149]!);
  expect(again.text).toBe(first.text);
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  const known = { headers: { 'if-none-match': first.headers.get('etag')! } };
  expect((await on.api.call('GET', paths[149]!, known)).status).toBe(304);
  const other = await world.node({ worker: false });
  expect((await other.api.call('GET', paths[149]!)).text).toBe(first.text);
  expect([on.engine.drawn, other.engine.drawn, await listImages(analysisId)]).toEqual([1, 0, ['149-0.jpg']]);
});

test('HEAD returns the headers of GET, without an earlier GET', async () => {
  const on = await world.node();
  const { paths } = await picturesOf(on, await world.video(), '1');
  const head = await on.api.call('HEAD', paths[0]!);
  const get = await on.api.call('GET', paths[0]!);
  for (const name of ['content-type', 'content-length', 'etag', 'last-modified', 'accept-ranges']) {
    expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
  }
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', String(get.text.length)]);
  expect(await statusOf(on.api, paths[0]!.replace('000-0', '000-1'))).toBe(404);
  expect((await on.api.call('HEAD', paths[0]!.replace('000-0', '000-1'))).status).toBe(404);
  expect(on.engine.drawn).toBe(1);
});

test('concurrent requests for one frame share one drawing; frames are drawn one after the other', async () => {
  const on = await world.node();
  const { paths } = await picturesOf(on, await world.video(), '3');
  let open = () => {};
  on.engine.drawingGate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const asking = [...Array(8).fill(paths[0]), paths[1], paths[2]].map((path) => statusOf(on.api, path));
  await expect.poll(() => on.engine.drawn).toBe(1);
  // The others have long arrived, and wait.
  await sleep(200);
  expect(on.engine.drawn).toBe(1);
  open();
  expect(await Promise.all(asking)).toEqual(Array(10).fill(200));
  expect(on.engine.drawn).toBe(3);
});

test('a frame without waiting clients is not drawn, and can be requested again', async () => {
  const on = await world.node();
  const { paths } = await picturesOf(on, await world.video(), '2');
  let open = () => {};
  on.engine.drawingGate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const first = statusOf(on.api, paths[0]!);
  await expect.poll(() => on.engine.drawn).toBe(1);
  const leaving = new AbortController();
  const left = on.api.call('GET', paths[1]!, { signal: leaving.signal });
  await sleep(200);
  leaving.abort();
  await expect(left).rejects.toThrow();
  await sleep(200);
  // A later request is answered when the node knows of the connection that ended.
  expect(await statusOf(on.api, `${paths[0]!}x`)).toBe(403);
  open();
  expect(await first).toBe(200);
  await sleep(100);
  expect(on.engine.drawn).toBe(1);
  expect(await statusOf(on.api, paths[1]!)).toBe(200);
});

test('a video deleted while its frame is drawn leaves no frame', async () => {
  const on = await world.node();
  const videoId = await world.video();
  const { analysisId, paths } = await picturesOf(on, videoId, '2');
  let open = () => {};
  on.engine.drawingGate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const asking = on.api.call('GET', paths[0]!);
  await expect.poll(() => on.engine.drawn).toBe(1);
  await on.videos.remove(people.alice!, videoId);
  const jobs = () =>
    world.database.db
      .withSchema('pgboss')
      .selectFrom('job' as never)
      .select('state' as never)
      .where('name' as never, '=', 'analyses.forget' as never)
      .execute();
  await expect.poll(jobs).toEqual([{ state: 'completed' }]);
  open();
  expect(await asking).toMatchObject({ status: 404, json: { error: 'evidence_not_found' } });
  expect(await listImages(analysisId)).toEqual([]);
  expect(await statusOf(on.api, paths[1]!)).toBe(404);
  expect(on.engine.drawn).toBe(1);
});

/** A node on real media whose answer is one event for each time in `shown`, and a video on it. */
async function realNode(clip: string) {
  const shown: number[] = [];
  const on = await world.realNode();
  vi.spyOn(on.engine, 'answer').mockImplementation(() => ({
    interpretation: 'Understood as: a cut.',
    events: shown.map(findingAt),
    candidates: [],
    answer: null,
    summary: 'All of them.',
    coverage: [],
  }));
  const videoId = await world.video({ path: clip });
  const path = join(world.dir, 'videos', videoId, 'original');
  const args: DecodeClipArgs = { path, picture: { width: 16, height: 16, format: 'gray' } };
  const { frames } = await on.media.run<DecodedClip>({ module: MEDIA_TASKS, name: 'decodeClip', args, reads: [path] });
  shown.push(...frames.map(({ timeS }) => timeS));
  return { on, videoId, path, shown };
}

const MEDIA_TASKS = new URL('../../../test/media/media-tasks.ts', import.meta.url);

const findingAt = (timeS: number, i: number): VideoEvent => {
  const made = createEvent(i);
  return { ...made, evidence: { ...made.evidence, frames: [{ role: 'best', timeS, pts: 0, boxes: [] }] } };
};

/** Gray level in the middle of a picture. */
async function levelOf(api: ApiClient, path: string): Promise<number> {
  const response = await fetch(api.base + path);
  if (response.status !== 200) throw new Error(await response.text());
  const image = await loadImage(Buffer.from(await response.arrayBuffer()));
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return context.getImageData(image.width / 2, image.height / 2, 1, 1).data[0]!;
}

test('frames of a variable frame rate are distinct although documents round their times', async () => {
  const times = Array.from({ length: 40 }, (_, i) => i / 30 + (i % 3) / 271 + (i > 20 ? 1 / 7 : 0));
  const { on, videoId, shown } = await realNode(await flatClip({ times, endS: 2 }));
  expect(shown).toHaveLength(times.length);
  const early = shown.filter((timeS) => Math.round(timeS * 1e6) / 1e6 < timeS);
  expect(early.length).toBeGreaterThan(5);
  const { paths } = await picturesOf(on, videoId, 'everything');
  expect(paths).toHaveLength(times.length);
  for (const [i, path] of paths.entries())
    expect(Math.abs((await levelOf(on.api, path)) - flatLevel(i)), `frame ${i}`).toBeLessThan(6);
});

test('a damaged or missing video has no new frames, and the response states the reason', async () => {
  const times = Array.from({ length: 30 }, (_, i) => i / 25);
  const { on, videoId, path } = await realNode(await flatClip({ times, endS: 1.2 }));
  const { paths } = await picturesOf(on, videoId, 'everything');
  expect(await statusOf(on.api, paths[0]!)).toBe(200);
  await truncate(path, 2000);
  const damaged = await on.api.call('GET', paths[29]!);
  expect(damaged).toMatchObject({ status: 404, json: { error: 'evidence_undrawable' } });
  expect(damaged.json.detail).toMatch(/^This image cannot be drawn\. The [^.]*damaged[^.]*\.$/);
  expect((await on.api.call('HEAD', paths[29]!)).status).toBe(404);
  await rm(path);
  expect((await on.api.call('GET', paths[29]!)).json).toMatchObject({ error: 'evidence_undrawable' });
  // Frames drawn before stay cached.
  expect(await statusOf(on.api, paths[0]!)).toBe(200);
});
