import { sql } from 'kysely';
import type { RecordingMode, SessionStatus } from '#features/live/index';
import { isReadable } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Person } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { EncryptedSecret } from '#platform/secrets/index';
import type { Schedule } from './schedule.ts';
import {
  type Camera,
  type CameraFault,
  type CameraSettings,
  type PastFault,
  RECENT_FAULTS,
  type Retention,
} from './types.ts';

/** A node that has not reported a publication for this long has failed, in seconds. */
export const PUBLISHER_LOST_S = 20;

const isFollowed = sql<boolean>`coalesce(session.status in ('INITIALIZING', 'ACTIVE'), false)`;

const hasFault = sql<boolean>`exists (
  select from camera_faults fault where fault.camera_id = cameras.id and fault.ended_at is null)`;

/** Bits per second of the newest segments, about a minute; null before the first one. */
const bitrate = sql<number | null>`(
  select 8 * sum(bytes)::float8 / nullif(sum(duration_s), 0) from (
    select bytes, duration_s from live_segments where session_id = cameras.session_id order by sequence desc limit 30
  ) newest)`.as('bitrate');

const LOST_S = "coalesce(sum(extract(epoch from until_at - greatest(from_at, now() - interval '1 day'))), 0)::float8";

/** A sum over the gaps of the sessions of a camera in the last 24 hours. */
const interruptions = (sum: string) => sql<number>`(
  select ${sql.raw(sum)} from live_sessions past join live_gaps gap on gap.session_id = past.id
  where past.camera_id = cameras.id and gap.until_at > now() - interval '1 day'
    and (past.ended_at is null or past.ended_at > now() - interval '1 day'))`;

const recentFaults = sql<(Pick<PastFault, 'kind' | 'message'> & { from: string; until: string | null })[]>`coalesce((
  select jsonb_agg(jsonb_build_object('kind', kind, 'message', message, 'from', started_at, 'until', ended_at)
    order by id desc)
  from (
    select * from camera_faults where camera_id = cameras.id order by id desc limit ${sql.lit(RECENT_FAULTS)}
  ) newest), '[]'::jsonb)`.as('recentFaults');

