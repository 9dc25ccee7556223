import { expect, test } from 'vitest';
import { rangeSuffix } from '#engine/index';
import { Problem } from '#platform/problem';
import { openStream, readEvents } from './sse.fixture.ts';
import { askAndFollow, completion, createWorld, progressValues } from './world.fixture.ts';

const world = createWorld();

test('observations that are stored under an earlier name of their version are not made again', async () => {
  const on = await world.node();
  on.engine.observers = async () => [
    { kind: 'signals', depth: 'dense', version: '1' },
    { kind: 'glance', depth: 'sparse', version: 'sparse-pass-8.yolox_nano.0123456789ab' },
  ];
  const videoId = await world.video();
  const fast = async () => {
    const json = { query: 'the picture is dark', video_id: videoId };
    const started = await on.api.call('POST', '/api/router/query', { key: 'alice', json });
    return completion(await readEvents(await openStream(on.api, String(started.json.stream_id))));
  };
  expect([await fast(), on.engine.observed]).toMatchObject([{ status: 'completed' }, 1]);
  const stored = world.database.db.selectFrom('observations').select('version').where('videoId', '=', videoId);
  expect(await stored.execute()).toEqual([{ version: 'glance-8.yolox_nano.0123456789ab' }]);
  expect([await fast(), on.engine.observed]).toMatchObject([{ status: 'completed' }, 1]);
});

test('fast mode runs a sparse pass, and uses all frames once thinking mode has observed them', async () => {
  const on = await world.node();
  const { api, engine } = on;
  const videoId = await world.video();
  const looks: string[] = [];
  const { observe, answer: answerFrom } = engine;
  engine.observe = (path, kinds, options) => {
    looks.push(`observes ${kinds.join(', ')}`);
    return observe(path, kinds, options);
  };
  engine.answer = (plan, artifacts) => {
    looks.push(`answers from ${[...artifacts.keys()].join(', ')}`);
    return answerFrom(plan, artifacts);
  };
  const fast = async () => {
    const { json } = await api.call('POST', '/api/router/query', {
      key: 'alice',
      json: { query: '1', video_id: videoId },
    });
    return completion(await readEvents(await openStream(api, String(json.stream_id))));
  };
  expect(await fast()).toMatchObject({ status: 'completed', events: 1 });
  expect(await fast()).toMatchObject({ status: 'completed', events: 1 });
  expect(looks.splice(0)).toEqual(['observes glance', 'answers from glance', 'answers from glance']);
  await askAndFollow(on, { video_id: videoId });
  await fast();
  expect(looks.splice(0)).toEqual(['observes signals', 'answers from signals', 'answers from signals']);

  // Observers that became available later are used only in thinking mode.
  engine.observers = async () => [
    { kind: 'signals', depth: 'dense', version: '1' },
    { kind: 'objects', depth: 'dense', version: '1' },
    { kind: 'glance', depth: 'sparse', version: '2' },
  ];
  await fast();
  expect(looks.splice(0)).toEqual(['answers from signals']);
  await askAndFollow(on, { video_id: videoId });
  expect(looks).toEqual(['observes objects', 'answers from signals, objects']);
});

test('a fast query does not wait for an analysis that observes all frames', async () => {
  const on = await world.node();
  const { api, engine } = on;
  const videoId = await world.video();
  engine.observers = async () => [
    { kind: 'signals', depth: 'dense', version: '1' },
    { kind: 'telemetry', depth: 'both', version: '1' },
    { kind: 'glance', depth: 'sparse', version: '1' },
  ];
  const started = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  const { observe } = engine;
  engine.observe = async (path, kinds, options) => {
    if (kinds.includes('signals')) {
      started.resolve();
      await open.promise;
    }
    return observe(path, kinds, options);
  };
  const thorough = askAndFollow(on, { video_id: videoId });
  await started.promise;
  const { json } = await api.call('POST', '/api/router/query', {
    key: 'alice',
    json: { query: '1', video_id: videoId },
  });
  const events = await readEvents(await openStream(api, String(json.stream_id)));
  expect(completion(events)).toMatchObject({ status: 'completed', events: 1 });
  open.resolve();
  await thorough;
});

