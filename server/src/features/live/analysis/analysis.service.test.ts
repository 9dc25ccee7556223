import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReadings } from '#engine/plan/index';
import type { Env } from '#test/app';
import { SCENE } from '#test/media/clips';
import type { DomainEvents } from '../../events/index.ts';
import { type AnalyzedEvent, type Desk, inShort, type LiveTestEngine, openDesk, PIECE_S } from './analysis.fixture.ts';

/** The piece of the scene that begins where it is cut; in the next one it is dark, and then no more. */
const CUT = SCENE.cutS / PIECE_S;
const DARK = 'picture is dark, 2 to 4';

describe('the analysis of a session', { timeout: 240_000 }, () => {
  let desk: Desk;
  const reported: DomainEvents['live.reported'][] = [];
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(() => desk?.close());

  type Ids = Awaited<ReturnType<Desk['start']>>;
  async function idleWorker(engine?: LiveTestEngine, env?: Env) {
    const { sightline, close } = await desk.createWorker(engine, env);
    sightline.events.subscribe('live.reported', async (_, event) => void reported.push(event));
    return { ...sightline.live.analysis, [Symbol.asyncDispose]: close };
  }
  async function worker(engine?: LiveTestEngine, env?: Env) {
    const analysis = await idleWorker(engine, env);
    await analysis.work();
    return analysis;
  }

  test('reports an event when it starts and when it ends, with its images', async () => {
    await using _ = await worker();
    const session = await desk.start('the picture is dark\na person\na unicorn');
    expect((await desk.read(session)).analysis).toMatchObject({ state: 'waiting', analysed_s: 0, sampling: 'full' });
    const keep = await desk.recorder(session);
    await desk.record(session, keep, CUT);
    expect(inShort((await desk.read(session)).events)).toEqual(['person in view, 0 to 2 and on']);
    await desk.record(session, keep, CUT + 1, CUT + 2);
    const { events, analysis } = await desk.over(session);

    expect(inShort(events)).toEqual(['person in view, 0 to 6', DARK]);
    // Each event is published when it begins, and once more if it ends later.
    const published = reported
      .filter(({ sessionId }) => sessionId === session.session_id)
      .flatMap((each) => each.events);
    const inOrder = inShort(published as AnalyzedEvent[]);
    expect(inOrder[0]).toBe('person in view, 0 to 2 and on');
    expect(inOrder).toEqual(expect.arrayContaining(['person in view, 0 to 6', DARK]));
    expect(published[0]).toMatchObject({
      event_id: events[0]!.event_id,
      category: expect.any(String),
      confidence: expect.any(Number),
    });
    expect(analysis).toMatchObject({ state: 'ended', behind_s: 0, skipped_s: 0, sampling: 'full' });
    expect(analysis.coverage).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('unicorn'), status: 'not_looked_for' }),
    );
    const { chunk_index, chunk_relative_time, stream_time, start_s, capture_time } = events[1]!;
    expect(chunk_index).toBe(Math.floor(Number(start_s) / PIECE_S));
    expect(Number(chunk_index) * PIECE_S + Number(chunk_relative_time)).toBeCloseTo(stream_time, 3);
    const firstMs = Date.parse(String(events[0]!.capture_time)) - events[0]!.stream_time * 1000;
    expect((Date.parse(String(capture_time)) - firstMs) / 1000).toBeCloseTo(stream_time, 2);

    const { url } = (events[1]!.evidence as { frames: { url: string }[] }).frames[0]!;
    const here = url.replace('http://public.example', desk.api.base);
    const picture = await fetch(here);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await picture.bytes()).subarray(0, 2)).toEqual(Uint8Array.of(0xff, 0xd8));
    expect((await fetch(here.replace('-0.jpg', '-9.jpg'))).status).toBe(404);
    expect((await fetch(`${here}x`)).status).toBe(403);
  });

  test('comes on a stream that resumes', async () => {
    await using _ = await worker();
    const session = await desk.start('the picture is dark');
    const url = `${desk.api.base}/api/live/session/${session.session_id}/events`;
    const headers = { 'x-api-key': desk.key };
    const reader = (await fetch(url, { headers })).body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    const untilReported = async (kind: string) => {
      while (!seen.includes(`event: ${kind}\n`)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended without ${kind}: ${seen}`);
        seen += value;
      }
    };
    await desk.record(session, await desk.recorder(session), CUT + 1, CUT + 2);
    await untilReported('finding');
    await desk.over(session);
    await untilReported('finding_ended');
    const { database, events } = desk.library;
    await database.transaction((trx) => events.append(trx, session.session_id, 'done', { status: 'FINISHED' }));
    await untilReported('done');
    expect(seen.match(/^event: .*$/gm)).toEqual(
      ['progress', 'progress', 'finding', 'finding_ended', 'done'].map((k) => `event: ${k}`),
    );
    // The first event states how the query is understood.
    expect(JSON.parse(/^data: (.*)$/m.exec(seen)![1]!)).toMatchObject({
      rapid_review_query: 'the picture is dark',
      interpretation: 'Understood as: picture is dark.',
    });
    expect(await (await fetch(`${url}?last_id=3`, { headers })).text()).not.toMatch(/^id: [123]$|^event: finding$/m);
    expect((await fetch(`${url}?last_id=x`, { headers })).status).toBe(400);
  });

  test('applies a new query to later segments and does not report events again', async () => {
    await using _ = await worker();
    const session = await desk.start(null);
    const ask = (json: object) =>
      desk.api.call('POST', `/api/live/session/${session.session_id}/query`, { key: desk.key, json });
    const keep = await desk.recorder(session);
    await keep(CUT - 1);
    expect(await desk.read(session)).toMatchObject({ analysis: null, interpretation: null });
    expect((await ask({ rapid_review_query: 'a person' })).json).toMatchObject({
      searches: ['person'],
      interpretation: 'Understood as: a person in view.',
    });
    await desk.record(session, keep, CUT - 1);
    const added = await ask({ rapid_review_query: 'scene changes', mode: 'add' });
    expect(added.json).toMatchObject({ rapid_review_query: 'a person\nscene changes' });
    expect((await desk.read(session)).interpretation).toBe(added.json.interpretation);
    await desk.record(session, keep, CUT);
    const during = ['person in view, 2 to 4 and on', 'cut to another shot, 4 to 4 and on'];
    expect(inShort((await desk.read(session)).events)).toEqual(during);
    const { status, json } = await ask({ rapid_review_query: 'x'.repeat(9_995), mode: 'add' });
    expect([status, json.error]).toEqual([400, 'live_query_too_long']);
    await ask({ rapid_review_query: 'the picture is dark' });
    await desk.record(session, keep, CUT + 1, CUT + 2);
    const { events } = await desk.over(session);
    expect(inShort(events)).toEqual([
      'person in view, 2 to 6',
      'cut to another shot, 4 to 4',
      'picture is dark, 6 to 8',
    ]);
  });

  /** An engine of another version, which takes a prompt about darkness for one about people. */
  const otherVersion = (): LiveTestEngine => {
    const { plan, checkPlan } = desk.engine;
    const planQuery = (query: string) => plan(query.replace('the picture is dark', 'a person'));
    return { ...desk.engine, readings: createReadings({ planQuery, checkPlan }) };
  };
  const storedPlan = async ({ session_id }: Ids) => {
    const analyses = desk.library.database.db.selectFrom('liveAnalyses').select('plan');
    return (await analyses.where('sessionId', '=', session_id).executeTakeFirstOrThrow()).plan;
  };

  test('is taken over by a node of another version by the reading that is stored', async () => {
    const session = await desk.start('the picture is dark');
    const plan = await storedPlan(session);
    const keep = await desk.recorder(session);
    {
      await using _ = await worker();
      await desk.record(session, keep, CUT);
    }
    {
      await using _ = await worker(otherVersion());
      await desk.record(session, keep, CUT + 1, CUT + 2);
      await desk.over(session);
    }
    const { events, interpretation } = await desk.read(session);
    expect(inShort(events)).toEqual([DARK]);
    expect(interpretation).toBe('Understood as: picture is dark.');
    expect(await storedPlan(session)).toBe(plan);
  });

  test('of a node without readings is read once, and a new query by the node that sets it', async () => {
    const session = await desk.start('a loud noise');
    const { db } = desk.library.database;
    // Such a node writes the words alone.
    await db
      .updateTable('liveSessions')
      .set({ query: 'the picture is dark' })
      .where('id', '=', session.session_id)
      .execute();
    const keep = await desk.recorder(session);
    {
      await using _ = await worker(otherVersion());
      await desk.record(session, keep, CUT);
    }
    const plan = await storedPlan(session);
    expect(JSON.parse(plan!)).toMatchObject({ query: 'the picture is dark', searches: [{ text: 'person' }] });
    await using _ = await worker();
    await desk.record(session, keep, CUT + 1);
    expect(await storedPlan(session)).toBe(plan);
    expect(inShort((await desk.read(session)).events)).toEqual(['person in view, 0 to 2 and on']);
    await desk.api.call('POST', `/api/live/session/${session.session_id}/query`, {
      key: desk.key,
      json: { rapid_review_query: 'scene changes\nthe picture is dark' },
    });
    const { interpretation } = await desk.read(session);
    expect(interpretation).toContain('picture is dark');
    await desk.over(session);
  });

  test('states that it cannot run a reading of a later version', async () => {
    const session = await desk.start('the picture is dark');
    const plan = JSON.parse((await storedPlan(session))!);
    plan.searches[0].steps[0].what = { kind: 'smell', smell: 'smoke' };
    const { db } = desk.library.database;
    const stored = JSON.stringify(plan);
    await db.updateTable('liveAnalyses').set({ plan: stored }).where('sessionId', '=', session.session_id).execute();
    await using _ = await worker();
    await desk.record(session, await desk.recorder(session), CUT + 1, CUT + 2);
    const { events, analysis, interpretation } = await desk.over(session);
    expect(events).toEqual([]);
    expect(interpretation).toBe('Not understood: "the picture is dark".');
    expect(analysis.coverage).toEqual([
      expect.objectContaining({
        status: 'not_looked_for',
        reason: expect.stringContaining('this version cannot run the stored reading'),
      }),
    ]);
    expect(await storedPlan(session)).toBe(stored);
  });

  test('is not followed over a break, nor over what cannot be decoded', async () => {
    await using _ = await worker();
    const session = await desk.start('a person');
    const keep = await desk.recorder(session);
    await desk.record(session, keep, 1);
    await keep(1, { breaks: true });
    await keep(1, { spoilt: true });
    await desk.record(session, keep, 1);
    const { events, analysis } = await desk.over(session);
    expect(inShort(events)).toEqual([0, 2, 6].map((from) => `person in view, ${from} to ${from + 2}`));
    expect(analysis).toMatchObject({ skipped_s: PIECE_S });
  });

  /** The engine, with something before each observation. */
  const engineThat = (before: () => Promise<void>): LiveTestEngine => ({
    ...desk.engine,
    live: {
      ...desk.engine.live,
      async observe(path, options) {
        await before();
        return desk.engine.live.observe(path, options);
      },
    },
  });

  test('continues on another worker when one freezes: no event is lost or reported twice', async () => {
    const [frozen, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let pieces = 0;
    const freezing = engineThat(async () => {
      if (++pieces < 3) return;
      frozen.resolve();
      await gate.promise;
    });
    // With one session per worker the frozen one, which holds it, cannot claim it again.
    await using _first = await worker(freezing, { SIGHTLINE_LIVE_PER_WORKER: '1' });
    using _thawed = { [Symbol.dispose]: gate.resolve };
    const session = await desk.start('the picture is dark\na person');
    const keep = await desk.recorder(session);
    await desk.record(session, keep, CUT, CUT + 1);
    await keep(CUT + 2);
    await frozen.promise;
    await using second = await idleWorker();
    await desk.expireLease(session);
    await second.work();
    await desk.analyzed(session, 6);
    gate.resolve();
    await desk.record(session, keep, CUT + 2);
    const { events } = await desk.over(session);
    expect(inShort(events)).toEqual(['person in view, 0 to 8', DARK]);
  });

  test('skips deleted segments', async () => {
    const session = await desk.start('a person');
    const keep = await desk.recorder(session);
    for (let i = 0; i < 3; i++) await keep(1);
    await desk.library.database.db
      .updateTable('liveSegments')
      .set({ storageKey: 'live/gone' })
      .where('sessionId', '=', session.session_id)
      .where('sequence', '=', 1)
      .execute();
    await using _ = await worker();
    const { events, analysis } = await desk.over(session);
    expect(inShort(events)).toEqual([0, 4].map((from) => `person in view, ${from} to ${from + 2}`));
    expect(analysis).toMatchObject({ state: 'ended', skipped_s: PIECE_S });
  });

  test('ends when the session is over, though the engine fails', async () => {
    const failing = engineThat(() => Promise.reject(new Error('The engine fell over.')));
    const session = await desk.start('a person');
    await (await desk.recorder(session))(1);
    const ending = desk.over(session);
    await using _ = await worker(failing);
    expect(await ending).toMatchObject({ events: [], analysis: { state: 'ended' } });
  });

  test('is heard of by a worker that lost a session and has it again', async () => {
    const [frozen, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const beganMs: number[] = [];
    let ended = 0;
    const { live } = desk.engine;
    const freezing: LiveTestEngine['live'] = {
      ...live,
      async observe(path, options) {
        const isFirst = beganMs.push(Date.now()) === 1;
        if (isFirst) frozen.resolve();
        if (isFirst) await gate.promise;
        return live.observe(path, options).finally(() => ended++);
      },
    };
    await using _ = await worker({ ...desk.engine, live: freezing });
    const session = await desk.start('the picture is dark');
    const keep = await desk.recorder(session);
    await keep(1);
    await frozen.promise;
    await desk.expireLease(session);
    await desk.analyzed(session, PIECE_S);
    gate.resolve();
    await desk.until(
      async () => ended,
      (count) => count === 2,
    );
    await sleep(500);
    let waitedMs = 0;
    for (let i = 0; i < 2; i++) {
      const recordedMs = Date.now();
      await desk.record(session, keep, 1);
      waitedMs += beganMs.at(-1)! - recordedMs;
    }
    // A session without notifications is polled every five seconds.
    expect(waitedMs).toBeLessThan(5_000);
  });

  test('skips segments when it falls behind, reports them, and catches up from the recording', async () => {
    const sampled: (number | null)[] = [];
    let slowMs = 1_300;
    const { live } = desk.engine;
    const slow: LiveTestEngine = {
      ...desk.engine,
      live: {
        ...live,
        async observe(path, options) {
          sampled.push(options.detectionIntervalS);
          await sleep(slowMs);
          return live.observe(path, options);
        },
      },
    };
    await using _ = await worker(slow);
    const session = await desk.start('a person\nthe picture is dark');
    const keep = await desk.recorder(session);
    // It is dark in one chunk only, of those that come while it is busy with another one.
    for (let i = 0; i < 12; i++) {
      await keep(i === 5 ? CUT + 1 : 1);
      // Three come while it observes one.
      if (i % 3 === 2)
        await desk.until(
          async () => sampled.length,
          (count) => count > 1 + i / 3,
        );
    }
    const behind = await desk.until(
      () => desk.read(session),
      ({ analysis }) => (analysis.skipped as unknown[]).length > 0,
    );
    expect(sampled[0]).toBe(0.2);
    expect(sampled).toContain(0.5);
    const [skipped] = behind.analysis.skipped as { from_s: number; until_s: number; reason: string }[];
    expect(behind.analysis.skipped_s).toBeGreaterThan(5);
    expect(skipped!.reason).toMatch(/skipped to keep up/);
    const [row] = behind.analysis.coverage as { status: string; reason: string; findings: number }[];
    expect(row).toMatchObject({ status: 'partly', findings: behind.events.length });
    expect(row!.reason).toMatch(/skipped to keep up.* \(00:\d\d to 00:\d\d/);
    // An event that was ongoing at the skipped range has no known end.
    expect(behind.events[0]).toMatchObject({ label: 'person in view', ongoing: true, cut_end: true });

    slowMs = 0;
    const { events, analysis } = await desk.over(session);
    expect(analysis).toMatchObject({ state: 'ended', analysed_s: 24, skipped_s: 0, skipped: [] });
    const persons = events.filter(({ label }) => label === 'person in view');
    expect(analysis.coverage).toMatchObject([
      { text: 'person', findings: persons.length, from_s: 0, until_s: 24 },
      { status: 'looked_for', findings: 1, analysed_s: 24, intervals: [{ from_s: 0, until_s: 24 }] },
    ]);
    // It stays the same event and gets its end; events of the skipped range are found as well.
    const first = events.find(({ event_id }) => event_id === behind.events[0]!.event_id)!;
    expect(first.ongoing).toBe(false);
    expect(first.end_s).toBeGreaterThan(skipped!.until_s - 1);
    expect(inShort(events)).toContain('picture is dark, 10 to 12');
    const { database, events: streams } = desk.library;
    await database.transaction((trx) => streams.append(trx, session.session_id, 'done', { status: 'FINISHED' }));
    const url = `${desk.api.base}/api/live/session/${session.session_id}/events`;
    const stream = await (await fetch(url, { headers: { 'x-api-key': desk.key } })).text();
    const ids = (kind: string) =>
      stream
        .split('\n\n')
        .flatMap((one) => (one.includes(`event: ${kind}\n`) ? /"event_id":"([^"]+)"/.exec(one)![1] : []));
    expect(ids('finding').sort()).toEqual(events.map(({ event_id }) => event_id).sort());
    expect(new Set(ids('finding_ended')).size).toBe(ids('finding_ended').length);
  });

  test('has the coverage of the whole session, whatever the last minutes were', async () => {
    await using _ = await worker();
    const session = await desk.start('the picture is dark\na unicorn');
    const keep = await desk.recorder(session);
    await desk.record(session, keep, 1, CUT + 1, 1);
    // More than twice the window of 60 s later nothing of that is in it any more: here a break empties it.
    await desk.analyzed(session, await keep(1, { breaks: true }));
    await desk.record(session, keep, 1);
    const { events, analysis } = await desk.over(session);
    expect(inShort(events)).toEqual(['picture is dark, 2 to 4']);
    expect(analysis.coverage).toMatchObject([
      { status: 'looked_for', findings: 1, from_s: 0, until_s: 10, analysed_s: 10 },
      { text: expect.stringContaining('unicorn'), status: 'not_looked_for', findings: 0, analysed_s: 0 },
    ]);
  });
});
