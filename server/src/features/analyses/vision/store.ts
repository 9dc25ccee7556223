import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import type { PayingAccount, VisionAccount } from './types.ts';

export type UsedTokens = { calls: number; inputTokens: number; outputTokens: number; cost: number };

/** JSON of a stored reply; null if there is none. */
export async function findReply(db: Queryable, orgId: string, key: string): Promise<string | null> {
  const row = await db
    .selectFrom('visionReplies')
    .select('reply')
    .where('orgId', '=', orgId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.reply ?? null;
}

/** Stores a reply; that of another node that asked the same at the same time remains. */
export async function insertReply(
  trx: Transaction,
  { orgId, videoId }: VisionAccount,
  key: string,
  reply: string,
): Promise<void> {
  await trx
    .insertInto('visionReplies')
    .values({ orgId, videoId, key, reply })
    .onConflict((conflict) => conflict.columns(['orgId', 'key']).doNothing())
    .execute();
}

export async function addUsage(
  trx: Transaction,
  { orgId, keyId, batchId }: PayingAccount,
  month: string,
  used: UsedTokens,
): Promise<void> {
  await sql`
    insert into vision_usage (org_id, month, key_id, batch_id, calls, input_tokens, output_tokens, cost)
    values (${orgId}, ${month}, ${keyId ?? ''}, ${batchId ?? ''}, ${used.calls}, ${used.inputTokens}, ${used.outputTokens}, ${used.cost})
    on conflict (org_id, month, key_id, batch_id) do update set
      calls = vision_usage.calls + excluded.calls,
      input_tokens = vision_usage.input_tokens + excluded.input_tokens,
      output_tokens = vision_usage.output_tokens + excluded.output_tokens,
      cost = vision_usage.cost + excluded.cost`.execute(trx);
}

const SUMS = [
  sql<number>`coalesce(sum(calls), 0)::float8`.as('calls'),
  sql<number>`coalesce(sum(input_tokens), 0)::float8`.as('inputTokens'),
  sql<number>`coalesce(sum(output_tokens), 0)::float8`.as('outputTokens'),
  sql<number>`coalesce(sum(cost), 0)::float8`.as('cost'),
] as const;

/** Sums of a month, of all keys or of one. */
export async function sumOfMonth(
  db: Queryable,
  orgId: string,
  month: string,
  keyId: string | null = null,
): Promise<UsedTokens> {
  return db
    .selectFrom('visionUsage')
    .select(SUMS)
    .where('orgId', '=', orgId)
    .where('month', '=', month)
    .$if(keyId !== null, (query) => query.where('keyId', '=', keyId!))
    .executeTakeFirstOrThrow();
}

export async function sumOfBatch(db: Queryable, batchId: string): Promise<UsedTokens> {
  return db.selectFrom('visionUsage').select(SUMS).where('batchId', '=', batchId).executeTakeFirstOrThrow();
}

export async function deleteReplies(trx: Transaction, videoId: string): Promise<void> {
  await trx.deleteFrom('visionReplies').where('videoId', '=', videoId).execute();
}

/** Deletes replies older than `before`. Returns their number. */
export async function purgeReplies(db: Queryable, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('visionReplies').where('createdAt', '<', before).executeTakeFirst();
  return Number(numDeletedRows);
}
