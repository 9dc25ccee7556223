import type { Engine } from '#engine/index';
import type { Events } from '#features/events/index';
import type { Transaction } from '#platform/db/index';
import type { Interruption, JobContext } from '#platform/jobs/index';
import { roundedJson } from '#platform/numbers';
import { Problem } from '#platform/problem';
import { failedDocument } from '../document.ts';
import { problems } from '../problems.ts';
import type * as store from '../store.ts';
import type { DocumentVideo } from '../types.ts';
import { resolvePreliminaryEvents } from './preliminary/index.ts';
import * as attempts from './store.ts';

/** The problem that an error ends the analysis with; null if the job should be retried. */
export function toFinalProblem(error: unknown, { signal, lastAttempt }: JobContext): Problem | null {
  if (signal.aborted) {
    const { kind } = signal.reason as Interruption;
    return kind === 'timeout' ? problems.analysis_timeout() : null;
  }
  // Problems of the video itself are permanent.
  if (error instanceof Problem && !error.isFault) return error;
  if (!lastAttempt) return null;
  return error instanceof Problem ? error : problems.analysis_failed(undefined, { cause: error });
}

/**
 * Marks an analysis as failed, and publishes that. With a fence, only if that attempt is still current. Does nothing if
 * the analysis has ended.
 */
export async function failAnalysis(
  { events, engine }: { events: Events; engine: Engine },
  trx: Transaction,
  analysis: store.AnalysisRow,
  fence: attempts.AttemptFence | null,
  video: DocumentVideo | null,
  problem: Problem,
): Promise<void> {
  const { code, message } = problem;
  const { orgId, analysisId, batchId, videoId } = analysis;
  const document = roundedJson(failedDocument({ ...analysis, engineVersion: engine.version }, video, problem));
  if (!(await attempts.fail(trx, analysisId, fence, { code, message, document }))) return;
  const preliminary = await resolvePreliminaryEvents(trx, analysisId, []);
  const ending = { status: 'FAILED' as const, code, message, events: [], candidateCount: 0, preliminary };
  await events.publish(trx, 'analysis.ended', { orgId, analysisId, batchId, videoId, ...ending });
}
