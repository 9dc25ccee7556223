import type { Transaction } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import { runAnalysis } from './jobs.ts';
import { Superseded } from './progress.ts';
import * as store from './store.ts';

const LOOK_AGAIN_AT_MOST_S = 30;

/**
 * Gives the analysis to a later job, so that no worker stands idle while its video arrives or another analysis observes it.
 */
export async function park(
  jobs: Jobs,
  trx: Transaction,
  fence: store.Fence,
  analysis: store.AnalysisRow,
  waits: number,
): Promise<void> {
  const payload = { analysisId: analysis.analysisId, waits: waits + 1 };
  const startAfterS = Math.min(LOOK_AGAIN_AT_MOST_S, 2 ** waits);
  const jobId = await jobs.send(trx, runAnalysis, payload, { startAfterS });
  if (!(await store.park(trx, fence, jobId))) throw new Superseded();
}

/** Starts the analyses that wait for these videos now, instead of when they would look again. */
export async function wakeWaiting(jobs: Jobs, trx: Transaction, videoIds: readonly string[]): Promise<void> {
  const waiting = await store.lockProcessing(trx, videoIds, true);
  if (waiting.length === 0) return;
  const ids = waiting.map((a) => a.analysisId);
  await jobs.cancel(
    trx,
    runAnalysis,
    waiting.flatMap((a) => a.jobId ?? []),
  );
  const payloads = ids.map((analysisId) => ({ analysisId, waits: 0 }));
  await store.reassign(trx, ids, await jobs.sendMany(trx, runAnalysis, payloads));
}