const selectCameras = (db: Queryable) =>
  db
    .selectFrom('cameras')
    .innerJoin('users', 'users.id', 'cameras.ownerId')
    .leftJoin('folders', 'folders.id', 'cameras.folderId')
    .leftJoin('liveSessions as session', 'session.id', 'cameras.sessionId')
    .leftJoin('cameraPublishers as publisher', 'publisher.cameraId', 'cameras.id')
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('liveSegments')
          .select(sql<Date>`captured_at + make_interval(secs => duration_s)`.as('lastFrameAt'))
          .whereRef('liveSegments.sessionId', '=', 'cameras.sessionId')
          .orderBy('sequence', 'desc')
          .limit(1)
          .as('newest'),
      (on) => on.onTrue(),
    )
    .selectAll('cameras')
    .select(['users.name as ownerName', 'folders.name as folderName', 'newest.lastFrameAt'])
    .select([bitrate, interruptions('count(*)::integer').as('interruptionCount'), interruptions(LOST_S).as('lostS')])
    .select(recentFaults)
    .select(['publisher.remote', 'publisher.connectedAt', 'publisher.refusedAt', 'publisher.refusedReason'])
    .select(
      sql<boolean>`coalesce(publisher.seen_at > now() - make_interval(secs => ${PUBLISHER_LOST_S}), false)`.as(
        'isPublished',
      ),
    )
    .select([
      'session.status as sessionStatus',
      'session.connected',
      'session.frozenSince',
      'session.blackSince',
      'session.problemCode as sessionProblemCode',
      'session.problemMessage as sessionProblemMessage',
      'session.query',
      'session.videoId',
      'session.startedAt',
      'session.eventCount',
      'session.recording as sessionRecording',
      'session.preRollS as sessionPreRollS',
      'session.postRollS as sessionPostRollS',
      'session.durationS',
      'session.retainedS',
      'session.discardedS',
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof selectCameras>['execute']>>[number];

const toProblem = (code: string | null, message: string | null) =>
  code === null ? null : { code, message: message ?? '' };

function toCamera(row: Row): Camera {
  const { sessionId, sessionStatus, problemCode, problemMessage, scope, schedule, retention, sourceSecret, ...rest } =
    row;
  const { pushKeyHash, isPublished, remote, connectedAt, refusedAt, refusedReason, ...camera } = rest;
  return {
    ...camera,
    scope: scope as Camera['scope'],
    recording: row.recording as RecordingMode,
    recentFaults: row.recentFaults.map(({ from, until, ...fault }) => ({
      ...fault,
      from: new Date(from),
      until: until === null ? null : new Date(until),
    })),
    schedule: schedule as Schedule,
    retention: retention as Retention,
    sourceSecret: sourceSecret as unknown as EncryptedSecret,
    problem: toProblem(problemCode, problemMessage),
    hasPushKey: pushKeyHash !== null,
    publisher: isPublished ? { remote: remote!, connectedAt: connectedAt! } : null,
    refusal: refusedAt && { at: refusedAt, reason: refusedReason! },
    session:
      sessionId === null || sessionStatus === null
        ? null
        : {
            id: sessionId,
            status: sessionStatus as SessionStatus,
            connected: row.connected!,
            frozenSince: row.frozenSince,
            blackSince: row.blackSince,
            problem: toProblem(row.sessionProblemCode, row.sessionProblemMessage),
            query: row.query,
            videoId: row.videoId!,
            startedAt: row.startedAt,
            eventCount: row.eventCount!,
            recording: row.sessionRecording as RecordingMode,
            preRollS: row.sessionPreRollS!,
            postRollS: row.sessionPostRollS!,
            durationS: row.durationS!,
            retainedS: row.retainedS!,
            discardedS: row.discardedS!,
          },
  };
}

export async function findCamera(db: Queryable, id: string): Promise<Camera | null> {
  const row = await selectCameras(db).where('cameras.id', '=', id).executeTakeFirst();
  return row ? toCamera(row) : null;
}

/** Locks a camera until the end of the transaction, and returns it. */
export async function lockCamera(trx: Transaction, id: string): Promise<Camera | null> {
  await trx.selectFrom('cameras').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  return findCamera(trx, id);
}

/** Cameras older than one of them that the caller may read, newest first. */
export async function listCameras(
  db: Queryable,
  caller: Person,
  { folderId, before, limit }: { folderId: string | null; before: string | null; limit: number },
): Promise<Camera[]> {
  const rows = await selectCameras(db)
    .where(isReadable(caller, 'cameras'))
    .$if(caller.folderId !== undefined, (query) => query.where('cameras.folderId', '=', caller.folderId!))
    .$if(folderId !== null, (query) => query.where('cameras.folderId', '=', folderId))
    .$if(before !== null, (query) => query.where('cameras.id', '<', before))
    .orderBy('cameras.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toCamera);
}

/** The camera whose newest session this is, locked until the end of the transaction. */
export async function lockCameraOfSession(trx: Transaction, sessionId: string): Promise<Camera | null> {
  const row = await trx
    .selectFrom('cameras')
    .select('id')
    .where('sessionId', '=', sessionId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ? findCamera(trx, row.id) : null;
}

export type NewCamera = CameraSettings &
  Pick<Camera, 'id' | 'orgId' | 'ownerId' | 'scope' | 'sourceUrl' | 'sourceSecret' | 'hasCredentials'>;

/** Inserts a camera unless the organization has `limit` of them. Returns false then. */
export async function insertCamera(trx: Transaction, camera: NewCamera, limit: number): Promise<boolean> {
  // Serializes concurrent requests of an organization.
  await trx.selectFrom('organizations').select('id').where('id', '=', camera.orgId).forNoKeyUpdate().execute();
  const { count } = await trx
    .selectFrom('cameras')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('orgId', '=', camera.orgId)
    .executeTakeFirstOrThrow();
  if (count >= limit) return false;
  await trx
    .insertInto('cameras')
    .values({
      ...camera,
      sourceSecret: JSON.stringify(camera.sourceSecret),
      schedule: camera.schedule && JSON.stringify(camera.schedule),
      retention: camera.retention && JSON.stringify(camera.retention),
    })
    .execute();
  return true;
}

export type CameraUpdate = Partial<
  CameraSettings & Pick<Camera, 'scope' | 'sourceUrl' | 'sourceSecret' | 'hasCredentials'>
>;

/** Changes the settings that are not undefined, and forgets failed attempts. */
export async function updateCamera(
  trx: Transaction,
  id: string,
  { sourceSecret, schedule, retention, ...changes }: CameraUpdate,
): Promise<void> {
  await trx
    .updateTable('cameras')
    .set({
      ...changes,
      ...(sourceSecret && { sourceSecret: JSON.stringify(sourceSecret) }),
      ...(schedule !== undefined && { schedule: schedule && JSON.stringify(schedule) }),
      ...(retention !== undefined && { retention: retention && JSON.stringify(retention) }),
      changedAt: sql<Date>`now()`,
      problemCode: null,
      problemMessage: null,
      offlineSince: null,
      attempts: 0,
      retryAt: null,
    })
    .where('id', '=', id)
    .execute();
}

export async function deleteCamera(trx: Transaction, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('cameras').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Stores the session that was started for a camera after `before`. False if another one was, or the camera is off. */
export async function setSession(
  trx: Transaction,
  { id, before, ...session }: { id: string; before: string | null; sessionId: string } & CameraSessionQuery,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('cameras')
    .set({ ...session, retryAt: null })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .where(sql<boolean>`session_id is not distinct from ${before}`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type Failure = {
  problem: { code: string; message: string };
  /** Failed attempts since the last frame, with this one. */
  attempts: number;
  /** Seconds before the next attempt. */
  delayS: number;
};

/** Stores a failed attempt, and when the next one is due. */
export async function setFailure(db: Queryable, id: string, { problem, attempts, delayS }: Failure): Promise<void> {
  await db
    .updateTable('cameras')
    .set({
      problemCode: problem.code,
      problemMessage: problem.message,
      offlineSince: attempts === 1 ? sql<Date>`now()` : sql<Date>`coalesce(offline_since, now())`,
      attempts,
      retryAt: sql<Date>`now() + make_interval(secs => ${delayS})`,
    })
    .where('id', '=', id)
    .execute();
}

export async function setSnapshotTime(db: Queryable, id: string, snapshotAt: Date): Promise<void> {
  await db.updateTable('cameras').set({ snapshotAt }).where('id', '=', id).execute();
}

export type StoredFault = Pick<CameraFault, 'kind' | 'message'> & { id: string; cameraId: string; startedAt: Date };

/** Faults of these cameras that have not ended. */
export async function listOpenFaults(db: Queryable, cameraIds: readonly string[]): Promise<StoredFault[]> {
  const rows = await db
    .selectFrom('cameraFaults')
    .select(['id', 'cameraId', 'kind', 'message', 'startedAt'])
    .where('endedAt', 'is', null)
    .where('cameraId', '=', sql<string>`any(${[...cameraIds]}::text[])`)
    .execute();
  return rows as StoredFault[];
}

export async function insertFault(
  trx: Transaction,
  cameraId: string,
  { kind, message, since }: CameraFault,
): Promise<StoredFault> {
  const fault = { id: newId(), cameraId, kind, message, startedAt: since };
  await trx.insertInto('cameraFaults').values(fault).execute();
  return fault;
}

export async function endFault(trx: Transaction, id: string, endedAt: Date): Promise<void> {
  await trx.updateTable('cameraFaults').set({ endedAt }).where('id', '=', id).execute();
}

/** Cameras after one of them that are on, whose session runs, or that have a fault, in the order of their ids. */
export async function listTended(db: Queryable, after: string, limit: number): Promise<Camera[]> {
  const rows = await selectCameras(db)
    .where((or) => or.or([or('cameras.enabled', '=', true), isFollowed, hasFault]))
    .where('cameras.id', '>', after)
    .orderBy('cameras.id')
    .limit(limit)
    .execute();
  return rows.map(toCamera);
}

type CameraSessionQuery = Pick<Camera, 'sessionQuery' | 'sessionReading'>;

/** Stores the query that the newest session of a camera was given. */
export async function setSessionQuery(db: Queryable, id: string, query: CameraSessionQuery): Promise<void> {
  await db.updateTable('cameras').set(query).where('id', '=', id).execute();
}

/** The camera of a session, and the video of its first recording; null for a session that was started by itself. */
export async function findCameraOf(
  db: Queryable,
  sessionId: string,
): Promise<{ camera: Camera; videoId: string } | null> {
  const row = await db
    .selectFrom('liveSessions')
    .select(['cameraId', 'videoId'])
    .where('id', '=', sessionId)
    .executeTakeFirst();
  const camera = row?.cameraId ? await findCamera(db, row.cameraId) : null;
  return camera && { camera, videoId: row!.videoId };
}

/** True if the end of a session was requested, rather than that the source ended. */
export async function wasEndRequested(db: Queryable, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('liveSessions')
    .select('endRequestedAt')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row?.endRequestedAt != null;
}

export type ExpiredRecording = { videoId: string } & Pick<Camera, 'orgId' | 'ownerId'>;

/** Recordings after one of them that are past the retention of their camera, by age, with the owner of the camera. */
export async function listExpiredRecordings(db: Queryable, after: string, limit: number): Promise<ExpiredRecording[]> {
  const { rows } = await sql<ExpiredRecording>`
    select recording.id as video_id, org_id, owner_id from (
      select camera.org_id, camera.owner_id, camera.retention, video.id, video.held_at,
        video.created_at + make_interval(secs => coalesce(video.duration_s, 0)) as ended_at,
        sum(video.size_bytes) over (partition by camera.id order by video.id desc) as bytes_since
      from cameras camera join videos video on video.camera_id = camera.id
      where camera.retention is not null and video.status = 'UPLOADED' and video.deleted_at is null
    ) recording
    where recording.id > ${after} and held_at is null and (ended_at < now() - make_interval(days => (retention ->> 'days')::integer)
        or bytes_since > (retention ->> 'bytes')::numeric)
      and not ((retention ->> 'keepApproved')::boolean and exists (
        select from analysis_events event where event.video_id = recording.id and event.approval = 'approved'))
      and not exists (select from kept_recordings kept where kept.video_id = recording.id)
    order by recording.id limit ${limit}`.execute(db);
  return rows;
}

/** Keeps a recording of a camera, whatever the retention of the camera is. */
export async function keepRecording(trx: Transaction, videoId: string): Promise<void> {
  await sql`
    insert into kept_recordings (video_id) select id from videos where id = ${videoId} and camera_id is not null
    on conflict do nothing`.execute(trx);
}

/** Encrypted source URLs of all cameras. */
export async function listSecrets(db: Queryable): Promise<{ id: string; secret: EncryptedSecret }[]> {
  const rows = await db.selectFrom('cameras').select(['id', 'sourceSecret']).execute();
  return rows.map(({ id, sourceSecret }) => ({ id, secret: sourceSecret as unknown as EncryptedSecret }));
}

/** Replaces an encrypted URL. False if it was changed in the meantime. */
export async function updateSecret(
  db: Queryable,
  { id, before, secret }: { id: string; before: EncryptedSecret; secret: EncryptedSecret },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('cameras')
    .set({ sourceSecret: JSON.stringify(secret) })
    .where('id', '=', id)
    .where('sourceSecret', '=', JSON.stringify(before))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
