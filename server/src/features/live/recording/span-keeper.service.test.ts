// Decisions about the segments of a session that nobody has analyzed yet, and the limit of what waits for that.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk, PIECE_S } from '../analysis/analysis.fixture.ts';
import { findSession } from '../store.ts';
import { createSpanKeeper } from './span-keeper.ts';

const COUNT = 40;

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk?.close());

test('nothing is deleted before it was analyzed, up to a limit, and what is deleted beyond it is stated', async () => {
  const { db } = desk.library.database;
  const json = { source_url: 'rtsp://camera.example/1', name: 'Gate', rapid_review_query: 'a loud noise' };
  const started = await desk.api.call('POST', '/api/live/start-session', {
    key: desk.key,
    json: { ...json, recording: 'events' },
  });
  const ids = started.json as { stream_id: string; session_id: string };
  const record = await desk.recorder(ids);
  for (let i = 0; i < COUNT; i++) await record(0);
  const session = (await findSession(db, ids.session_id))!;
  const { leaseHolder } = await db
    .selectFrom('liveSessions')
    .select('leaseHolder')
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  const lease = { sessionId: session.id, jobId: '', leaseHolder: leaseHolder! };
  const sweep = (undecidedBytes: number) =>
    createSpanKeeper({ ...desk.library, windowS: 10, undecidedBytes }).sweep(session, lease);
  expect(await sweep(Number.POSITIVE_INFINITY)).toBe(0);

  const each = session.bytes / COUNT;
  expect(await sweep(session.bytes - 10 * each)).toBe(10 * each);
  expect(await desk.read(ids)).toMatchObject({
    duration_s: COUNT * PIECE_S,
    discarded_s: 10 * PIECE_S,
    unanswered_s: 10 * PIECE_S,
    retained_s: 0,
    size_bytes: 30 * each,
  });
  const segments = await db
    .selectFrom('liveSegments')
    .select(['storageKey', 'decision'])
    .where('sessionId', '=', session.id)
    .orderBy('sequence')
    .execute();
  expect(segments.map(({ decision }) => decision)).toEqual([
    ...Array<string>(10).fill('discarded'),
    ...Array<null>(30).fill(null),
  ]);
  const files = await Promise.all(segments.map(({ storageKey }) => desk.library.storage.stat(storageKey)));
  expect(files.map((file) => file !== null)).toEqual(segments.map(({ decision }) => decision === null));
  // A worker that lost the session decides nothing.
  const other = createSpanKeeper({ ...desk.library, windowS: 10, undecidedBytes: 0 });
  await expect(other.sweep(session, { ...lease, leaseHolder: 'another' })).rejects.toThrow();

  // The analysis states that it could not read it.
  const worker = await desk.createWorker();
  try {
    await worker.sightline.live.analysis.work();
    const { analysis } = await desk.over(ids);
    expect(analysis).toMatchObject({ state: 'ended' });
    expect(analysis.skipped).toContainEqual(expect.objectContaining({ from_s: 0 }));
  } finally {
    await worker.close();
  }
});
