// The choice of a detector: by the service and by a query, from the request to the document, on generated models.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { rawDetrModel } from '#engine/observe/objects/detector/detr-model.fixture';
import { constantModel } from '#engine/observe/objects/detector/model.fixture';
import { flatClip, sceneClip } from '#test/media/clips';
import { askAndFollow, completion, createWorld, FAST } from './world.fixture.ts';

const world = createWorld();
let models: string;
beforeAll(async () => {
  models = await mkdtemp(join(tmpdir(), 'detectors-'));
  // Each sees something else in every frame.
  await writeFile(join(models, 'yolox_nano.onnx'), constantModel({ className: 'person', score: 0.8 }));
  await writeFile(join(models, 'dfine_n.onnx'), rawDetrModel({ side: 640, always: 'dog' }));
});
afterAll(() => rm(models, { recursive: true }));

type Document = {
  analysis: { status: string; events: object[]; coverage: { status: string; by: string[]; reason: string | null }[] };
};

/** A node with the two models and this detector. `decoded` lists the kinds of each pass over a video. */
async function start(detector: string, folder = models) {
  const on = await world.realNode({ SIGHTLINE_MODELS_DIR: folder, SIGHTLINE_DETECTOR: detector });
  const observe = vi.spyOn(on.engine, 'observe');
  const ask = async (body: { query: string; video_id: string; detector?: string }, fast = false) => {
    const { events } = await askAndFollow(on, body, fast ? FAST : undefined);
    const { json } = await on.api.call(
      'GET',
      `/api/videos/${body.video_id}/analyses/${completion(events).analysis_id}`,
      { key: 'alice' },
    );
    return (json as unknown as Document).analysis;
  };
  return { on, ask, decoded: () => observe.mock.calls.map(([, kinds]) => [...kinds].sort().join()) };
}

test('a query names its detector; only what it needs is observed, and old observations stay usable', async () => {
  const { on, ask, decoded } = await start('yolox_nano');
  const video_id = await world.video({ path: await sceneClip() });
  const person = await ask({ query: 'a person', video_id });
  expect(person.events).not.toEqual([]);
  expect(person.coverage[0]!.by[0]).toMatch(/^objects \(yolox_nano [0-9a-f]{12}\)$/);
  const [all] = decoded();

  const dog = await ask({ query: 'a dog', video_id, detector: 'dfine_n' });
  expect(dog.events).not.toEqual([]);
  expect(dog.coverage[0]!.by[0]).toMatch(/^objects \(dfine_n [0-9a-f]{12}\)$/);
  expect(decoded()).toEqual([all, 'objects']);

  // Without the name, the first observations are used again; nor does a question without objects need new ones.
  expect((await ask({ query: 'a dog', video_id })).events).toEqual([]);
  expect(await ask({ query: 'the picture is dark', video_id, detector: 'yolox_s' })).toMatchObject({
    status: 'COMPLETED',
    coverage: [{ status: 'looked_for', by: ['signals'] }],
  });
  expect(decoded()).toHaveLength(2);

  // A model that is missing is a reason, an unknown name an error.
  const { status, events, coverage } = await ask({ query: 'a dog', video_id, detector: 'yolox_s' });
  expect({ status, events }).toEqual({ status: 'COMPLETED', events: [] });
  expect(coverage[0]).toMatchObject({
    status: 'not_looked_for',
    reason: expect.stringContaining('weights of the object detector yolox_s are missing'),
  });
  const refused = { key: 'alice', json: { query: 'a dog', video_id, detector: 'yolov99' } };
  for (const path of ['/api/router/v2/query/start', '/api/router/v2/query/plan'])
    expect(await on.api.call('POST', path, refused)).toMatchObject({
      status: 400,
      json: {
        error: 'detector_unknown',
        message: expect.stringContaining('yolox_tiny, yolox_nano, yolox_nano_640, yolox_s, dfine_n'),
      },
    });

  const preview = async (detector?: string) => {
    const request = { key: 'alice', json: { query: 'a dog', video_id, detector } };
    const { json } = await on.api.call('POST', '/api/router/v2/query/plan', request);
    return (json.parts as object[])[0];
  };
  expect(await preview('dfine_n')).toMatchObject({ by: ['objects'], reason: null });
  expect(await preview()).toMatchObject({ by: ['objects'], reason: expect.stringContaining('about 6 in 10') });
  expect(await preview('yolox_s')).toMatchObject({ status: 'not_looked_for' });
  const { json: system } = await on.api.call('GET', '/api/system', { key: 'alice' });
  expect(system.detectors).toMatchObject([
    { name: 'yolox_tiny', available: false, is_default: false, reason: expect.stringContaining('missing') },
    { name: 'yolox_nano', available: true, is_default: true, reason: null },
    { name: 'yolox_nano_640', available: true, is_default: false, reason: null },
    { name: 'yolox_s', available: false, is_default: false },
    { name: 'dfine_n', available: true, is_default: false, reason: null },
    { name: 'ssd_mobilenet_v2', available: true, is_default: false, reason: null },
  ]);
});