test('fast mode looks closer where its sparse pass leaves a part open, and thinking mode does not repeat that', async () => {
  const on = await world.node();
  const { api, engine } = on;
  const fast = async (videoId: string) => {
    const { json } = await api.call('POST', '/api/router/query', {
      key: 'alice',
      json: { query: '1', video_id: videoId },
    });
    return readEvents(await openStream(api, String(json.stream_id)));
  };
  const passes: string[] = [];
  const { observe } = engine;
  engine.observe = async (path, kinds, options) => {
    passes.push(kinds.join(', '));
    options?.onProgress?.(0.5);
    // Progress is reported after a tenth of a second, and at most twice a second.
    await new Promise((resolve) => setTimeout(resolve, 700));
    return observe(path, kinds, options);
  };

  // The sparse pass is not sufficient.
  engine.selectCloserLook = (_plan, artifacts) => (artifacts.has('signals') ? null : 'whole');
  const afterwards = await world.video();
  const events = await fast(afterwards);
  const stages = events.filter((e) => e.event === 'progress').map(({ data }) => [data.stage, data.message]);
  expect(stages).toContainEqual(['observing', undefined]);
  expect(stages).toContainEqual(['looking_closer', 'Looking closer']);
  expect(progressValues(events)).toEqual(progressValues(events).toSorted((a, b) => a - b));
  expect(passes.splice(0)).toEqual(['glance', 'signals']);
  await askAndFollow(on, { video_id: afterwards });
  await fast(afterwards);
  expect(passes).toEqual([]);

  // A dense pass is needed from the start.
  engine.selectFirstPass = () => 'dense';
  const atOnce = await world.video();
  const stagesAtOnce = (await fast(atOnce)).filter((e) => e.event === 'progress').map(({ data }) => data.stage);
  expect(stagesAtOnce).toContain('looking_closer');
  expect(stagesAtOnce).not.toContain('observing');
  expect(passes).toEqual(['signals']);
});

test('fast mode observes ranges of a long video once, for all prompts and analyses', async () => {
  const on = await world.node();
  const { api, engine } = on;
  engine.observers = async () => [
    { kind: 'signals', depth: 'dense', ranged: true, version: '1' },
    { kind: 'glance', depth: 'sparse', version: '1' },
  ];
  const decoded: string[] = [];
  const { observe } = engine;
  engine.observe = async (path, kinds, options) => {
    decoded.push(`${kinds.join(', ')}${options?.range ? rangeSuffix(options.range) : ''}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    return observe(path, kinds, options);
  };
  const seen: string[][] = [];
  const ranges = [
    { fromS: 30, untilS: 60 },
    { fromS: 600, untilS: 690 },
  ];
  // Like the engine, requests the ranges that are missing.
  engine.selectCloserLook = (_plan, artifacts) => {
    const missing = ranges.filter((range) => !artifacts.has(`signals${rangeSuffix(range)}`));
    return missing.length > 0 ? missing : null;
  };
  const { answer } = engine;
  engine.answer = (plan, artifacts, minConfidence) => {
    seen.push([...artifacts.keys()].toSorted());
    return answer(plan, artifacts, minConfidence);
  };
  const fast = async (videoId: string) => {
    const { json } = await api.call('POST', '/api/router/query', {
      key: 'alice',
      json: { query: '1', video_id: videoId },
    });
    return readEvents(await openStream(api, String(json.stream_id)));
  };
  const videoId = await world.video();
  const both = await Promise.all([fast(videoId), fast(videoId)]);
  for (const events of both) expect(completion(events)).toMatchObject({ status: 'completed', events: 1 });
  expect(decoded.toSorted()).toEqual(['glance', 'signals@30-60', 'signals@600-690']);
  await fast(videoId);
  expect(decoded).toHaveLength(3);
  for (const names of seen) expect(names).toEqual(['glance', 'signals@30-60', 'signals@600-690']);

  // Ranges are no observations of the whole video.
  await askAndFollow(on, { video_id: videoId });
  expect(decoded.slice(3)).toEqual(['signals']);

  // A range that cannot be decoded is left out: the answer comes from the rest.
  const damaged = await world.video();
  engine.observe = async (path, kinds, options) => {
    if (options?.range?.fromS === 600) throw new Problem({ status: 400, code: 'media_damaged', message: 'damaged' });
    return observe(path, kinds, options);
  };
  expect(completion(await fast(damaged))).toMatchObject({ status: 'completed', events: 1 });
  expect(seen.at(-1)).toEqual(['glance', 'signals@30-60']);
});
