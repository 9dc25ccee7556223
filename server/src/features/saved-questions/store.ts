import { sql } from 'kysely';
import { isReadable, type Principal } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import { type NewReading, toColumns, toReading } from './reading-store.ts';
import type { AlertRule, SavedQuestion, SavedQuestionSettings } from './types.ts';

const selectQuestions = (db: Queryable) =>
  db
    .selectFrom('savedQuestions')
    .innerJoin('users', 'users.id', 'savedQuestions.ownerId')
    .leftJoin('folders', 'folders.id', 'savedQuestions.folderId')
    .selectAll('savedQuestions')
    .select('folders.name as folderName')
    .select(sql<boolean>`users.removed_at is not null`.as('ownerRemoved'));

const toStored = (recorded: SavedQuestion['recorded']) => (recorded === null ? null : JSON.stringify(recorded));

type Row = Awaited<ReturnType<ReturnType<typeof selectQuestions>['execute']>>[number];

const toQuestion = ({ plan, planVersion, ...row }: Row): SavedQuestion => ({
  ...row,
  reading: toReading({ ...row, plan }),
  readingVersion: planVersion,
  scope: row.scope as SavedQuestion['scope'],
  mode: row.mode as SavedQuestion['mode'],
  verify: row.verify as SavedQuestion['verify'],
  recorded: row.recorded as SavedQuestion['recorded'],
  // Rules of earlier versions have no digest.
  rule: { digest: null, ...(row.rule as Omit<AlertRule, 'digest'>) },
});

export async function findQuestion(db: Queryable, id: string): Promise<SavedQuestion | null> {
  const row = await selectQuestions(db).where('savedQuestions.id', '=', id).executeTakeFirst();
  return row ? toQuestion(row) : null;
}

/** Questions that the caller may read, oldest first. */
export async function listQuestions(db: Queryable, caller: Principal): Promise<SavedQuestion[]> {
  const readable = selectQuestions(db).where(isReadable(caller, 'savedQuestions'));
  return (await readable.orderBy('savedQuestions.id').execute()).map(toQuestion);
}

/** Enabled questions of an organization whose owners are members. */
export async function listEnabled(db: Queryable, orgId: string): Promise<SavedQuestion[]> {
  const rows = await selectQuestions(db)
    .where('savedQuestions.orgId', '=', orgId)
    .where('savedQuestions.enabled', '=', true)
    .where('users.removedAt', 'is', null)
    .orderBy('savedQuestions.id')
    .execute();
  return rows.map(toQuestion);
}

/** Enabled questions of all organizations that have a digest and whose owners are members. */
export async function listWithDigest(db: Queryable): Promise<SavedQuestion[]> {
  const rows = await selectQuestions(db)
    .where(sql<boolean>`jsonb_typeof(rule -> 'digest') = 'object'`)
    .where('savedQuestions.enabled', '=', true)
    .where('users.removedAt', 'is', null)
    .orderBy('savedQuestions.id')
    .execute();
  return rows.map(toQuestion);
}

export type NewQuestion = SavedQuestionSettings &
  Pick<SavedQuestion, 'id' | 'orgId' | 'ownerId' | 'scope'> & { reading: NewReading };

/** Inserts a question unless the organization has `limit` of them. Returns false then. */
export async function insertQuestion(
  trx: Transaction,
  { reading, ...question }: NewQuestion,
  limit: number,
): Promise<boolean> {
  // Serializes concurrent requests of an organization.
  await trx.selectFrom('organizations').select('id').where('id', '=', question.orgId).forUpdate().execute();
  const { count } = await trx
    .selectFrom('savedQuestions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('orgId', '=', question.orgId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= limit) return false;
  await trx
    .insertInto('savedQuestions')
    .values({
      ...question,
      ...toColumns(reading),
      rule: JSON.stringify(question.rule),
      recorded: toStored(question.recorded),
    })
    .execute();
  return true;
}

/** Changes the settings that are not undefined. False if the question does not exist. */
export async function updateQuestion(
  trx: Transaction,
  id: string,
  {
    rule,
    recorded,
    reading,
    ...changes
  }: Partial<SavedQuestionSettings & Pick<SavedQuestion, 'scope'> & { reading: NewReading }>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('savedQuestions')
    .set({
      id,
      ...changes,
      ...(reading && toColumns(reading)),
      ...(rule && { rule: JSON.stringify(rule) }),
      ...(recorded === undefined ? {} : { recorded: toStored(recorded) }),
    })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteQuestion(trx: Transaction, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('savedQuestions').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Locks a question until the transaction ends, so that its cooldown sees the alerts of runs that end together. */
export async function lockQuestion(trx: Transaction, id: string): Promise<SavedQuestion | null> {
  await trx.selectFrom('savedQuestions').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  return findQuestion(trx, id);
}

export async function setLastAlert(trx: Transaction, id: string, lastAlertAt: Date): Promise<void> {
  await trx.updateTable('savedQuestions').set({ lastAlertAt }).where('id', '=', id).execute();
}
