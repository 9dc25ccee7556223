import { type Engine, isWorthAnswering, type PartialArtifacts, type Plan, updatePreliminary } from '#engine/index';
import type { Events } from '#features/events/index';
import type { Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { Log } from '#platform/log';
import { toPreliminaryForm } from '../../document.ts';
import type { VideoClock } from '../../recorded-times.ts';
import type { AnalysisRow } from '../../store.ts';
import type { AttemptFence } from '../store.ts';
import * as store from './store.ts';

export type PreliminaryReporter = {
  /** Answers over what was seen so far, unless newer observations arrive first. */
  offer(partial: PartialArtifacts): void;
  /** Stops reporting. Nothing is written after the promise settles. */
  stop(): Promise<void>;
};

/** Reports what an analysis finds in the part of its video that was seen so far. */
export function createPreliminaryReporter(deps: {
  database: Database;
  events: Events;
  engine: Pick<Engine, 'answerSoFar'>;
  log: Log;
  fence: AttemptFence;
  analysis: AnalysisRow;
  video: VideoClock & { durationS: number | null };
  plan: Plan;
}): PreliminaryReporter {
  const { database, events, engine, log, fence, analysis, video, plan } = deps;
  const { analysisId, batchId, videoId, minConfidence } = analysis;
  let known = analysis.preliminary ?? [];
  let next: PartialArtifacts | null = null;
  let answeredUntilS: number | null = null;
  let working: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function report(): Promise<void> {
    const partial = next;
    next = null;
    answeredUntilS = partial?.untilS ?? answeredUntilS;
    const found = partial && engine.answerSoFar(plan, partial, minConfidence);
    if (!found) return;
    const changes = updatePreliminary(known, found, partial.untilS ?? Number.POSITIVE_INFINITY, newId);
    await database.transaction(async (trx) => {
      // An attempt that is no longer current is stopped by its progress.
      if (!(await store.replace(trx, fence, changes.known))) return;
      await events.publish(trx, 'analysis.preliminary', {
        analysisId,
        batchId,
        videoId,
        seen: { untilS: partial.untilS ?? video.durationS, durationS: video.durationS },
        reported: changes.reported.map((each) => toPreliminaryForm(each.id, each.event, each.ongoing, video)),
        withdrawn: changes.withdrawn,
      });
    });
    known = changes.known;
  }

  return {
    offer(partial) {
      if (isStopped || !isWorthAnswering(partial.untilS, answeredUntilS)) return;
      next = partial;
      // The analysis continues without them.
      working = working.then(report).catch((error) => {
        log.warn({ err: error, analysisId }, 'preliminary events cannot be reported');
      });
    },
    async stop() {
      isStopped = true;
      next = null;
      await working;
    },
  };
}
