import { once } from 'node:events';
import { createSightline, type ObservationRun } from '@sightline/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Problem } from '#platform/problem';
import { type AnalysesWorld, openAnalyses } from '../analyses.fixture.ts';

const PATH = '/api/observations';
const NO_WHISPER = 'The weights of the speech recognizer are missing.';

let world: AnalysesWorld;
/** Kinds of each call of the engine. */
let made: string[] = [];
/** While set, observing waits for it, at half of its progress. */
let gate: Promise<unknown> | null = null;

beforeAll(async () => {
  world = await openAnalyses();
  const { engine } = world;
  engine.observers = (async () => [
    { kind: 'signals', depth: 'dense', version: '1' },
    { kind: 'objects', depth: 'dense', version: '1.yolox_nano.0123456789ab', family: '1' },
    { kind: 'sounds', depth: 'both', onDemand: true, version: '1' },
    { kind: 'speech', depth: 'both', onDemand: true, unavailable: NO_WHISPER },
    { kind: 'glance', depth: 'sparse', version: '1' },
  ]) as never;
  engine.observe = (async (
    _path: string,
    kinds: readonly string[],
    { signal, onProgress }: { signal: AbortSignal; onProgress: (fraction: number) => void },
  ) => {
    made.push([...kinds].join());
    onProgress(0.5);
    if (gate) await Promise.race([gate, once(signal, 'abort')]);
    signal.throwIfAborted();
    if (engine.failure) throw engine.failure;
    return new Map(kinds.map((kind) => [kind, Buffer.from(kind)]));
  }) as never;
});
afterEach(() => {
  made = [];
  gate = null;
  world.engine.failure = null;
});
afterAll(() => world.close());

const start = (json: object, key = world.key) => world.api.call('POST', PATH, { key, json });
const client = () => createSightline({ baseUrl: world.api.base, apiKey: world.key });
const read = (id: unknown) => client().observation(String(id));

describe('a run', () => {
  test('observes what is missing of the videos and by the observers that were named, and nothing else', async () => {
    const videos = [await world.addVideo(), await world.addVideo()];
    const shares: number[] = [];
    const onAnswer = ({ progress }: ObservationRun) => shares.push(progress);
    const request = { observers: ['sounds'], video_ids: videos };
    const run = await client().observe(request, { onAnswer });
    expect(run).toMatchObject({ status: 'completed', progress: 1, total: 2, completed: 2, failed: 0 });
    expect(run.videos).toEqual(
      videos.map((video_id) => ({ video_id, status: 'completed', progress: 1, problem: null })),
    );
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(made).toEqual(['sounds', 'sounds']);

    // Stored observations are not made again.
    const again = await start(request);
    expect(again).toMatchObject({ status: 202, json: { status: 'completed', progress: 1, completed: 2 } });
    expect(await client().observe({ observers: ['objects', 'sounds'], video_ids: videos.slice(0, 1) })).toMatchObject({
      status: 'completed',
      observers: ['objects', 'sounds'],
    });
    expect(made).toEqual(['sounds', 'sounds', 'objects']);
    const { json } = await world.api.call('GET', `${PATH}?limit=2`, { key: world.key });
    expect(json).toMatchObject({ has_more: true, runs: [{ total: 1 }, { observation_id: again.json.observation_id }] });
  });

  test('takes the videos of a folder', async () => {
    const { json: folder } = await world.api.call('POST', '/api/folders', { key: world.key, json: { name: 'yard' } });
    const folderId = String(folder.id);
    const empty = await start({ observers: ['sounds'], folder_id: folderId });
    expect(empty).toMatchObject({ status: 400, json: { error: 'observation_videos_invalid' } });
    const videos = [await world.addVideo({ folderId }), await world.addVideo({ folderId })];
    // An upload that has not ended is left out.
    await world.addVideo({ folderId }, false);
    const run = await client().observe({ observers: ['sounds'], folder_id: folderId });
    expect(run.videos.map(({ video_id }) => video_id).toSorted()).toEqual(videos.toSorted());
  });

  test('reports its progress and is canceled, and the video can be observed by the next one', async () => {
    const videos = [await world.addVideo(), await world.addVideo()];
    gate = new Promise(() => {});
    const id = await client().startObservation({ observers: ['sounds'], video_ids: videos });
    await vi.waitFor(async () => {
      const { status, progress, videos: states } = await read(id);
      expect({ status, progress }).toEqual({ status: 'processing', progress: 0.25 });
      expect(states.map((each) => each.status).toSorted()).toEqual(['running', 'waiting']);
    }, 30_000);
    const canceled = await client().cancelObservation(id);
    expect(canceled).toMatchObject({ status: 'canceled', completed: 0, failed: 0 });
    expect(canceled.videos.map(({ status }) => status)).toEqual(['canceled', 'canceled']);
    // It stays canceled, whatever its worker still does.
    gate = null;
    const next = await client().observe({ observers: ['sounds'], video_ids: videos });
    expect(next).toMatchObject({ status: 'completed', completed: 2 });
    expect(await read(id)).toMatchObject({ status: 'canceled', completed: 0 });
    expect((await client().cancelObservation(id)).status).toBe('canceled');
  });

  test('reports the reason for each video that cannot be observed, and observes the others', async () => {
    const [ready, missing] = [await world.addVideo(), await world.addVideo({}, false)];
    const run = await client().observe({ observers: ['sounds'], video_ids: [missing, ready] });
    expect(run).toMatchObject({ status: 'completed', completed: 1, failed: 1 });
    expect(run.videos[0]).toMatchObject({ status: 'failed', problem: { code: 'video_unusable' } });
    world.engine.failure = new Problem({ status: 400, code: 'media_damaged', message: 'The video is damaged.' });
    const failed = await client().observe({ observers: ['objects'], video_ids: [ready] });
    expect(failed).toMatchObject({ status: 'failed', completed: 0, failed: 1 });
    expect(failed.videos[0]!.problem).toEqual({ code: 'media_damaged', message: 'The video is damaged.' });
  });
});

test('invalid requests start nothing', async () => {
  const video_id = await world.addVideo();
  const video_ids = [video_id];
  for (const [json, status, error, message] of [
    [{ observers: ['smell'], video_ids }, 400, 'observer_unknown', 'signals, objects, sounds, speech'],
    [{ observers: ['glance'], video_ids }, 400, 'observer_unknown', 'glance'],
    [{ observers: ['speech'], video_ids }, 409, 'observer_missing', NO_WHISPER],
    [{ observers: ['sounds'] }, 400, 'observation_videos_invalid', 'folder_id'],
    [{ observers: ['sounds'], video_ids, folder_id: 'f' }, 400, 'observation_videos_invalid', 'folder_id'],
    [{ observers: ['sounds'], video_ids: ['0'.repeat(32)] }, 404, 'video_not_found', ''],
  ] as const) {
    expect(await start(json)).toMatchObject({ status, json: { error, message: expect.stringContaining(message) } });
  }
  const missing = await world.api.call('GET', `${PATH}/${'0'.repeat(32)}`, { key: world.key });
  expect(missing.json.error).toBe('observation_not_found');
  expect(made).toEqual([]);
});
