import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { setQuota } from '#features/videos/index';
import { newId } from '#platform/ids';
import type { Media } from '#platform/media/index';
import { mediaProblem } from '#platform/media/index';
import { createSealer } from '#platform/secrets/index';
import { PROBE, SECRET } from '#test/library';
import { openStudio, rowsOf, type Studio } from '../live.fixture.ts';
import { problems } from '../problems.ts';
import { countActiveSessions } from '../store.ts';
import { createRecorder, SOURCE_TIMEOUTS } from './recorder.ts';

type Capture = Media['capture'];
const SEGMENT_S = 2;
const SIZE = 1_000;

/**
 * A camera by what it does each time that it is connected to; it gives `segments`, of pictures that are described so,
 * and then breaks off.
 */
type Turn = { segments: number; pictures?: string; during?: () => Promise<unknown>; breaks?: unknown };

/** The recorder with simulated captures. Nothing is decoded here. */
describe('a worker that follows a session', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio({}, { worker: false });
  });
  afterAll(() => studio?.close());

  function createWorker(
    turns: Turn[],
    more: { maxSeconds?: number; secret?: string; probe?: () => Promise<never>; drain?: () => Promise<void> } = {},
  ) {
    const { maxSeconds = 86_400, secret = SECRET } = more;
    const connected: number[] = [];
    const capture: Capture = async ({ startS, previous: before }, { onSegment, stop, signal }) => {
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
        // As the notification from the database does.
        recorder.checkLease(null);
        await once(stop, 'abort');
      }
      if (breaks && !stop.aborted) throw breaks;
    };
    const probe = more.probe ?? (async () => PROBE);
    const recorder = createRecorder({
      ...studio.library,
      pushed: studio.library.publishing.sources,
      // Their segments have no frame.
      media: { capture, probe, run: async () => new Uint8Array() as never },
      sealer: createSealer(secret),
      maxSeconds,
      windowS: 120,
      undecidedBytes: Number.POSITIVE_INFINITY,
      drain: more.drain ?? (async () => {}),
      answers: { lock: async () => {}, store: async () => {} },
      timeouts: { ...SOURCE_TIMEOUTS, firstFrameS: 0.5, reconnectForS: 2, minRetryS: 0.02 },
    });
    return { connected, record: recorder.record };
  }

  /** Starts a session and records it until the recorder leaves it. */
  async function recordSession(...[turns, more]: Parameters<typeof createWorker>) {
    const session = await studio.start('srt://127.0.0.1:9000');
    const { connected, record } = createWorker(turns, more);
    const signal = new AbortController().signal;
    await record({ sessionId: session.session_id }, { jobId: newId(), signal });
    return { ...(await studio.read(session)), session, connected };
  }
  const filesOf = async (sessionId: string) =>
    (await Array.fromAsync(studio.library.storage.list(`live/${sessionId}/`))).length;
  const videoOf = (id: string) => studio.library.videos.find(id);
  /** Seconds until the next attempt at a recording, in tens. */
  async function waitS(sessionId: string): Promise<number> {
    const row = await studio.library.database.db
      .selectFrom('liveSessions')
      .select('leaseUntil')
      .where('id', '=', sessionId)
      .executeTakeFirst();
    return Math.round((row!.leaseUntil.getTime() - Date.now()) / 10_000) * 10;
  }
  const page = mediaProblem.media_unreadable('This is a web page.');

  test('ends it before its maximum duration, even if the camera continues', async () => {
    const { session, ...done } = await recordSession([{ segments: 1_000 }], { maxSeconds: 20 });
    expect(done).toMatchObject({ status: 'FINISHED', error: 'live_too_long', duration_s: 18, connected: [0] });
    expect(await videoOf(session.video_id)).toMatchObject({ status: 'UPLOADED' });
  });

  test('waits for the analysis where only events are recorded, and discards nothing before it has ended', async () => {
    const session = await studio.start('srt://127.0.0.1:9000', {
      recording: 'events',
      rapid_review_query: 'a loud noise',
    });
    const { db } = studio.library.database;
    const record = async () => {
      await db
        .updateTable('liveSessions')
        .set({ leaseUntil: new Date(0) })
        .where('id', '=', session.session_id)
        .execute();
      const context = { jobId: newId(), signal: new AbortController().signal };
      // After failures.
      const job = { sessionId: session.session_id, tries: 3 };
      await createWorker([{ segments: 9 }], { maxSeconds: 10 }).record(job, context);
      return studio.read(session);
    };
    const waits = await record();
    // The recording should come soon after the analysis, so the wait does not grow with the failures.
    expect(await waitS(session.session_id)).toBe(10);
    expect(waits).toMatchObject({ status: 'ENDING', discarded_s: 0, retained_s: 0 });
    expect(await filesOf(session.session_id)).toBe(waits.chunk_count);
    const nextSequence = waits.chunk_count;
    await db
      .updateTable('liveAnalyses')
      .set({ endedAt: new Date(), nextSequence })
      .where('sessionId', '=', session.session_id)
      .execute();
    // The reason of its end is not that it waited.
    expect(await record()).toMatchObject({ status: 'FINISHED', error: 'live_too_long', discarded_s: waits.duration_s });
    expect(await filesOf(session.session_id)).toBe(0);
  });

  test('ends without a recording if nothing was retained, also after an interruption', async () => {
    const session = await studio.start('srt://127.0.0.1:9000', {
      recording: 'events',
      rapid_review_query: 'a loud noise',
    });
    const interruption = new AbortController();
    const closing = { kind: 'closing' };
    let drains = 0;
    const drain = async () => {
      if (++drains === 1) {
        await studio.library.database.db
          .updateTable('liveAnalyses')
          .set({ endedAt: new Date(), nextSequence: 1_000 })
          .where('sessionId', '=', session.session_id)
          .execute();
        return;
      }
      // The video is already discarded, and the session has not ended.
      interruption.abort(closing);
      throw closing;
    };
    const during = () => studio.end(session);
    const job = { sessionId: session.session_id };
    const first = createWorker([{ segments: 3, during }], { drain });
    await expect(first.record(job, { jobId: newId(), signal: interruption.signal })).rejects.toBe(closing);
    expect(await videoOf(session.video_id)).toBeNull();
    await createWorker([]).record(job, { jobId: newId(), signal: new AbortController().signal });
    const done = await studio.read(session);
    expect(done).toMatchObject({ status: 'FINISHED', error: null, retained_s: 0, discarded_s: done.duration_s });
  });

  test('keeps a recording that cannot be read, reports it, and retries with growing pauses', async () => {
    let fails = true;
    const probe = async () => {
      if (fails) throw mediaProblem.media_crashed();
      return PROBE as never;
    };
    const worker = { maxSeconds: 10, probe };
    const { session, ...waits } = await recordSession([{ segments: 9 }], worker);
    expect(waits).toMatchObject({ status: 'ENDING', error: 'media_crashed' });
    expect(await filesOf(session.session_id)).toBe(waits.chunk_count);
    const { db } = studio.library.database;
    expect(await waitS(session.session_id)).toBe(10);
    const again = async (tries: number) => {
      await db
        .updateTable('liveSessions')
        .set({ leaseUntil: new Date(0) })
        .where('id', '=', session.session_id)
        .execute();
      const context = { jobId: newId(), signal: new AbortController().signal };
      await createWorker([], worker).record({ sessionId: session.session_id, tries }, context);
    };
    await again(3);
    expect(await waitS(session.session_id)).toBe(80);
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
    const { session, ...done } = await recordSession([{ segments: 2 }], { maxSeconds: 4, probe });
    expect(done).toMatchObject({ status: 'FINISHED' });
    expect(await videoOf(session.video_id)).toMatchObject({
      status: 'UPLOADING_FAILED',
      problem: { code: 'media_damaged' },
    });
  });

  test.each([page, problems.live_source_invalid(), mediaProblem.media_no_video()])(
    'continues after a bad response during the session ($code), which ends one that never started',
    async (breaks) => {
      const turns = [{ segments: 2, breaks }, { segments: 0, breaks }, { segments: 0, breaks }, { segments: 9 }];
      const { connected, ...done } = await recordSession(turns, { maxSeconds: 10 });
      expect(done).toMatchObject({ status: 'FINISHED', error: 'live_too_long', chunk_count: 5 });
      expect(connected).toEqual([0, 4, 4, 4]);
      const never = await recordSession([{ segments: 0, breaks }]);
      expect(never).toMatchObject({ status: 'FAILED', error: breaks.code, connected: [0] });
      const lost = await recordSession([
        { segments: 2, breaks },
        { segments: 0, breaks },
      ]);
      expect(lost).toMatchObject({ status: 'FINISHED', error: 'live_source_lost', chunk_count: 2 });
    },
  );

  test('ends it when the key to its address is lost', async () => {
    const done = await recordSession([{ segments: 1 }], { secret: 'another root secret that is long enough' });
    expect(done).toMatchObject({ status: 'FAILED', error: 'secret_key_lost', connected: [] });
  });

  test('finalizes each recording that fits on the disk, reports why others wait, and does not count those as active', async () => {
    const { db } = studio.library.database;
    const { videos, bytes } = await studio.library.videos.getQuota(studio.caller.orgId);
    await setQuota(db, studio.caller.orgId, { maxVideos: videos + 2, maxBytes: bytes + 2 ** 27 });
    onTestFinished(async () => {
      await setQuota(db, studio.caller.orgId, { maxVideos: null, maxBytes: null });
    });
    const held: number[] = [];
    const probe = async () => {
      const arriving = db.selectFrom('videos').select('reservedBytes').where('status', '=', 'PREPARE_IN_PROGRESS');
      held.push((await arriving.where('source', '=', 'live').orderBy('id', 'desc').execute())[0]!.reservedBytes);
      return PROBE as never;
    };
    const turns = ['one', 'two', 'three'].map((pictures) => ({ segments: 2, pictures }));
    const { session, ...waits } = await recordSession(turns, { maxSeconds: 12, probe });
    // Nobody else takes the room of the second while the first is made.
    expect(held.map((bytes) => bytes > 2 * SIZE)).toEqual([true, true]);
    expect(await studio.library.database.transaction((trx) => countActiveSessions(trx, studio.caller.orgId))).toBe(0);
    expect(waits).toMatchObject({
      status: 'ENDING',
      error: 'quota_exceeded',
      message: expect.stringMatching(/videos.*Delete some/),
    });
    const [first, second, ...rest] = await Promise.all(waits.video_ids.map(videoOf));
    expect([first!.status, second!.status, rest]).toEqual(['UPLOADED', 'UPLOADED', []]);
    expect(await filesOf(session.session_id)).toBe(waits.chunk_count);
  });

  test('ends it when its recording is deleted, keeps nothing of it, and says why', async () => {
    const { library, caller } = studio;
    const during = async () => {
      const { db } = library.database;
      const rows = await db
        .selectFrom('liveSessions')
        .selectAll()
        .where('status', '=', 'ACTIVE')
        .orderBy('id')
        .execute();
      await library.videos.remove(caller, rows.at(-1)!.videoId);
    };
    const { session, ...done } = await recordSession([
      { segments: 2, pictures: 'one' },
      { segments: 2, pictures: 'two', during },
    ]);
    const message = expect.stringMatching(/because its recording was deleted/);
    expect(done).toMatchObject({ status: 'FINISHED', error: 'live_gone', message, chunks: [] });
    expect(done.video_ids).toEqual([session.video_id]);
    expect(await rowsOf(library.database, session.session_id)).toEqual({ segments: 0, epochs: 0, gaps: 0 });
    expect(await filesOf(session.session_id)).toBe(0);
    expect((await fetch((await studio.playlist(session)).url)).status).toBe(404);
  });

  test('creates videos whose rows are deleted when they are erased', async () => {
    const { database, events } = studio.library;
    const turns = [{ segments: 2 }, { segments: 2, pictures: 'two', breaks: page }, { segments: 0, breaks: page }];
    const { session, video_ids } = await recordSession(turns);
    const { session_id } = session;
    expect(video_ids).toHaveLength(2);
    for (const chunk_index of [0, 3]) {
      const event = {
        sessionId: session_id,
        chunkIndex: chunk_index,
        position: chunk_index,
        id: newId(),
        streamS: 0,
        capturedAt: new Date(),
      };
      await database.db
        .insertInto('liveEvents')
        .values({ ...event, data: '{"label":"a person"}' })
        .execute();
      const gap = {
        sessionId: session_id,
        sequence: chunk_index,
        fromAt: new Date(),
        untilAt: new Date(),
        reason: 'It was dark.',
      };
      await database.db.insertInto('liveGaps').values(gap).execute();
    }
    const erased = (videoId: string) =>
      database.transaction((trx) => events.publish(trx, 'video.erased', { videoId, orgId: studio.caller.orgId }));
    const counts = async () => {
      const { chunks, events: found, gaps } = await studio.read(session);
      return [chunks, found, gaps].map((rows) => rows.map(({ chunk_index }) => chunk_index));
    };
    expect(await counts()).toEqual([
      [0, 1, 2, 3],
      [0, 3],
      [0, 3],
    ]);
    await erased(video_ids[1]!);
    expect(await counts()).toEqual([[0, 1], [0], [0]]);
    expect((await fetch((await studio.playlist(session)).url)).status).toBe(200);
    await erased(video_ids[0]!);
    expect(await counts()).toEqual([[], [], []]);
    expect((await fetch((await studio.playlist(session)).url)).status).toBe(404);
    expect(await rowsOf(database, session_id)).toEqual({ segments: 0, epochs: 0, gaps: 0 });
  });
});
