import { resolvePreliminary, type VideoEvent } from '#engine/index';
import type { DomainEvents } from '#features/events/index';
import type { Transaction } from '#platform/db/index';
import { toEventId } from '../../types.ts';
import * as store from './store.ts';

/** Decides which preliminary events of an ended analysis its answer has, and which it has not. */
export async function resolvePreliminaryEvents(
  trx: Transaction,
  analysisId: string,
  answer: readonly VideoEvent[],
): Promise<DomainEvents['analysis.ended']['preliminary']> {
  const { confirmed, withdrawn } = resolvePreliminary(await store.take(trx, analysisId), answer);
  return {
    confirmed: confirmed.map(({ id, position }) => ({
      preliminaryId: id,
      eventId: toEventId(analysisId, position),
    })),
    withdrawn,
  };
}
