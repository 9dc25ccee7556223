import type { Transaction } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import { runAnalysis } from './jobs.ts';
import * as store from './store.ts';

type QueuedAnalysis = { analysisId: string; waits?: number };
/** The common part of the analyses of one request. */
type Requester = Pick<store.AnalysisRow, 'orgId' | 'ownerId' | 'jobClass'>;

/** Below all of class `batch`, whatever their place. */
const BACKGROUND = -900_000_000;

/** Options of the job of an analysis; `place`: number of those of its user that come before. */
const optionsOf = ({ orgId, jobClass }: Requester, place: number) => ({
  orgId,
  urgent: jobClass === 'interactive',
  priority: (jobClass === 'background' ? BACKGROUND : 0) - place,
});

/**
 * Queues new analyses of one user. The more of them wait already, the later a further one is: users of an organization
 * take turns, and a batch does not hold up what somebody else starts after it. Returns the ids of the jobs.
 */
export async function queueAnalyses(
  jobs: Pick<Jobs, 'sendMany'>,
  trx: Transaction,
  requester: Requester,
  analyses: readonly QueuedAnalysis[],
): Promise<string[]> {
  const { ownerId, jobClass } = requester;
  const waiting = await store.countWaiting(trx, ownerId, jobClass);
  const payloads = analyses.map(({ analysisId, waits = 0 }) => ({ analysisId, waits }));
  return jobs.sendMany(trx, runAnalysis, payloads, { ...optionsOf(requester, waiting), decreasing: true });
}

/** Queues an analysis once more, before new ones: it has waited already. Returns the id of the job. */
export async function requeueAnalysis(
  jobs: Pick<Jobs, 'send'>,
  trx: Transaction,
  requester: Requester,
  { analysisId, waits = 0 }: QueuedAnalysis,
  startAfterS = 0,
): Promise<string> {
  return jobs.send(trx, runAnalysis, { analysisId, waits }, { ...optionsOf(requester, 0), startAfterS });
}
