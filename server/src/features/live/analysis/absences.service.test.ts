// Absences in sessions that are recorded by hand: their clock is that of the pieces, and no test waits for it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCENE } from '#test/media/clips';
import { type Desk, inShort, type LiveTestEngine, openDesk, PIECE_S } from './analysis.fixture.ts';

/** A piece that is not dark, and the one that is. */
const LIGHT = 1;
const DARK = SCENE.cutS / PIECE_S + 1;
const NOT_DARK = 'the picture is not dark for 3 seconds';
const NO_DOG = 'no dog for 3 seconds';

type Ids = Awaited<ReturnType<Desk['start']>>;

describe('an absence', { timeout: 240_000 }, () => {
  let desk: Desk;
  /** Events in the order of their reports, with those that are reported again when they end. */
  const reported: Record<string, unknown>[] = [];
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(() => desk?.close());

  async function idleWorker(engine?: LiveTestEngine, env = {}) {
    const { sightline, close } = await desk.createWorker(engine, env);
    sightline.events.subscribe('live.reported', async (_, { sessionId, events, startedIds }) => {
      for (const event of events)
        reported.push({ ...event, sessionId, isStart: startedIds.includes(String(event.event_id)) });
    });
    return { ...sightline.live.analysis, [Symbol.asyncDispose]: close };
  }
  async function worker() {
    const analysis = await idleWorker();
    await analysis.work();
    return analysis;
  }
  const eventsOf = async (session: Ids) => (await desk.read(session)).events;
  const record = async (...recorded: Parameters<Desk['record']>) => (await desk.record(...recorded)).events;
  const over = async (session: Ids) => (await desk.over(session)).events;
  const startsOf = ({ session_id }: Ids) =>
    reported.filter(({ sessionId, isStart }) => isStart && sessionId === session_id);

  test('is reported once it has lasted as long as requested, while it lasts, and when it ends', async () => {
    await using _ = await worker();
    const session = await desk.start(NOT_DARK);
    const keep = await desk.recorder(session, Date.parse('2026-11-24T08:00:00Z'));
    expect(inShort(await record(session, keep, LIGHT))).toEqual([]);
    expect(inShort(await record(session, keep, LIGHT))).toEqual(['picture is not dark for 3 s, 0 to 4 and on']);
    const during = await record(session, keep, LIGHT);
    expect(startsOf(session)).toHaveLength(1);
    expect(during[0]!.aiAnalysis).toBe(
      'Not found from 08:00:00 to 08:00:04, 4 s of which were observed without a gap; not seen before, since the observation began.',
    );
    const { frames } = during[0]!.evidence as { frames: { url: string; role: string }[] };
    expect(frames.map(({ role }) => role)).toEqual(['best']);
    const picture = await fetch(frames[0]!.url.replace('http://public.example', desk.api.base));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(inShort(await record(session, keep, DARK))).toEqual(['picture is not dark for 3 s, 0 to 6']);
    const events = await record(session, keep, LIGHT, LIGHT);
    expect(inShort(events).at(-1)).toBe('picture is not dark for 3 s, 8 to 12 and on');
    expect(events.at(-1)!.aiAnalysis).toMatch(/seen last at 08:00:0[78]\.$/);
    expect(inShort(await over(session)).at(-1)).toBe('picture is not dark for 3 s, 8 to 12');
    expect(startsOf(session)).toHaveLength(2);
  });

  test('does not count what was not observed, and begins again after much of it', async () => {
    await using _ = await worker();
    const session = await desk.start(NO_DOG);
    const keep = await desk.recorder(session);
    await record(session, keep, LIGHT);
    await desk.analyzed(session, await keep(LIGHT, { gapS: 30 }));
    expect(await eventsOf(session)).toEqual([]);
    // The piece that cannot be decoded is not observed either.
    await keep(LIGHT, { spoilt: true });
    expect(await record(session, keep, LIGHT)).toEqual([]);
    expect(inShort(await record(session, keep, LIGHT))).toEqual(['no dog in view for 3 s, 36 to 40 and on']);
    await desk.analyzed(session, await keep(LIGHT, { gapS: 30 }));
    // Nobody knows what followed its last frame.
    expect(inShort(await over(session))).toEqual(['no dog in view for 3 s, 36 to 40']);
  });

  test('is of the whole time with a short gap in it, which is stated', async () => {
    await using _ = await worker();
    const session = await desk.start('no dog for 20 seconds');
    const keep = await desk.recorder(session, Date.parse('2026-11-24T08:00:00Z'));
    await record(session, keep, ...Array(5).fill(LIGHT));
    await desk.analyzed(session, await keep(LIGHT, { gapS: 1.6 }));
    const events = await record(session, keep, ...Array(5).fill(LIGHT));
    expect(inShort(events)).toEqual([expect.stringMatching(/^no dog in view for 20 s, 0 to 2[34] and on$/)]);
    expect(events[0]!.caveats).toEqual([expect.stringMatching(/^not observed: 08:00:10 to 08:00:12$/)]);
    await over(session);
  });

  test('is reported once though another worker takes the session over', async () => {
    const [frozen, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let pieces = 0;
    const { live } = desk.engine;
    const freezing: LiveTestEngine = {
      ...desk.engine,
      live: {
        ...live,
        async observe(path, options) {
          if (++pieces >= 4) {
            frozen.resolve();
            await gate.promise;
          }
          return live.observe(path, options);
        },
      },
    };
    await using first = await idleWorker(freezing, { SIGHTLINE_LIVE_PER_WORKER: '1' });
    using _thawed = { [Symbol.dispose]: gate.resolve };
    await first.work();
    const session = await desk.start(`${NO_DOG}\nno cat for 7 seconds`);
    const keep = await desk.recorder(session);
    await record(session, keep, LIGHT, LIGHT, LIGHT);
    await keep(LIGHT);
    await frozen.promise;
    await using second = await idleWorker();
    await desk.expireLease(session);
    await second.work();
    await desk.analyzed(session, 8);
    gate.resolve();
    await record(session, keep, LIGHT);
    expect(inShort(await over(session))).toEqual([
      'no dog in view for 3 s, 0 to 10',
      'no cat in view for 7 s, 0 to 10',
    ]);
    expect(startsOf(session).map(({ label }) => label)).toEqual(['no dog in view for 3 s', 'no cat in view for 7 s']);
  });

  test('until a time of day is reported at that time, by the clock of the stream, once a day', async () => {
    await using _ = await worker();
    const session = await desk.start('no dog by 9\nno cat between 8:59 and 9 am\na person');
    const keep = await desk.recorder(session, Date.parse('2026-11-24T08:59:55Z'));
    const withoutPerson = async () => (await eventsOf(session)).filter(({ label }) => label !== 'person in view');
    await record(session, keep, LIGHT, LIGHT);
    expect(await withoutPerson()).toEqual([]);
    await record(session, keep, LIGHT);
    const [event, ...others] = await withoutPerson();
    expect(others).toEqual([]);
    expect(inShort([event!])).toEqual(['no dog in view by 09:00, 0 to 5']);
    // Of the minute before nine most was not observed, so that nothing is known of it.
    expect(event!.aiAnalysis).toMatch(
      /^Not found from 08:59:55 to 09:00:00, 5 s of which were observed without a gap;/,
    );
    await record(session, keep, LIGHT);
    expect(startsOf(session).filter(({ category }) => category === event!.category)).toHaveLength(2);
    expect(inShort(await over(session))).toContain('no dog in view by 09:00, 0 to 5');
  });

  test('of what was there is not reported at its time', async () => {
    await using _ = await worker();
    const session = await desk.start('nobody by 9 am');
    const keep = await desk.recorder(session, Date.parse('2026-11-24T08:59:57Z'));
    expect(await record(session, keep, LIGHT, LIGHT)).toEqual([]);
    expect(await over(session)).toEqual([]);
  });

  test('that lasts over two recordings of a camera is one', async () => {
    await using _ = await worker();
    const { db } = desk.library.database;
    const source = { name: 'Desk', source_url: 'rtsp://camera.example/1', enabled: false };
    const { json } = await desk.api.call('POST', '/api/cameras', { key: desk.key, json: source });
    const start = async (query: string) => {
      const session = await desk.start(query);
      const ofCamera = { cameraId: String(json.camera_id) };
      await db.updateTable('liveSessions').set(ofCamera).where('id', '=', session.session_id).execute();
      return session;
    };
    const query = `${NO_DOG}\nno cat for 7 seconds`;
    const startedMs = Date.parse('2026-11-24T08:00:00Z');
    const first = await start(query);
    await record(first, await desk.recorder(first, startedMs), LIGHT, LIGHT);
    expect(inShort(await over(first))).toEqual(['no dog in view for 3 s, 0 to 4']);
    const second = await start(query);
    const keep = await desk.recorder(second, startedMs + 4_100);
    const events = await record(second, keep, LIGHT, LIGHT, LIGHT);
    expect(inShort(events)).toEqual(['no cat in view for 7 s, 0 to 4 and on']);
    expect(events[0]!.aiAnalysis).toMatch(
      /^Not found from 08:00:00 to 08:00:08, 8 s of which were observed without a gap;/,
    );
    expect(startsOf(second)).toHaveLength(1);
    await over(second);
  });
});
