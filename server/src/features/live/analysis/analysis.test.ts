import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lead } from '#engine/index';
import { SCENE } from '#test/clips';
import { type Desk, type LiveEvent, type LiveTestEngine, openDesk, PIECE_S } from './analysis.fixture.ts';

const PIECES = SCENE.durationS / PIECE_S;
const NEVER = new AbortController().signal;

describe('what is looked for while a session goes on', { timeout: 60_000 }, () => {
  let desk: Desk;
  let room: ReturnType<Desk['createRoom']>;
  beforeAll(async () => {
    desk = await openDesk();
    room = desk.createRoom();
    await room.work();
  });
  afterAll(() => desk?.close());

  type Ids = Awaited<ReturnType<Desk['start']>>;
  type Keep = Awaited<ReturnType<Desk['recorder']>>;
  const analysed = (session: Ids, seconds: number) =>
    desk.until(
      () => desk.read(session),
      ({ analysis }) => analysis.analysed_s >= seconds,
    );
  /** Records and lets it be looked at, piece by piece. */
  async function record(session: Ids, from: number, until: number, keep?: Keep) {
    const recorder = keep ?? (await desk.recorder(session));
    for (let i = from; i < until; i++) {
      await recorder(i);
      await analysed(session, (i + 1) * PIECE_S - 0.1);
    }
    return recorder;
  }
  const over = async (session: Ids) => {
    await room.analysis.drain(session.session_id, NEVER);
    return desk.read(session);
  };
  const inShort = (events: LiveEvent[]) =>
    events.map(({ label, start_s, end_s, ongoing }) => {
      const [from, until] = [start_s, end_s].map((at) => Math.round(Number(at)));
      return `${label}, ${from} to ${until}${ongoing ? ' and on' : ''}`;
    });
  const DARK = `the picture is dark, ${SCENE.dark.startS} to ${SCENE.dark.endS}`;

  test('is told once when it begins, and once more when it ends, with its pictures', async () => {
    const session = await desk.start('the picture is dark\na person\na unicorn');
    expect((await desk.read(session)).analysis).toMatchObject({ state: 'waiting', analysed_s: 0, sampling: 'full' });
    const keep = await record(session, 0, 1);
    expect(inShort((await desk.read(session)).events)).toEqual(['a person, 0 to 2 and on']);
    await record(session, 1, PIECES, keep);
    const { events, analysis } = await over(session);

    expect(inShort(events)).toEqual(['a person, 0 to 16', DARK]);
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
    if (picture.status !== 200) throw new Error(await picture.text());
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    expect((await picture.bytes()).subarray(0, 2)).toEqual(Uint8Array.of(0xff, 0xd8));
    expect((await fetch(here.replace('-0.jpg', '-9.jpg'))).status).toBe(404);
    expect((await fetch(`${here}x`)).status).toBe(403);
  });

  test('comes on a stream that resumes, and ends with the session', async () => {
    const session = await desk.start('the picture is dark');
    const url = `${desk.api.base}/api/live/session/${session.session_id}/events`;
    const headers = { 'x-api-key': desk.key };
    await record(session, 2, 3);
    const reading = fetch(url, { headers });
    const text = await (await reading).body!.pipeThrough(new TextDecoderStream());
    const reader = text.getReader();
    let seen = '';
    const told = async (kind: string) => {
      while (!seen.includes(`event: ${kind}\n`)) seen += (await reader.read()).value ?? '';
    };
    await told('progress');
    const { database, events } = desk.library;
    await over(session);
    await database.transaction((trx) => events.append(trx, session.session_id, 'done', { status: 'FINISHED' }));
    await told('done');
    expect((await reader.read()).done).toBe(true);
    const again = await (await fetch(`${url}?last_id=1`, { headers })).text();
    expect(again).not.toContain('id: 1\n');
    expect(again).toContain('event: done');
    expect((await fetch(`${url}?last_id=x`, { headers })).status).toBe(400);
  });

  test('changes while it goes on: what is new is looked for from then on, what was told is not told again', async () => {
    const session = await desk.start(null);
    const ask = (json: object) =>
      desk.api.call('POST', `/api/live/session/${session.session_id}/query`, { key: desk.key, json });
    const keep = await desk.recorder(session);
    await keep(0);
    expect((await desk.read(session)).analysis).toBeNull();
    expect((await ask({ rapid_review_query: 'a person' })).json).toMatchObject({ searches: ['person'] });
    await record(session, 1, 2, keep);
    const added = await ask({ rapid_review_query: 'scene changes', mode: 'add' });
    expect(added.json).toMatchObject({ rapid_review_query: 'a person\nscene changes' });
    await record(session, 2, 4, keep);
    expect(inShort((await desk.read(session)).events)).toEqual([
      'a person, 2 to 4 and on',
      'cut to another shot, 4 to 4',
    ]);
    await ask({ rapid_review_query: 'the picture is dark' });
    const { status, json } = await ask({ rapid_review_query: 'x'.repeat(9_995), mode: 'add' });
    expect([status, json.error]).toEqual([400, 'live_query_too_long']);
    await record(session, 4, PIECES, keep);
    const { events } = await over(session);
    expect(inShort(events)).toEqual([expect.stringContaining('a person'), 'cut to another shot, 4 to 4', DARK]);
    expect(events.every(({ ongoing }) => ongoing === false)).toBe(true);
  });

  test('is not followed over a break', async () => {
    const session = await desk.start('a person');
    const keep = await record(session, 0, 2);
    await keep(2, { breaks: true });
    await analysed(session, 5.9);
    expect(inShort((await over(session)).events)).toEqual(['a person, 0 to 4', 'a person, 4 to 6']);
  });

  test('a segment that cannot be decoded is left out, and said so', async () => {
    const session = await desk.start('a person');
    const keep = await record(session, 0, 1);
    const whole = desk.pieces[1]!.data;
    desk.pieces[1]!.data = Buffer.alloc(whole.length, 7);
    await keep(1);
    desk.pieces[1]!.data = whole;
    await record(session, 2, 3, keep);
    const { events, analysis } = await over(session);
    expect(inShort(events)).toEqual(['a person, 0 to 2', 'a person, 4 to 6']);
    expect(analysis).toMatchObject({ skipped_s: PIECE_S });
  });
});

