import type { DomainEvents, Events } from '#features/events/index';
import type { Transaction } from '#platform/db/index';
import * as jobStore from './job-store.ts';

/** Publishes the end of an import if its last object was counted in this transaction. Call it after counting. */
export async function publishEnd(trx: Transaction, events: Pick<Events, 'publish'>, id: string): Promise<void> {
  const ended = await jobStore.findEndedNow(trx, id);
  if (!ended) return;
  const { orgId, folderId, total, uploaded, skipped, failed, problem } = ended;
  await events.publish(trx, 'import.ended', {
    importId: id,
    orgId,
    folderId,
    total,
    uploaded,
    skipped,
    failed,
    status: ended.status as DomainEvents['import.ended']['status'],
    code: problem?.code ?? null,
    message: problem?.message ?? null,
  });
}