test('a changed detector of the service re-observes lazily, in fast mode too', async () => {
  const before = await start('yolox_nano');
  const video_id = await world.video({ path: await sceneClip() });
  await before.ask({ query: 'a person', video_id });
  // Its worker must not take the jobs of the next node.
  await before.on.close();

  const after = await start('dfine_n');
  await after.ask({ query: 'the picture is dark', video_id });
  expect(after.decoded()).toEqual([]);
  expect((await after.ask({ query: 'a dog', video_id }, true)).events).not.toEqual([]);
  expect((await after.ask({ query: 'a dog', video_id })).events).not.toEqual([]);
  expect(after.decoded()).toEqual(['glance,triage', 'objects']);
  await after.on.close();

  // Where the new detector is missing, what another one saw is better than nothing.
  const missing = await start('yolox_s');
  const { events, coverage } = await missing.ask({ query: 'a dog', video_id });
  expect(events).not.toEqual([]);
  expect(coverage[0]!.by[0]).toMatch(/^objects \(dfine_n/);
  expect(missing.decoded()).toEqual([]);
});

test('where the requested objects are small, larger frames are observed, unless a detector is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'small objects '));
  try {
    // In each copy of a frame at the same pixels: in another place of the larger one, where it is a second object.
    const model = constantModel({ className: 'person', score: 0.8, size: [20, 24] });
    await writeFile(join(folder, 'yolox_nano.onnx'), model);
    const { on, ask, decoded } = await start('', folder);
    const times = Array.from({ length: 30 }, (_, at) => at / 10);
    const video_id = await world.video({ path: await flatClip({ times, endS: 3, width: 640, height: 360 }) });
    const versionOf = async (query: string, detector?: string) =>
      (await ask({ query, video_id, ...(detector ? { detector } : {}) })).coverage[0]!.by[0];
    expect(await versionOf('a person')).toMatch(/^objects \(yolox_nano_640 [0-9a-f]{12}\)$/);
    const passes = decoded();
    expect(passes).toHaveLength(2);
    expect(passes[0]!.split(',')).toEqual(expect.arrayContaining(['objects', 'signals']));
    expect(passes[0]).not.toContain('fine_objects');
    expect(passes[1]).toBe('objects');
    const { json } = await on.api.call('GET', `/api/videos/${video_id}/tracks`, { key: 'alice' });
    expect(json).toMatchObject({ model: expect.stringMatching(/^yolox_nano_640 /), tracks: [{}, {}] });

    // Both are stored: nothing more is decoded for the next questions, but enlarged frames for the named detector.
    expect(await versionOf('is there a person?')).toMatch(/^objects \(yolox_nano_640 /);
    expect(await versionOf('the picture is dark')).toBe('signals');
    expect(decoded()).toHaveLength(2);
    expect(await versionOf('a person', 'yolox_nano')).toMatch(/^objects \(yolox_nano [0-9a-f]{12}\)$/);
    expect(decoded().slice(2)).toEqual(['fine_objects']);
    await on.close();

    const named = await start('yolox_nano', folder);
    expect((await named.ask({ query: 'a person', video_id })).coverage[0]!.by[0]).toMatch(
      /^objects \(yolox_nano [0-9a-f]{12}\)$/,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('the detector that comes with the installation is used until there is another one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'no detectors '));
  try {
    const { on, ask, decoded } = await start('', folder);
    const video_id = await world.video({ path: await sceneClip() });
    const first = await ask({ query: 'a person', video_id });
    expect(first.coverage[0]).toMatchObject({
      status: 'partly',
      by: [expect.stringMatching(/^objects \(ssd_mobilenet_v2 [0-9a-f]{12}\)$/)],
      reason: expect.stringContaining('misses more than yolox_nano'),
    });
    expect((await ask({ query: 'a bus', video_id })).coverage[0]).toMatchObject({
      status: 'not_looked_for',
      reason: expect.stringMatching(
        /^ssd_mobilenet_v2 does not know buses, but yolox_nano does: .*models fetch yolox_nano/,
      ),
    });
    const before = decoded();
    const objectsOf = async () => {
      const { json } = await on.api.call('GET', '/api/system', { key: 'alice' });
      return (json.observers as { kind: string; reason: string | null }[]).find(({ kind }) => kind === 'objects');
    };
    expect(await objectsOf()).toMatchObject({
      available: true,
      reason: expect.stringContaining('The weights of yolox_nano, a better object detector, are missing'),
    });

    // The better detector observes the video again, and nothing else does.
    await writeFile(join(folder, 'yolox_nano.onnx'), constantModel({ className: 'person', score: 0.8 }));
    const second = await ask({ query: 'a person', video_id });
    expect(second.events).not.toEqual([]);
    expect(second.coverage[0]!.by[0]).toMatch(/^objects \(yolox_nano /);
    expect(decoded().slice(before.length)).toEqual(['objects', 'fine_objects']);
    expect(await objectsOf()).toMatchObject({ available: true, reason: null });

    // Its observations stay the answer without it.
    await rm(join(folder, 'yolox_nano.onnx'));
    expect((await ask({ query: 'a person', video_id })).coverage[0]!.by[0]).toMatch(/^objects \(yolox_nano /);
    expect(decoded()).toHaveLength(before.length + 2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
