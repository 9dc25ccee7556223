import { resolvePreliminary, type VideoEvent } from '#engine/index';
import type { Events } from '#features/events/index';
import type { Transaction } from '#platform/db/index';
import type { AnalysisRow } from '../store.ts';
import { toEventId } from '../types.ts';
import * as store from './store.ts';

/** Publishes which preliminary events of an ended analysis are in its answer, and which are withdrawn. */
export async function resolve(
  events: Events,
  trx: Transaction,
  { analysisId, batchId, videoId }: AnalysisRow,
  answer: readonly VideoEvent[],
): Promise<void> {
  const known = await store.take(trx, analysisId);
  if (known.length === 0) return;
  const { confirmed, withdrawn } = resolvePreliminary(known, answer);
  await events.publish(trx, 'analysis.preliminary', {
    analysisId,
    batchId,
    videoId,
    seen: null,
    reported: [],
    confirmed: confirmed.map(({ id, position }) => ({
      preliminaryId: id,
      eventId: toEventId(analysisId, position),
    })),
    withdrawn,
  });
}
