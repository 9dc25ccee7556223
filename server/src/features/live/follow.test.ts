import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeQuota } from '#features/videos/index';
import { newId } from '#platform/ids';
import type { Media } from '#platform/media/index';
import { mediaProblem } from '#platform/media/problems';
import { createGuardedFetch } from '#platform/net/index';
import { createSealer } from '#platform/secrets/index';
import { PROBE } from '#test/library';
import { createFollower, PATIENCE } from './follow.ts';
import { openStudio, rowsOf, SECRET, type Studio } from './live.fixture.ts';
import { problems } from './problems.ts';
import { countGoing } from './store.ts';

type Capture = Media['capture'];
const SEGMENT_S = 2;
const SIZE = 1_000;

/** A camera by what it does each time that it is connected to; it gives `segments`, of pictures that are described so, and then breaks off. */
type Turn = { segments: number; pictures?: string; during?: () => Promise<unknown>; breaks?: unknown };

/** What a worker makes of a session whatever its camera does. Nothing is decoded here. */
describe('a worker that follows a session', () => {
  let studio: Studio;
  const net = createGuardedFetch({ allowedNetworks: ['127.0.0.1/32'] });
  beforeAll(async () => {
    studio = await openStudio({ worker: false });
  }, 60_000);
  afterAll(async () => {
    await net.close();
    await studio?.close();
  });

  function workerOf(turns: Turn[], more: { maxSeconds?: number; secret?: string; probe?: () => Promise<never> } = {}) {
    const { maxSeconds = 86_400, secret = SECRET } = more;
    const connected: number[] = [];
    const capture: Capture = async ({ startS, before }, { onSegment, stop, signal }) => {
      const { segments, pictures = 'one', during, breaks } = turns[Math.min(connected.push(startS), turns.length) - 1]!;
      const init = Buffer.from(pictures);
      let epoch: object | null = before?.init.equals(init)
        ? null
        : { init, codecs: 'avc1', width: 2, height: 2, leadS: 0 };
      for (let i = 0; i < segments && !stop.aborted; i++) {
        signal.throwIfAborted();
        const times = { startS: startS + i * SEGMENT_S, durationS: SEGMENT_S, capturedMs: Date.now() };
        await onSegment({ ...times, epoch, data: Buffer.alloc(SIZE, pictures) } as never);
        epoch = null;
      }
      if (during) {
        await during();
        // As whoever hears of it in the database does.
        follower.wake(null);
        await once(stop, 'abort');
      }
      if (breaks && !stop.aborted) throw breaks;
    };
    const probe = more.probe ?? (async () => PROBE);
    const follower = createFollower({
      ...{ ...studio.library, media: { capture, probe }, net, sealer: createSealer(secret), maxSeconds },
      drain: async () => {},
      patience: { ...PATIENCE, missingS: 0.5, lostS: 0.5, pauseS: 0.02 },
    });
    return { connected, follow: follower.follow };
  }

  /** Starts a session and follows it until it is left alone. */
  async function followed(...[turns, more]: Parameters<typeof workerOf>) {
    const session = await studio.start('srt://127.0.0.1:9000');
    const { connected, follow } = workerOf(turns, more);
    const signal = new AbortController().signal;
    await follow({ sessionId: session.session_id }, { jobId: newId(), signal });
    return { ...(await studio.read(session)), session, connected };
  }
  const filesOf = async (sessionId: string) =>
    (await Array.fromAsync(studio.library.storage.list(`live/${sessionId}/`))).length;
  const videoOf = (id: string) => studio.library.videos.find(id);
  const page = mediaProblem.media_unreadable('This is a web page.');

  test('ends it before it is as long as it may be, though its camera goes on', async () => {
    const { session, ...done } = await followed([{ segments: 1_000 }], { maxSeconds: 20 });
    expect(done).toMatchObject({ status: 'FINISHED', error: 'live_too_long', duration_s: 18, connected: [0] });
    expect(await videoOf(session.video_id)).toMatchObject({ status: 'UPLOADED' });
  });

  test('keeps what was recorded when it cannot be read now, says so, and tries again ever more seldom', async () => {
    let fails = true;
    const probe = async () => {
      if (fails) throw mediaProblem.media_crashed();
      return PROBE as never;
    };
    const worker = { maxSeconds: 10, probe };
    const { session, ...waits } = await followed([{ segments: 9 }], worker);
    expect(waits).toMatchObject({ status: 'ENDING', error: 'media_crashed' });
    expect(await filesOf(session.session_id)).toBe(waits.chunk_count);
    const { db } = studio.library.database;
    const waitS = async () => {
      const row = await db
        .selectFrom('live_sessions')
        .select('lease_until')
        .where('id', '=', session.session_id)
        .executeTakeFirst();
      return Math.round((row!.lease_until.getTime() - Date.now()) / 10_000) * 10;
    };
    expect(await waitS()).toBe(10);
    const again = async (tries: number) => {
      await db
        .updateTable('live_sessions')
        .set({ lease_until: new Date(0) })
        .where('id', '=', session.session_id)
        .execute();
      const context = { jobId: newId(), signal: new AbortController().signal };
      await workerOf([], worker).follow({ sessionId: session.session_id, tries }, context);
    };
    await again(3);
    expect(await waitS()).toBe(80);
    fails = false;
    await again(4);
    expect(await studio.read(session)).toMatchObject({ status: 'FINISHED' });
    expect(await videoOf(session.video_id)).toMatchObject({ status: 'UPLOADED' });
    expect(await filesOf(session.session_id)).toBe(0);
  });

  test('gives up what has no pictures', async () => {
    const probe = async () => {
      throw mediaProblem.media_damaged();
    };
    const { session, ...done } = await followed([{ segments: 2 }], { maxSeconds: 4, probe });
    expect(done).toMatchObject({ status: 'FINISHED' });
    expect(await videoOf(session.video_id)).toMatchObject({
      status: 'UPLOADING_FAILED',
      problem: { code: 'media_damaged' },
    });
  });

  test.each([page, problems.live_source_invalid(), mediaProblem.media_no_video()])(
    'goes on after a bad answer in the middle ($code), which ends one that never began',
    async (breaks) => {
      const turns = [{ segments: 2, breaks }, { segments: 0, breaks }, { segments: 0, breaks }, { segments: 9 }];
      const { connected, ...done } = await followed(turns, { maxSeconds: 10 });
      expect(done).toMatchObject({ status: 'FINISHED', error: 'live_too_long', chunk_count: 5 });
      expect(connected).toEqual([0, 4, 4, 4]);
      const never = await followed([{ segments: 0, breaks }]);
      expect(never).toMatchObject({ status: 'FAILED', error: breaks.code, connected: [0] });
      const lost = await followed([
        { segments: 2, breaks },
        { segments: 0, breaks },
      ]);
      expect(lost).toMatchObject({ status: 'FINISHED', error: 'live_source_lost', chunk_count: 2 });
    },
  );

  test('ends it when the key to its address is lost', async () => {
    const done = await followed([{ segments: 1 }], { secret: 'another root secret that is long enough' });
    expect(done).toMatchObject({ status: 'FAILED', error: 'secret_key_lost', connected: [] });
  });

  test('makes each recording that there is room for, and says what is in the way of the others, which take no place of what goes on', async () => {
    const { db } = studio.library.database;
    const { videos, bytes } = await studio.library.videos.quota(studio.caller.orgId);
    await changeQuota(db, studio.caller.orgId, { maxVideos: videos + 2, maxBytes: bytes + 2 ** 27 });
    const held: number[] = [];
    const probe = async () => {
      const arriving = db.selectFrom('videos').select('reserved_bytes').where('status', '=', 'PREPARE_IN_PROGRESS');
      held.push((await arriving.where('source', '=', 'live').orderBy('id', 'desc').execute())[0]!.reserved_bytes);
      return PROBE as never;
    };
    const turns = ['one', 'two', 'three'].map((pictures) => ({ segments: 2, pictures }));
    const { session, ...waits } = await followed(turns, { maxSeconds: 12, probe });
    // Nobody else takes the room of the second while the first is made.
    expect(held.map((bytes) => bytes > 2 * SIZE)).toEqual([true, true]);
    expect(await studio.library.database.transaction((trx) => countGoing(trx, studio.caller.orgId))).toBe(0);
    expect(waits).toMatchObject({
      status: 'ENDING',
      error: 'quota_exceeded',
      message: expect.stringMatching(/videos.*delete some/),
    });
    const [first, second, ...rest] = await Promise.all(waits.video_ids.map(videoOf));
    expect([first!.status, second!.status, rest]).toEqual(['UPLOADED', 'UPLOADED', []]);
    expect(await filesOf(session.session_id)).toBe(waits.chunk_count);
    await changeQuota(db, studio.caller.orgId, { maxVideos: null, maxBytes: null });
  });

  test('ends it when its recording is deleted, keeps nothing of it, and says why', async () => {
    const { library, caller } = studio;
    const during = async () => {
      const { db } = library.database;
      const rows = await db.selectFrom('live_sessions').selectAll().where('status', '=', 'ACTIVE').execute();
      await library.videos.remove(caller, rows.at(-1)!.video_id);
    };
    const { session, ...done } = await followed([
      { segments: 2, pictures: 'one' },
      { segments: 2, pictures: 'two', during },
    ]);
    const message = expect.stringMatching(/deleted while it went on/);
    expect(done).toMatchObject({ status: 'FINISHED', error: 'live_gone', message, chunks: [] });
    expect(done.video_ids).toEqual([session.video_id]);
    expect(await rowsOf(library.database, session.session_id)).toEqual({ segments: 0, epochs: 0, gaps: 0 });
    expect(await filesOf(session.session_id)).toBe(0);
    expect((await fetch((await studio.playlist(session)).url)).status).toBe(404);
  });

  test('makes videos that take what is said of them along when they are erased', async () => {
    const { database, events } = studio.library;
    const turns = [{ segments: 2 }, { segments: 2, pictures: 'two', breaks: page }, { segments: 0, breaks: page }];
    const { session, video_ids } = await followed(turns);
    const { session_id } = session;
    expect(video_ids).toHaveLength(2);
    for (const chunk_index of [0, 3]) {
      const event = {
        ...{ session_id, chunk_index, position: chunk_index, id: newId() },
        stream_s: 0,
        captured_at: new Date(),
      };
      await database.db
        .insertInto('live_events')
        .values({ ...event, data: '{"label":"a person"}' })
        .execute();
      const gap = {
        session_id,
        sequence: chunk_index,
        from_at: new Date(),
        until_at: new Date(),
        reason: 'It was dark.',
      };
      await database.db.insertInto('live_gaps').values(gap).execute();
    }
    const erased = (videoId: string) =>
      database.transaction((trx) => events.publish(trx, 'video.erased', { videoId, orgId: studio.caller.orgId }));
    const told = async () => {
      const { chunks, events: found, gaps } = await studio.read(session);
      return [chunks, found, gaps].map((rows) => rows.map(({ chunk_index }) => chunk_index));
    };
    expect(await told()).toEqual([
      [0, 1, 2, 3],
      [0, 3],
      [0, 3],
    ]);
    await erased(video_ids[1]!);
    expect(await told()).toEqual([[0, 1], [0], [0]]);
    expect((await fetch((await studio.playlist(session)).url)).status).toBe(200);
    await erased(video_ids[0]!);
    expect(await told()).toEqual([[], [], []]);
    expect((await fetch((await studio.playlist(session)).url)).status).toBe(404);
    expect(await rowsOf(database, session_id)).toEqual({ segments: 0, epochs: 0, gaps: 0 });
  });
});
