import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { toReading } from './reading-store.ts';

/** Replaces the questions that are answered while a camera is recorded. */
export async function replaceQuestions(
  trx: Transaction,
  cameraId: string,
  questionIds: readonly string[],
): Promise<void> {
  await trx.deleteFrom('cameraQuestions').where('cameraId', '=', cameraId).execute();
  if (questionIds.length === 0) return;
  await trx
    .insertInto('cameraQuestions')
    .values(questionIds.map((savedQuestionId) => ({ cameraId, savedQuestionId })))
    .execute();
}

export type CameraQuestion = {
  cameraId: string;
  id: string;
  name: string;
  query: string;
  /** False if it is paused, or its owner has left the organization. */
  active: boolean;
  /** The reading that is stored for these words; null without one. */
  plan: unknown;
};

/** Questions of these cameras, oldest first. */
export async function listQuestionsOf(db: Queryable, cameraIds: readonly string[]): Promise<CameraQuestion[]> {
  if (cameraIds.length === 0) return [];
  const rows = await db
    .selectFrom('cameraQuestions')
    .innerJoin('savedQuestions', 'savedQuestions.id', 'cameraQuestions.savedQuestionId')
    .innerJoin('users', 'users.id', 'savedQuestions.ownerId')
    .select(['cameraQuestions.cameraId', 'savedQuestions.id', 'savedQuestions.name', 'savedQuestions.query'])
    .select('savedQuestions.plan')
    .select(sql<boolean>`enabled and users.removed_at is null`.as('active'))
    .where('cameraQuestions.cameraId', '=', sql<string>`any(${[...cameraIds]}::text[])`)
    .orderBy('savedQuestions.id')
    .execute();
  return rows.map((row) => ({ ...row, plan: toReading(row) }));
}

/** Pairs of a question and a camera, as `<question> <camera>`, of these cameras. */
export async function listPairs(db: Queryable, cameraIds: readonly string[]): Promise<Set<string>> {
  const questions = await listQuestionsOf(db, cameraIds);
  return new Set(questions.map(({ id, cameraId }) => toPair(id, cameraId)));
}

export const toPair = (questionId: string, cameraId: string) => `${questionId} ${cameraId}`;
