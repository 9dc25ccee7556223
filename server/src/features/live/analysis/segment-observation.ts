import { type LiveEngine, type ObservedSegment, type ReportedEvent, updateEvents } from '#engine/index';
import { newId } from '#platform/ids';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import type { RecordedSegment } from '../types.ts';
import { getDetectorIntervalS, type SamplingState } from './sampling.ts';
import type { SegmentFiles } from './segment-files.ts';
import type { SegmentRun } from './segment-run.ts';
import type { LiveStep } from './step-report.ts';

export type SegmentObserverDeps = {
  engine: { live: LiveEngine };
  files: SegmentFiles;
  log: Log;
};

/** Observes segments with the engine, and evaluates the query of a session over a run of them. */
export function createSegmentObserver({ engine, files, log }: SegmentObserverDeps) {
  return {
    /** Observes a segment after `run`; null if it cannot be decoded or was deleted. */
    async observe(
      { session, plan }: LiveStep,
      segment: RecordedSegment,
      run: SegmentRun,
      sampling: SamplingState['sampling'],
      signal: AbortSignal,
      /** Called with the file of the segment, which exists until it resolves. */
      onFile: (path: string, segment: ObservedSegment) => Promise<void> = async () => {},
    ) {
      const before = run.last?.epoch === segment.epoch ? run.last : null;
      try {
        await using file = await files.of(session, segment, signal);
        const observed = await engine.live.observe(file.path, {
          detectionIntervalS: engine.live.needsDetector(plan) ? getDetectorIntervalS(sampling) : null,
          previous: before?.tail ? { tail: before.tail, durationS: before.durationS } : null,
          ...(before ? { video: { ...before.video, durationS: segment.durationS } } : {}),
          signal,
        });
        await onFile(file.path, observed.segment);
        return observed;
      } catch (error) {
        if (signal.aborted || !(error instanceof Problem) || error.isFault) throw error;
        log.info({ err: error, sessionId: session.id, sequence: segment.sequence }, 'a segment cannot be analyzed');
        return null;
      }
    },

    /**
     * Events to report for the window of a run that was analyzed up to `knownS`, and the coverage of each part of the
     * query. `isFinal` ends the events in the window. Absences are reported by `createAbsenceTracker`.
     */
    evaluate(
      { analysis, plan }: LiveStep,
      { window }: SegmentRun,
      { reported, knownS, isFinal }: { reported: readonly ReportedEvent[]; knownS: number; isFinal: boolean },
    ) {
      const searchStarts = Object.fromEntries(
        plan.searches.map(({ text }) => [text, analysis.searchStarts[text] ?? analysis.analysedS]),
      );
      const { events, coverage, absences } = engine.live.answer(plan, window);
      const [startS, endS] = [window.startS(), Math.max(window.endS(), knownS)];
      const requestedSinceS = (search: string) => searchStarts[search] ?? 0;
      const range = { startS, endS, previousEndS: knownS };
      const changes = updateEvents({ ...range, reported, events, isFinal, requestedSinceS, newId });
      return { changes, searchStarts, endS, coverage, absences };
    },
  };
}
