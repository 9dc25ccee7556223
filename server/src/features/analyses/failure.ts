import type { Engine } from '#engine/index';
import type { Events } from '#features/events/index';
import type { Transaction } from '#platform/db/index';
import type { Interruption, JobContext } from '#platform/jobs/index';
import { roundedJson } from '#platform/numbers';
import { Problem } from '#platform/problem';
import { failedDocument, type VideoFacts } from './document.ts';
import { problems } from './problems.ts';
import * as store from './store.ts';

/** What to tell of an error; null when the job should be tried again. */
export function verdict(error: unknown, { signal, lastAttempt }: JobContext): Problem | null {
  if (signal.aborted) {
    const { kind } = signal.reason as Interruption;
    return kind === 'timeout' ? problems.analysis_timeout() : null;
  }
  // What is wrong with the video stays wrong.
  if (error instanceof Problem && error.status < 500) return error;
  if (!lastAttempt) return null;
  return error instanceof Problem ? error : problems.analysis_failed(undefined, { cause: error });
}

/**
 * Ends an analysis as failed, with its document and news. With a fence, only while that attempt counts; without, whichever attempt is at it.
 * Does nothing when the analysis has ended.
 */
export async function failAnalysis(
  { events, engine }: { events: Events; engine: Engine },
  trx: Transaction,
  analysis: store.AnalysisRow,
  fence: store.Fence | null,
  video: VideoFacts | null,
  problem: Problem,
): Promise<void> {
  const { code, message } = problem;
  const { analysisId, batchId, videoId } = analysis;
  const document = roundedJson(failedDocument({ ...analysis, engineVersion: engine.version }, video, problem));
  if (!(await store.fail(trx, analysisId, fence, { code, message, document }))) return;
  await events.publish(trx, 'analysis.ended', { analysisId, batchId, videoId, status: 'FAILED', message, events: [] });
}
