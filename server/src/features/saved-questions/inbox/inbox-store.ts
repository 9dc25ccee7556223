import { type RawBuilder, sql } from 'kysely';
import { isReadable, type Principal } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { Alert } from '../alerts.ts';
import type { SavedQuestion } from '../types.ts';
import type { AlertMute, ListedAlert } from './types.ts';

/** Stores the alerts of a run. */
export async function insertAlerts(
  trx: Transaction,
  { id: questionId, orgId }: Pick<SavedQuestion, 'id' | 'orgId'>,
  analysisId: string,
  alerts: readonly Alert[],
): Promise<void> {
  const rows = alerts.map((alert) => ({ ...alert, id: newId(), orgId, questionId, analysisId }));
  await trx.insertInto('alerts').values(rows).execute();
}

/** Stores alerts about events of a session, by their ids. */
export async function insertLiveAlerts(
  trx: Transaction,
  { id: questionId, orgId }: Pick<SavedQuestion, 'id' | 'orgId'>,
  sessionId: string,
  alerts: readonly { liveEventId: string; otherEvents: number }[],
): Promise<void> {
  const rows = alerts.map((alert) => ({ ...alert, id: newId(), orgId, questionId, sessionId }));
  await trx.insertInto('alerts').values(rows).execute();
}

/** Stores an alert about a fault of a camera. */
export async function insertFaultAlert(trx: Transaction, orgId: string, cameraFaultId: string): Promise<void> {
  await trx.insertInto('alerts').values({ id: newId(), orgId, cameraFaultId, otherEvents: 0 }).execute();
}

/** Stores the analyses that the events of a session have now. */
export async function setAnalyses(
  trx: Transaction,
  sessionId: string,
  events: readonly { eventId: string; analysisId: string; position: number }[],
): Promise<void> {
  await sql`
    update alerts set analysis_id = event.analysis_id, position = event.position
    from unnest(
      ${events.map(({ eventId }) => eventId)}::text[], ${events.map(({ analysisId }) => analysisId)}::text[],
      ${events.map(({ position }) => position)}::integer[]
    ) as event (id, analysis_id, position)
    where alerts.session_id = ${sessionId} and alerts.live_event_id = event.id`.execute(trx);
}

/** True for questions that a user has muted now; `question` is the column of their ids. */
const isMuted = (userId: string, question: RawBuilder<unknown>) => sql<boolean>`exists (
  select from alert_mutes mute where mute.user_id = ${userId} and mute.question_id = ${question}
    and (mute.muted_until is null or mute.muted_until > now()))`;

/** A field of the stored event of a session, as text. */
const liveField = (name: string) => sql`live_events.data ->> ${sql.lit(name)}`;

/** Alerts about events of questions, and faults of cameras, that the caller may read. */
const selectAlerts = (db: Queryable, caller: Principal) =>
  db
    .selectFrom('alerts')
    .leftJoin('savedQuestions', 'savedQuestions.id', 'alerts.questionId')
    .leftJoin('cameraFaults', 'cameraFaults.id', 'alerts.cameraFaultId')
    .leftJoin('cameras', 'cameras.id', 'cameraFaults.cameraId')
    .leftJoin('analysisEvents', (join) =>
      join
        .onRef('analysisEvents.analysisId', '=', 'alerts.analysisId')
        .onRef('analysisEvents.position', '=', 'alerts.position'),
    )
    // An event of a livestream, until its recording has an analysis.
    .leftJoin('liveEvents', (join) =>
      join
        .on('alerts.analysisId', 'is', null)
        .onRef('liveEvents.sessionId', '=', 'alerts.sessionId')
        .onRef('liveEvents.id', '=', 'alerts.liveEventId'),
    )
    .leftJoin('liveSessions', 'liveSessions.id', 'liveEvents.sessionId')
    .leftJoin('videos', (join) =>
      join.on('videos.id', '=', sql<string>`coalesce(analysis_events.video_id, live_sessions.video_id)`),
    )
    .where('alerts.orgId', '=', caller.orgId)
    .where(({ and, or, eb }) =>
      or([
        and([
          eb('videos.id', 'is not', null),
          eb('videos.deletedAt', 'is', null),
          isReadable(caller, 'savedQuestions'),
          isReadable(caller, 'videos'),
        ]),
        and([eb('cameras.id', 'is not', null), isReadable(caller, 'cameras')]),
      ]),
    );