describe('a worker', { timeout: 60_000 }, () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(() => desk?.close());

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

  test('that froze in the middle is followed by another: nothing twice, nothing lost', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    let pieces = 0;
    const frozen = Promise.withResolvers<void>();
    const first = desk.createRoom(
      engineThat(async () => {
        if (++pieces < 5) return;
        frozen.resolve();
        await gate;
      }),
    );
    await first.work();
    const session = await desk.start('the picture is dark\na person');
    const keep = await desk.recorder(session);
    for (let i = 0; i < PIECES - 3; i++) {
      await keep(i);
      await desk.until(
        () => desk.read(session),
        ({ analysis }) => analysis.analysed_s >= Math.min(4, i + 1) * PIECE_S - 0.1,
      );
    }
    await frozen.promise;
    // As if it had not been heard of for as long as a lease lasts.
    const { db } = desk.library.database;
    await db
      .updateTable('live_analyses')
      .set({ lease_until: new Date(0) })
      .execute();
    const second = desk.createRoom();
    await second.work();
    await desk.until(
      () => desk.read(session),
      ({ analysis }) => analysis.analysed_s >= (PIECES - 3) * PIECE_S - 0.1,
    );
    open();
    for (let i = PIECES - 3; i < PIECES; i++) await keep(i);
    await second.analysis.drain(session.session_id, NEVER);
    const { events } = await desk.read(session);
    expect(events.map(({ label }) => label)).toEqual(['a person', 'the picture is dark']);
    expect(Math.round(Number(events[0]!.end_s))).toBe(SCENE.durationS);
    await Promise.all([first.close(), second.close()]);
  });

  test('that cannot keep up looks less closely, then leaves out, says so, and stays with what happens now', async () => {
    let everyS: (number | null)[] = [];
    const slow: LiveTestEngine = {
      ...desk.engine,
      live: {
        ...desk.engine.live,
        async observe(path, options) {
          everyS.push(options.everyS);
          await new Promise((resolve) => setTimeout(resolve, 1_500));
          return { ...(await desk.engine.live.observe(path, options)), lead: { frames: [], lookedS: null } as Lead };
        },
      },
    };
    const room = desk.createRoom(slow);
    await room.work();
    const session = await desk.start('a person');
    const keep = await desk.recorder(session);
    // Four times as fast as it happens.
    for (let i = 0; i < 16; i++) {
      await keep(i);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    await room.analysis.drain(session.session_id, NEVER);
    const { analysis } = await desk.read(session);
    expect(everyS.slice(0, 1)).toEqual([0.2]);
    expect(everyS).toContain(0.5);
    expect(analysis.sampling).not.toBe('full');
    expect(Number(analysis.skipped_s)).toBeGreaterThan(0);
    expect(analysis).toMatchObject({ state: 'ended', analysed_s: 32 });
    everyS = [];
    await room.close();
  });
});
