import type { PreliminaryEvent } from '#engine/index';
import type { Transaction } from '#platform/db/index';
import { type AttemptFence, fenced } from '../store.ts';

/** Stores the preliminary events of a running analysis. False if the attempt is no longer current. */
export async function replace(
  trx: Transaction,
  fence: AttemptFence,
  preliminary: readonly PreliminaryEvent[],
): Promise<boolean> {
  const row = await fenced(trx, fence)
    .set({ preliminary: JSON.stringify(preliminary) })
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes the preliminary events of an analysis that has ended, and returns them. */
export async function take(trx: Transaction, analysisId: string): Promise<PreliminaryEvent[]> {
  const row = await trx
    .selectFrom('analyses')
    .select('preliminary')
    .where('id', '=', analysisId)
    .executeTakeFirstOrThrow();
  const found = row.preliminary as PreliminaryEvent[] | null;
  if (!found || found.length === 0) return [];
  await trx.updateTable('analyses').set({ preliminary: '[]' }).where('id', '=', analysisId).execute();
  return found;
}