const FAULTS = {
  offline: 'camera is offline',
  black: 'picture is black',
  frozen: 'picture is frozen',
} satisfies Record<NonNullable<ListedAlert['faultKind']>, string>;

/** Newest first, before the id `before` (null: from the newest). */
export async function listAlerts(
  db: Queryable,
  caller: Principal,
  { before, limit }: { before: string | null; limit: number },
): Promise<Omit<ListedAlert, 'isRead'>[]> {
  const rows = await selectAlerts(db, caller)
    .select(['alerts.id', 'alerts.questionId', 'alerts.analysisId', 'alerts.position', 'alerts.otherEvents'])
    .select(['alerts.sessionId', 'alerts.liveEventId', 'alerts.createdAt'])
    .select(['savedQuestions.name as questionName', 'videos.id as videoId', 'videos.name as videoName'])
    .select([
      'cameras.id as cameraId',
      'cameras.name as cameraName',
      'cameraFaults.kind as faultKind',
      sql<string | null>`coalesce(analysis_events.label, ${liveField('label')})`.as('label'),
      sql<number | null>`coalesce(analysis_events.confidence, (${liveField('confidence')})::float8)`.as('confidence'),
      sql<number | null>`coalesce(analysis_events.start_s, (${liveField('start_s')})::float8)`.as('startS'),
      sql<number | null>`coalesce(analysis_events.end_s, (${liveField('end_s')})::float8)`.as('endS'),
      sql<string>`coalesce(analysis_events.approval, 'pending')`.as('approval'),
    ])
    .select(isMuted(caller.userId, sql`alerts.question_id`).as('isMuted'))
    .$if(before !== null, (query) => query.where('alerts.id', '<', before!))
    .orderBy('alerts.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ cameraId, cameraName, label, ...row }) => {
    const faultKind = row.faultKind as ListedAlert['faultKind'];
    return {
      ...row,
      faultKind,
      camera: cameraId === null ? null : { id: cameraId, name: cameraName! },
      label: faultKind === null ? label! : FAULTS[faultKind],
      approval: row.approval as ListedAlert['approval'],
    };
  });
}

/** Alerts after the id `after` (null: all) of questions that are not muted; at most `limit`. */
export async function countUnread(
  db: Queryable,
  caller: Principal,
  { after, limit }: { after: string | null; limit: number },
): Promise<number> {
  const rows = await selectAlerts(db, caller)
    .select('alerts.id')
    .$if(after !== null, (query) => query.where('alerts.id', '>', after!))
    .where(sql<boolean>`not ${isMuted(caller.userId, sql`alerts.question_id`)}`)
    .limit(limit)
    .execute();
  return rows.length;
}

/** The latest alert that a user has seen; null: none. */
export async function findRead(db: Queryable, userId: string): Promise<string | null> {
  const row = await db.selectFrom('alertReads').select('alertId').where('userId', '=', userId).executeTakeFirst();
  return row?.alertId ?? null;
}

/** Marks alerts up to one as seen. An earlier one than before changes nothing. */
export async function setRead(trx: Transaction, userId: string, alertId: string): Promise<void> {
  await trx
    .insertInto('alertReads')
    .values({ userId, alertId })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ alertId: sql<string>`greatest(alert_reads.alert_id, excluded.alert_id)` }),
    )
    .execute();
}

/** Questions that a user has muted and may read, by name. */
export async function listMutes(db: Queryable, caller: Principal): Promise<AlertMute[]> {
  return db
    .selectFrom('alertMutes')
    .innerJoin('savedQuestions', 'savedQuestions.id', 'alertMutes.questionId')
    .select(['questionId', 'savedQuestions.name as questionName', 'mutedUntil'])
    .where('userId', '=', caller.userId)
    .where(sql<boolean>`(muted_until is null or muted_until > now())`)
    .where(isReadable(caller, 'savedQuestions'))
    .orderBy('savedQuestions.name')
    .execute();
}

/** Mutes a question for a user until a time; null: until the user ends it. */
export async function setMute(
  trx: Transaction,
  mute: { userId: string; questionId: string; mutedUntil: Date | null },
): Promise<void> {
  await trx
    .insertInto('alertMutes')
    .values(mute)
    .onConflict((conflict) => conflict.columns(['userId', 'questionId']).doUpdateSet({ mutedUntil: mute.mutedUntil }))
    .execute();
}

export async function deleteMute(trx: Transaction, userId: string, questionId: string): Promise<void> {
  await trx.deleteFrom('alertMutes').where('userId', '=', userId).where('questionId', '=', questionId).execute();
}
