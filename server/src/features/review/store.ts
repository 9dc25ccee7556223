import { sql } from 'kysely';
import type { EventKey } from '#features/analyses/index';
import { isReadable } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { VerdictPair } from './agreement.ts';
import type { ChangeKind, HistoryEntry } from './types.ts';

/** A change as it is stored: values by their names in the API. */
export type StoredChange = EventKey & {
  kind: ChangeKind;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
};

/** PostgreSQL accepts 65,535 parameters. */
const INSERTED_AT_ONCE = 1_000;

/** Stores the changes of one action. Returns its id. */
export async function insertChanges(
  trx: Transaction,
  { orgId, userId }: Pick<Caller, 'orgId' | 'userId'>,
  changes: readonly StoredChange[],
): Promise<string> {
  const actionId = newId();
  const rows = changes.map(({ before, after, ...change }) => ({
    ...change,
    id: newId(),
    actionId,
    orgId,
    userId,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  }));
  for (let from = 0; from < rows.length; from += INSERTED_AT_ONCE) {
    const values = rows.slice(from, from + INSERTED_AT_ONCE);
    await trx.insertInto('reviewChanges').values(values).execute();
  }
  return actionId;
}

/** Locks the changes of the user's last action that was not undone, and marks them as undone. */
export async function takeLastAction(
  trx: Transaction,
  { orgId, userId }: Pick<Caller, 'orgId' | 'userId'>,
): Promise<StoredChange[]> {
  const last = trx
    .selectFrom('reviewChanges')
    .select('actionId')
    .where('orgId', '=', orgId)
    .where('userId', '=', userId)
    .where('undone', '=', false)
    .where('kind', '<>', 'undone')
    .orderBy('id', 'desc')
    .limit(1);
  const rows = await trx
    .updateTable('reviewChanges')
    .set({ undone: true })
    .where('actionId', '=', last)
    .where('undone', '=', false)
    .returning(['analysisId', 'position', 'kind', 'before', 'after'])
    .execute();
  return rows as StoredChange[];
}

/** Changes of an event, newest first. */
export async function listChanges(db: Queryable, { analysisId, position }: EventKey): Promise<HistoryEntry[]> {
  const rows = await db
    .selectFrom('reviewChanges')
    .leftJoin('users', 'users.id', 'reviewChanges.userId')
    .select(['reviewChanges.id as changeId', 'actionId', 'kind', 'userId', 'users.name as userName', 'undone'])
    .select(['before', 'after', 'reviewChanges.createdAt'])
    .where('analysisId', '=', analysisId)
    .where('position', '=', position)
    .orderBy('reviewChanges.id', 'desc')
    .execute();
  return rows as HistoryEntry[];
}

/** Deletes the history of the events of a video, and its samples. */
export async function deleteOfVideo(trx: Transaction, videoId: string): Promise<void> {
  const analyses = trx.selectFrom('analyses').select('id').where('videoId', '=', videoId);
  await trx.deleteFrom('reviewChanges').where('analysisId', 'in', analyses).execute();
  await trx.deleteFrom('reviewSamples').where('analysisId', 'in', analyses).execute();
}

/** Number of reviewers by folder, of those that need more than one. */
export async function findPolicies(db: Queryable, folderIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('reviewPolicies')
    .select(['folderId', 'reviewers'])
    .where('folderId', '=', sql<string>`any(${folderIds}::text[])`)
    .execute();
  return new Map(rows.map(({ folderId, reviewers }) => [folderId, reviewers]));
}

export async function savePolicy(trx: Transaction, folderId: string, reviewers: number): Promise<void> {
  await trx
    .insertInto('reviewPolicies')
    .values({ folderId, reviewers })
    .onConflict((conflict) => conflict.column('folderId').doUpdateSet({ reviewers }))
    .execute();
}

/** The organization of a user; null if there is no such user. */
export async function findOrganization(db: Queryable, userId: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('orgId').where('id', '=', userId).executeTakeFirst();
  return row?.orgId ?? null;
}

export type ReviewerPair = VerdictPair & { firstId: string; secondId: string };

/** Counts the verdicts of every two reviewers on the events of a folder that the caller may see. */
export async function countVerdictPairs(db: Queryable, caller: Caller, folderId: string): Promise<ReviewerPair[]> {
  const { rows } = await sql<ReviewerPair>`
    select a ->> 'user_id' as first_id, b ->> 'user_id' as second_id, a ->> 'verdict' as first, b ->> 'verdict' as second,
      count(*)::integer as count
    from analysis_events e cross join jsonb_array_elements(e.review -> 'verdicts') a
      cross join jsonb_array_elements(e.review -> 'verdicts') b
    where e.folder_id = ${folderId} and cardinality(e.reviewer_ids) > 1 and ${isReadable(caller, 'e')}
      and a ->> 'user_id' < b ->> 'user_id'
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db);
  return rows;
}

/** Names of users by id. */
export async function findNames(db: Queryable, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${userIds}::text[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
