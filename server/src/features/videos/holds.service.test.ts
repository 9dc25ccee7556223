// Legal holds: all ways in which videos are deleted or erased, who sets and releases holds, and the record of erasures.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { newId } from '#platform/ids';
import { hold as holdRow } from './deletion/store.ts';
import { sidecarKey } from './files.ts';
import { eraseVideo } from './jobs.ts';
import {
  add,
  admin,
  age,
  call,
  change,
  colleague,
  folderOf,
  found,
  hasFile,
  library,
  me,
  results,
  row,
  stranger,
  useLibrary,
} from './library.fixture.ts';

useLibrary();

const hold = (ids: string[], reason = 'Claim 4711', who = admin) =>
  call('POST', '/api/videos/hold', { video_ids: ids, reason }, who);
const release = (ids: string[], who = admin) => call('POST', '/api/videos/release', { video_ids: ids }, who);
const outcomes = async (answer: ReturnType<typeof call>) => results((await answer).json);
const videoOf = async (id: string, deleted = false) => {
  const { json } = await call('GET', `/api/videos?limit=1000${deleted ? '&deleted=true' : ''}`, undefined, admin);
  return (json.videos as Record<string, unknown>[]).find(({ video_id }) => video_id === id);
};
const auditOf = async (id: string, action: string) => {
  const { json } = await call('GET', `/api/audit-events?subject_id=${id}&action=${action}`, undefined, admin);
  return json.events as { user_id: string | null; detail: Record<string, unknown> }[];
};
/** Runs the erasures that are scheduled for a video, and waits until they have ended. */
async function runErasures(id: string): Promise<void> {
  const { db } = library.database;
  const of = sql`name = 'videos.erase' and data->>'videoId' = ${id} and state < 'completed'`;
  await vi.waitFor(
    async () => {
      // The job that deletes the videos of a folder schedules erasures meanwhile.
      await sql`update pgboss.job set start_after = now() where ${of} and start_after > now()`.execute(db);
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from pgboss.job where ${of}`.execute(db);
      expect(rows[0]!.n).toBe(0);
    },
    { timeout: 30_000 },
  );
}
/** Sends a further erasure, and returns once it runs. */
async function startErasure(id: string): Promise<void> {
  const { jobs, database } = library;
  await sql`delete from pgboss.job where name = 'videos.erase' and data->>'videoId' = ${id}`.execute(database.db);
  await database.transaction(async (trx) => void (await jobs.send(trx, eraseVideo, { videoId: id })));
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ state: string }>`
        select state from pgboss.job where name = 'videos.erase' and data->>'videoId' = ${id}`.execute(database.db);
      expect(rows.some(({ state }) => /active|completed/.test(state))).toBe(true);
    },
    { timeout: 30_000 },
  );
}
async function sendErasure(id: string): Promise<void> {
  await startErasure(id);
  await runErasures(id);
}
/** Long enough for a statement on a busy machine. */
const SOON_MS = 2_000;
const endPeriodSoon = (id: string) =>
  library.database.db
    .updateTable('videos')
    .set({ eraseAfter: sql<Date>`clock_timestamp() + make_interval(secs => ${SOON_MS / 1000}::float8)` })
    .where('id', '=', id)
    .execute();
/** Ends the restore period of a deleted video, so long ago that its erasure is overdue. */
const endPeriod = (id: string) =>
  library.database.db
    .updateTable('videos')
    .set({ eraseAfter: sql<Date>`now() - interval '7 hours'` })
    .where('id', '=', id)
    .execute();
const addCamera = async (retention: object) => {
  const camera = { name: 'Gate', source_url: 'rtsp://camera.example/ch1', enabled: false, retention };
  return String((await call('POST', '/api/cameras', camera)).json.camera_id);
};

type Place = { folderId: string; cameraId: string };
type Path = {
  name: string;
  /** Deletes the video, or tries to. */
  attempt(id: string, place: Place): Promise<unknown>;
  /** The refusal of a request; undefined for what the service does on its own. */
  refused?: { status: number; error: string } | string;
  /** True: it erases videos that were deleted before. */
  inTrash?: boolean;
};
const HELD = { status: 409, error: 'video_held' };
const answerOf = async (answer: ReturnType<typeof call>) => {
  const { status, json } = await answer;
  return { status, error: json.error };
};
const oneOf = async (answer: ReturnType<typeof call>) => results((await answer).json)[0]![1];

const PATHS: Path[] = [
  { name: 'its owner', attempt: (id) => answerOf(call('DELETE', `/api/video/${id}`)), refused: HELD },
  {
    name: 'its owner, at once',
    attempt: (id) => answerOf(call('DELETE', `/api/video/${id}?erase=true`)),
    refused: HELD,
  },
  {
    name: 'an administrator',
    attempt: (id) => answerOf(call('DELETE', `/api/video/${id}?erase=true`, undefined, admin)),
    refused: HELD,
  },
  {
    name: 'a list',
    attempt: (id) => oneOf(call('POST', '/api/videos/delete', { video_ids: [id], erase: true })),
    refused: 'video_held',
  },
  {
    name: 'the deletion of its folder',
    attempt: (_, { folderId }) => answerOf(call('DELETE', `/api/folders/${folderId}?videos=delete`)),
    refused: HELD,
  },
  {
    name: 'the retention of its folder',
    async attempt(id, { folderId }) {
      await call('PATCH', `/api/folders/${folderId}`, { retention_days: 1 });
      await age(id, 9);
      await library.videos.cleanUp();
    },
  },
  {
    name: 'the retention of its camera, by age',
    async attempt(id, { cameraId }) {
      await call('PATCH', `/api/cameras/${cameraId}`, { retention: { days: 1 } });
      await age(id, 9);
      await library.cameras.removeExpired();
    },
  },
  {
    name: 'the retention of its camera, by size',
    async attempt(_, { cameraId }) {
      await call('PATCH', `/api/cameras/${cameraId}`, { retention: { bytes: 1 } });
      await library.cameras.removeExpired();
    },
  },
  {
    name: 'the retention of its stream',
    attempt: async (id) =>
      (await library.videos.removeMany(me.caller, [id], { rule: 'stream_retention' }))[0]!.problem?.code,
    refused: 'video_held',
  },
  {
    name: 'an erasure that is due',
    inTrash: true,
    attempt: (id) => runErasures(id),
  },
  {
    name: 'an erasure that was lost',
    inTrash: true,
    async attempt(id) {
      await library.videos.cleanUp();
      await sendErasure(id);
    },
  },
  {
    name: 'an early end of its restore period',
    inTrash: true,
    attempt: (id) => oneOf(call('POST', '/api/videos/delete', { video_ids: [id], erase: true })),
    refused: 'video_held',
  },
];
/** Statements that no code runs; the database refuses them. */
const STATEMENTS: [string, (id: string) => ReturnType<typeof sql>][] = [
  ['a deletion of its row', (id) => sql`delete from videos where id = ${id}`],
  ['a mark as deleted', (id) => sql`update videos set deleted_at = now(), erase_after = now() where id = ${id}`],
];

/** A recording of a camera in a folder. */
async function place(): Promise<Place & { id: string }> {
  const [folderId, cameraId] = [await folderOf(`Evidence ${newId()}`), await addCamera({ days: 365 })];
  return { id: await add(me, { folderId, cameraId, source: 'live' }), folderId, cameraId };
}

describe('a video on hold', () => {
  test.each(PATHS)('is not deleted by $name, and is after its release', async ({ attempt, refused, inTrash }) => {
    const { id, ...where } = await place();
    if (inTrash) await call('DELETE', `/api/video/${id}`);
    expect(await outcomes(hold([id]))).toEqual([[id, true]]);
    expect(await attempt(id, where)).toEqual(refused);
    expect(await hasFile(id)).toBe(true);
    const held = { reason: 'Claim 4711', by: admin.caller.userId, since: expect.stringMatching(/Z$/) };
    expect(await videoOf(id, inTrash)).toMatchObject({ video_id: id, hold: held });

    // The same deletes it without the hold: the path is the right one.
    expect(await outcomes(release([id]))).toEqual([[id, true]]);
    if (inTrash && !refused) await endPeriod(id);
    await attempt(id, where);
    expect(await videoOf(id)).toBeUndefined();
    await runErasures(id);
    if (!inTrash) return;
    expect(await row(id)).toBeUndefined();
    // A job deletes the file that other videos could refer to.
    await vi.waitFor(async () => expect(await hasFile(id)).toBe(false), { timeout: 30_000 });
  });

  test.each(STATEMENTS)('is protected by the database from %s', async (_, statement) => {
    const { id } = await place();
    await hold([id]);
    await expect(statement(id).execute(library.database.db)).rejects.toThrow(/legal hold|videos_held_check/);
    expect(await videoOf(id)).toMatchObject({ video_id: id });
  });

  test('does not keep others of its folder and camera', async () => {
    const { id, folderId, cameraId } = await place();
    const other = await add(me, { folderId, cameraId, source: 'live' });
    await hold([id]);
    await call('PATCH', `/api/folders/${folderId}`, { retention_days: 1 });
    for (const each of [id, other]) await age(each, 9);
    await library.videos.cleanUp();
    expect([await library.videos.find(other), await hasFile(id)]).toEqual([null, true]);
    expect(await library.videos.find(id)).toMatchObject({ folderId });
    // The folder goes, without its video.
    expect((await call('DELETE', `/api/folders/${folderId}?videos=move_to_root`)).status).toBe(200);
    expect((await call('DELETE', `/api/cameras/${cameraId}`)).status).toBe(200);
    expect(await library.videos.find(id)).toMatchObject({ folderId: null });
  });

  test('in the trash has no end, can be restored, and has a whole period after its release', async () => {
    const id = await add();
    await call('DELETE', `/api/video/${id}`);
    await hold([id]);
    expect(await videoOf(id, true)).toMatchObject({ restorable_until: '9999-12-31T00:00:00.000Z' });
    expect((await call('POST', `/api/video/${id}/restore`)).json).toMatchObject({
      restorable_until: null,
      hold: { reason: 'Claim 4711' },
    });
    expect(await answerOf(call('DELETE', `/api/video/${id}`))).toEqual(HELD);
    await release([id]);
    await call('DELETE', `/api/video/${id}`);
    await hold([id]);
    await release([id]);
    const { restorable_until } = (await videoOf(id, true))!;
    const left = Date.parse(String(restorable_until)) - Date.now();
    expect(left).toBeGreaterThan(3_500_000);
    expect(left).toBeLessThan(3_600_001);
  });

  test('is not erased by a job that runs while it is put on hold', async () => {
    const id = await add();
    // Files that no other video may refer to go first.
    await library.storage.write(sidecarKey(id), Buffer.from('time_s,speed_kmh'));
    await call('DELETE', `/api/video/${id}`);
    await endPeriodSoon(id);
    await library.database.transaction(async (trx) => {
      expect(await holdRow(trx, id, { by: admin.caller.userId, reason: 'Claim' })).toBe(true);
      await sleep(SOON_MS);
      await library.database.outsideUnit(() => startErasure(id));
      // A job that does not wait for this transaction has ended by then.
      await sleep(1_000);
    });
    await runErasures(id);
    expect([await hasFile(id), (await row(id))?.holdReason]).toEqual([true, 'Claim']);
    expect(await library.storage.stat(sidecarKey(id))).not.toBeNull();
  });

  test('is refused in a transaction that started before the erasure did', async () => {
    const id = await add();
    await call('DELETE', `/api/video/${id}`);
    await endPeriodSoon(id);
    await library.database.transaction(async (trx) => {
      await sql`select now()`.execute(trx);
      await sleep(SOON_MS);
      expect(await holdRow(trx, id, { by: admin.caller.userId, reason: 'Claim' })).toBe(false);
    });
  });
});

describe('a hold', () => {
  test('is set and released by administrators, with entries in the audit log', async () => {
    const [mine, shared] = [await add(me, { name: 'gate.mp4' }), await add(me, { scope: 'org' })];
    for (const who of [me, colleague]) {
      expect(await answerOf(hold([mine, shared], 'Claim', who))).toMatchObject({ error: 'scope_missing' });
      expect(await answerOf(release([mine], who))).toMatchObject({ error: 'scope_missing' });
    }
    expect(await outcomes(hold([mine, shared], '  Claim 1 '))).toEqual([
      [mine, true],
      [shared, true],
    ]);
    await hold([mine], 'Claim 2');
    expect((await call('GET', `/api/video/${mine}/status`)).json).toMatchObject({ hold: { reason: 'Claim 2' } });
    expect((await call('GET', `/api/video/${shared}/status`, undefined, colleague)).json).toMatchObject({
      hold: { reason: 'Claim 1', by: admin.caller.userId },
    });
    expect(await found('?held=true')).toEqual(expect.arrayContaining([mine, shared]));
    expect(await found('?held=false')).not.toEqual(expect.arrayContaining([mine]));
    await release([mine, shared]);
    expect(await outcomes(release([mine]))).toEqual([[mine, 'video_not_held']]);
    expect((await call('GET', `/api/video/${mine}/status`)).json).toMatchObject({ hold: null });
    const who = { user_id: admin.caller.userId };
    expect(await auditOf(mine, 'video.held')).toMatchObject([
      { ...who, detail: { video_name: 'gate.mp4', reason: 'Claim 2' } },
      { ...who, detail: { reason: '  Claim 1 ' } },
    ]);
    expect(await auditOf(mine, 'video.released')).toMatchObject([who]);
  });

  test('is refused for what cannot be held', async () => {
    const foreign = await library.keyOf(await library.addUser(), ['admin']);
    const [pending, erased, theirs] = [await library.add(me.caller), await add(), await add(stranger)];
    await call('DELETE', `/api/video/${erased}?erase=true`);
    expect(await outcomes(hold([pending, erased, theirs, newId()]))).toEqual([
      [pending, 'video_not_uploaded'],
      [erased, 'video_not_found'],
      [theirs, 'video_forbidden'],
      [expect.anything(), 'video_not_found'],
    ]);
    const id = await add();
    expect(await outcomes(hold([id], 'Claim', foreign))).toEqual([[id, 'video_forbidden']]);
    expect(await outcomes(hold([id], '   '))).toEqual([[id, 'hold_reason_invalid']]);
    expect((await hold([id], 'x'.repeat(501))).status).toBe(400);
    expect((await row(id))?.heldAt).toBeNull();
  });

  test('does not prevent other changes', async () => {
    const id = await add();
    await hold([id]);
    expect((await change(id, { name: 'renamed.mp4' })).json).toMatchObject({ hold: { reason: 'Claim 4711' } });
  });
});

describe('the record of an erasure', () => {
  const erasedBy = async (id: string) => {
    await runErasures(id);
    await vi.waitFor(async () => expect(await auditOf(id, 'video.erased')).toHaveLength(1), { timeout: 30_000 });
    return (await auditOf(id, 'video.erased'))[0]!;
  };
  test('states the user, the reason, and facts without the name', async () => {
    const id = await add(me, { name: 'secret name.mp4' });
    const recorded_at = '2026-11-20T21:04:10.000Z';
    await change(id, { recorded_at });
    const body = { video_ids: [id], erase: true, reason: 'Request 17' };
    expect(await oneOf(call('POST', '/api/videos/delete', body))).toBe(true);
    const entry = await erasedBy(id);
    expect(entry).toMatchObject({
      user_id: me.caller.userId,
      detail: { reason: 'Request 17', recorded_at, size_bytes: 1000, duration_s: expect.any(Number) },
    });
    expect(Object.keys(entry.detail).sort()).toEqual([
      'deleted_at',
      'duration_s',
      'reason',
      'recorded_at',
      'recorded_until',
      'size_bytes',
      'uploaded_at',
    ]);
    expect(JSON.stringify(entry)).not.toContain('secret name');
    expect(await auditOf(id, 'video.deleted')).toMatchObject([{ detail: { erase: true, reason: 'Request 17' } }]);
  });

  test.each(['folder_deleted', 'folder_retention', 'camera_retention'])('states the rule %s', async (rule) => {
    const { id, folderId, cameraId } = await place();
    if (rule === 'folder_deleted') await call('DELETE', `/api/folders/${folderId}?videos=delete`);
    await age(id, 9);
    if (rule === 'folder_retention') await call('PATCH', `/api/folders/${folderId}`, { retention_days: 1 });
    if (rule === 'camera_retention') await call('PATCH', `/api/cameras/${cameraId}`, { retention: { days: 1 } });
    await library.videos.cleanUp();
    await library.cameras.removeExpired();
    await endPeriod(id);
    await sendErasure(id);
    expect(await erasedBy(id)).toMatchObject({ user_id: null, detail: { rule, camera_id: cameraId } });
  });

  test('is that of the last deletion of a restored video', async () => {
    const id = await add();
    await call('DELETE', `/api/video/${id}?reason=First`);
    await call('POST', `/api/video/${id}/restore`);
    await call('DELETE', `/api/video/${id}`, undefined, admin);
    // The trash is emptied early.
    expect((await call('DELETE', `/api/video/${id}?erase=true&reason=Now`)).json).toMatchObject({
      status: 'deleted',
      restorable_until: null,
    });
    expect(await erasedBy(id)).toMatchObject({ user_id: me.caller.userId, detail: { reason: 'Now' } });
    await vi.waitFor(async () => expect(await hasFile(id)).toBe(false), { timeout: 30_000 });
    expect(await answerOf(call('DELETE', `/api/video/${id}?erase=true`))).toMatchObject({ status: 404 });
  });
});
