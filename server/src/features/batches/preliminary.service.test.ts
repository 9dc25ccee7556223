// Tests events that are reported before a video was seen to its end.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { footage, hasFootage, MODELS } from '#test/footage';
import { unobserved } from '#test/shared-observations';
import { createTestEngine, type TestEngine } from './node.fixture.ts';
import { openStream, readEvents, type SseEvent } from './sse.fixture.ts';
import { ask, askAndFollow, createWorld, last } from './world.fixture.ts';

const world = createWorld();

const kinds = (events: SseEvent[]) => events.map(({ event }) => event);
const of = (events: SseEvent[], kind: string) => events.filter(({ event }) => event === kind).map(({ data }) => data);
type Preliminary = { preliminary_id: string; label: string; start_s: number; end_s: number; ongoing: boolean };
const reportedIn = (events: SseEvent[]) =>
  of(events, 'preliminary').map(({ preliminary }) => preliminary as Preliminary);
/** Ids of what became of preliminary events. */
const outcomes = (events: SseEvent[]) =>
  [...of(events, 'preliminary_confirmed'), ...of(events, 'preliminary_withdrawn')].map((data) =>
    String(data.preliminary_id),
  );

test.runIf(hasFootage)(
  'real footage: cars are reported while the video is processed, and all of them resolved',
  async () => {
    const on = await world.realNode(MODELS ? { SIGHTLINE_MODELS_DIR: MODELS } : {});
    const path = join(world.dir, 'unobserved.mp4');
    await writeFile(path, unobserved(await readFile(footage('road/udacity_solidWhiteRight.mp4'))));
    const json = { query: 'a car', video_id: await world.video({ path }), preliminary: true };
    const { events } = await askAndFollow(on, json);
    expect(last(events)).toMatchObject({ event: 'done', status: 'completed' });

    const first = kinds(events).indexOf('preliminary');
    const afterPass = events.findIndex(({ data }) => data.stage === 'finding' || data.event === 'finding');
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(afterPass);
    const coverage = of(events, 'preliminary_coverage').map(({ until_s }) => Number(until_s));
    expect(coverage.length).toBeGreaterThan(1);
    expect(coverage).toEqual(coverage.toSorted((a, b) => a - b));
    expect(coverage[0]).toBeLessThan(8);

    const reported = new Set(reportedIn(events).map(({ preliminary_id }) => preliminary_id));
    expect(outcomes(events).sort()).toEqual([...reported].sort());
    const found = of(events, 'finding').map(({ finding }) => (finding as { event_id: string }).event_id);
    const confirmed = of(events, 'preliminary_confirmed').map(({ event_id }) => String(event_id));
    expect(confirmed.length).toBeGreaterThan(0);
    expect(found).toEqual(expect.arrayContaining(confirmed));
  },
);

/** A test engine whose passes first report to have seen the video until these times. */
function engineThatSaw(...parts: number[]): TestEngine {
  const engine = createTestEngine();
  const { observe } = engine;
  engine.observe = (path, kinds, options = {}) => {
    for (const untilS of parts) options.onPartial?.(new Map(), untilS);
    return observe(path, kinds, options);
  };
  return engine;
}

/** Reads a stream until an event of a kind. */
async function readUntil(on: Parameters<typeof openStream>[0], streamId: unknown, kind: string): Promise<SseEvent[]> {
  const reading = new AbortController();
  const response = await openStream(on, String(streamId), { signal: reading.signal });
  return readEvents(response, ({ event }) => event === kind && reading.abort());
}

test('a query without them has the stream that it had before', async () => {
  const on = await world.node({ engine: engineThatSaw(2) });
  const { events } = await askAndFollow(on, { video_id: await world.video() });
  // Whether progress is reported depends on the time that steps take.
  const sent = new Set(kinds(events).filter((kind) => kind !== 'progress'));
  expect(sent).toEqual(new Set(['batch_created', 'finding', 'video_completed', 'done']));
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
});

test('those that the answer lacks are withdrawn, and the events of the answer follow unchanged', async () => {
  const engine = engineThatSaw(3);
  const { answer } = engine;
  const on = await world.node({ engine });
  engine.answerSoFar = (plan, { artifacts }) => {
    const { events } = answer(plan, artifacts);
    return [events[0]!, { ...events[1]!, category: 'sound' }];
  };
  const { events } = await askAndFollow(on, { video_id: await world.video(), preliminary: true });
  const [first, second] = reportedIn(events);
  expect([first, second]).toMatchObject([
    { start_s: 0.34, ongoing: true },
    { start_s: 2.34, type: 'sound' },
  ]);
  expect(of(events, 'preliminary_withdrawn')).toMatchObject([{ preliminary_id: second!.preliminary_id }]);
  const findings = of(events, 'finding').map(({ finding }) => finding as Record<string, unknown>);
  expect(findings).toHaveLength(2);
  expect(of(events, 'preliminary_confirmed')).toMatchObject([
    { preliminary_id: first!.preliminary_id, event_id: findings[0]!.event_id },
  ]);
  expect(Object.keys(findings[0]!)).not.toContain('preliminary_id');
});

test('a canceled query withdraws all of them; its retry reports them again', async () => {
  const engine = engineThatSaw(3);
  engine.gate = new Promise(() => {});
  const on = await world.node({ engine });
  const { json: started } = await ask(on.api, { video_id: await world.video(), preliminary: true });
  await readUntil(on.api, started.stream_id, 'preliminary_coverage');
  await on.api.call('POST', `/api/batch/${started.batch_id}/cancel`, { key: 'alice' });
  const events = await readEvents(await openStream(on.api, String(started.stream_id)));
  expect(reportedIn(events)).toHaveLength(2);
  expect(of(events, 'preliminary_withdrawn').map(({ preliminary_id }) => preliminary_id)).toEqual(
    reportedIn(events).map(({ preliminary_id }) => preliminary_id),
  );
  expect(last(events)).toMatchObject({ event: 'done', status: 'cancelled' });

  engine.gate = null;
  const { json: again } = await on.api.call('POST', `/api/batch/${started.batch_id}/retry`, { key: 'alice' });
  const retried = await readEvents(await openStream(on.api, String(again.stream_id)));
  expect(reportedIn(retried)).toHaveLength(2);
  expect(of(retried, 'preliminary_confirmed')).toHaveLength(2);
});

test('another attempt knows what the one before it reported', async () => {
  const engine = engineThatSaw(3);
  const stopped = Promise.withResolvers<void>();
  const { observe } = engine;
  let attempts = 0;
  engine.observe = async (...args) => {
    const observed = observe(...args);
    if (++attempts > 1) return observed;
    await stopped.promise;
    await observed;
    throw new Error('The worker has crashed.');
  };
  const on = await world.node({ engine });
  const { json: started } = await ask(on.api, { video_id: await world.video(), preliminary: true });
  await readUntil(on.api, started.stream_id, 'preliminary_coverage');
  stopped.resolve();
  const events = await readEvents(await openStream(on.api, String(started.stream_id)));
  expect(attempts).toBe(2);
  expect(of(events, 'preliminary_coverage')).toHaveLength(2);
  expect(reportedIn(events)).toHaveLength(2);
  expect(of(events, 'preliminary_confirmed')).toHaveLength(2);
  expect(of(events, 'preliminary_withdrawn')).toEqual([]);
});
