import type { Transaction } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import { runAnalysis } from '../jobs.ts';
import { requeueAnalysis } from '../queueing.ts';
import * as store from '../store.ts';
import { AttemptSuperseded } from './progress.ts';
import * as attempts from './store.ts';

const MAX_DELAY_S = 30;

/**
 * Moves an analysis to a later job, so that no worker is blocked while the video arrives or another analysis observes
 * it.
 */
export async function deferAnalysis(
  jobs: Jobs,
  trx: Transaction,
  fence: attempts.AttemptFence,
  analysis: store.AnalysisRow,
  waits: number,
): Promise<void> {
  const startAfterS = Math.min(MAX_DELAY_S, 2 ** waits);
  const queued = { analysisId: analysis.analysisId, waits: waits + 1 };
  const jobId = await requeueAnalysis(jobs, trx, analysis, queued, startAfterS);
  if (!(await attempts.defer(trx, fence, jobId))) throw new AttemptSuperseded();
}

/** Starts the deferred analyses of these videos now. */
export async function resumeDeferred(jobs: Jobs, trx: Transaction, videoIds: readonly string[]): Promise<void> {
  const deferred = await store.lockProcessing(trx, videoIds, true);
  if (deferred.length === 0) return;
  const ids = deferred.map((a) => a.analysisId);
  await jobs.cancel(
    trx,
    runAnalysis,
    deferred.flatMap((a) => a.jobId ?? []),
  );
  const jobIds: string[] = [];
  for (const analysis of deferred) jobIds.push(await requeueAnalysis(jobs, trx, analysis, analysis));
  await attempts.reassign(trx, ids, jobIds);
}
