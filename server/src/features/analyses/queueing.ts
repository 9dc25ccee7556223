import type { Transaction } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import { answerQuestion, runAnalysis } from './jobs.ts';
import * as store from './store.ts';
import type { AnalysisClass } from './types.ts';

type QueuedAnalysis = { analysisId: string; waits?: number };
/** The common part of the analyses of one request. */
type Requester = Pick<store.AnalysisRow, 'orgId' | 'ownerId' | 'jobClass'>;

/** Below all of class `batch`, whatever their place. */
const BACKGROUND = -1_000_000_000;

const kindOf = (jobClass: AnalysisClass) => (jobClass === 'interactive' ? answerQuestion : runAnalysis);

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
  const { orgId, ownerId, jobClass } = requester;
  const waiting = await store.countWaiting(trx, ownerId, jobClass);
  const first = (jobClass === 'background' ? BACKGROUND : 0) - waiting;
  const payloads = analyses.map(({ analysisId, waits = 0 }) => ({ analysisId, waits }));
  return jobs.sendMany(trx, kindOf(jobClass), payloads, { orgId, priority: first, decreasing: true });
}

/** Queues an analysis once more, before new ones: it has waited already. Returns the id of the job. */
export async function requeueAnalysis(
  jobs: Pick<Jobs, 'send'>,
  trx: Transaction,
  { orgId, jobClass }: Requester,
  { analysisId, waits = 0 }: QueuedAnalysis,
  startAfterS = 0,
): Promise<string> {
  const priority = jobClass === 'background' ? BACKGROUND : 0;
  return jobs.send(trx, kindOf(jobClass), { analysisId, waits }, { orgId, priority, startAfterS });
}

/** Cancels the jobs of analyses. */
export async function cancelAnalyses(jobs: Pick<Jobs, 'cancel'>, trx: Transaction, jobIds: readonly string[]) {
  for (const kind of [answerQuestion, runAnalysis]) await jobs.cancel(trx, kind, jobIds);
}
