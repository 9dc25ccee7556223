import { expect, test } from 'vitest';
import { openStream, readEvents } from './sse.fixture.ts';
import { askAndFollow, completion, createWorld } from './world.fixture.ts';

const world = createWorld();

test('observers on demand run only for plans that need them, fill in what is missing, and are stored', async () => {
  const on = await world.node();
  const { api, engine } = on;
  const videoId = await world.video();
  const steps: string[] = [];
  const { observe, answer } = engine;
  engine.observe = (path, kinds, options) => {
    steps.push(`observes ${kinds.join(', ')}`);
    return observe(path, kinds, options);
  };
  engine.answer = (plan, artifacts) => {
    steps.push(`answers from ${[...artifacts.keys()].toSorted().join(', ')}`);
    return answer(plan, artifacts);
  };
  engine.observers = async () => [
    { kind: 'signals', depth: 'dense', version: '1' },
    { kind: 'sounds', depth: 'both', onDemand: true, version: '1' },
    { kind: 'glance', depth: 'sparse', version: '1' },
  ];
  const fast = async () => {
    const { json } = await api.call('POST', '/api/router/query', {
      key: 'alice',
      json: { query: '1', video_id: videoId },
    });
    const events = await readEvents(await openStream(api, String(json.stream_id)));
    expect(completion(events)).toMatchObject({ status: 'completed', events: 1 });
    return steps.splice(0);
  };
  const thinking = async () => {
    await askAndFollow(on, { video_id: videoId });
    return steps.splice(0);
  };
  const sounds = () => ['sounds' as const];

  expect(await fast()).toEqual(['observes glance', 'answers from glance']);
  engine.selectOnDemand = sounds;
  expect(await fast()).toEqual(['observes sounds', 'answers from glance, sounds']);
  expect(await fast()).toEqual(['answers from glance, sounds']);
  expect(await thinking()).toEqual(['observes signals', 'answers from signals, sounds']);

  // A new version is made for the next plan that needs it; others use what is there, or nothing.
  engine.observers = async () => [
    { kind: 'signals', depth: 'dense', version: '1' },
    { kind: 'sounds', depth: 'both', onDemand: true, version: '2' },
    { kind: 'glance', depth: 'sparse', version: '1' },
  ];
  engine.selectOnDemand = () => [];
  expect(await thinking()).toEqual(['answers from signals']);
  engine.selectOnDemand = sounds;
  expect(await fast()).toEqual(['observes sounds', 'answers from signals, sounds']);

  // Without the model, the plan is answered from the rest.
  engine.observers = async () => [
    { kind: 'signals', depth: 'dense', version: '1' },
    { kind: 'sounds', depth: 'both', onDemand: true, unavailable: 'no weights' },
    { kind: 'glance', depth: 'sparse', version: '1' },
  ];
  expect(await fast()).toEqual(['answers from signals']);
});
