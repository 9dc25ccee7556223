import {
  type AbsenceFinding,
  continueAbsences,
  DEFAULT_MIN_CONFIDENCE,
  describeAbsence,
  endAbsences,
  type ReportedAbsence,
  trackAbsences,
  type VideoEvent,
} from '#engine/index';
import type { Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import { findSegmentBefore } from '../store.ts';
import type { LiveSession } from '../types.ts';
import { type AnalyzedSegment, findSegmentAt } from './event-payload.ts';
import type { SegmentRun } from './segment-run.ts';
import type { LiveStep, StepReport } from './step-report.ts';
import * as store from './store.ts';

/** Absences after a step, and what it reports of them. */
export type AbsenceStep = { absences: store.AbsenceLedger } & Pick<StepReport, 'changes' | 'places'>;

/** Seconds of a session for which it waits for the analysis of the one before, which is being finished. */
const WAIT_S = 60;

/** Follows the absences that the query of a session asks for, by the clock of its source. */
export function createAbsenceTracker({ db }: Pick<Database, 'db'>) {
  /** The recorded segment at an instant, and the time in the stream; the first segment for earlier instants. */
  async function placeAt(sessionId: string, instantMs: number): Promise<{ place: AnalyzedSegment; timeS: number }> {
    const { streamS, ...segment } = (await findSegmentBefore(db, sessionId, new Date(instantMs)))!;
    const intoS = (instantMs - segment.capturedAt.getTime()) / 1_000;
    const timeS = streamS + Math.min(Math.max(0, intoS), segment.durationS);
    return { place: { ...segment, startS: streamS }, timeS };
  }

  /** Takes over what the session before it of the same camera knew, once its analysis has ended. */
  async function continueLedger(
    session: LiveSession,
    { continued, states }: store.AbsenceLedger,
    analysedS: number,
  ): Promise<store.AbsenceLedger> {
    if (continued) return { continued, states };
    const before = session.cameraId === null ? null : await store.findEarlierAbsences(db, session);
    if (before?.endedAt) return { continued: true, states: continueAbsences(before.states, states) };
    return { continued: before === null || analysedS > WAIT_S, states };
  }

  async function toEvent(sessionId: string, absence: ReportedAbsence, timeZone: string) {
    const { id, query, going, fromMs, untilMs, lastSeen, described } = absence;
    const [start, end] = [await placeAt(sessionId, fromMs), await placeAt(sessionId, untilMs)];
    const { timeBase } = described;
    const toPts = (timeS: number) => Math.round((timeS * timeBase[1]) / timeBase[0]);
    const seen = lastSeen && lastSeen.boxes.length > 0 ? await placeAt(sessionId, lastSeen.atMs) : null;
    const frameAt = (
      role: 'first' | 'best',
      timeS: number,
      boxes: VideoEvent['evidence']['frames'][number]['boxes'],
    ) => ({
      role,
      timeS,
      pts: toPts(timeS),
      boxes,
    });
    const event: VideoEvent = {
      ...describeAbsence(absence, timeZone),
      startS: start.timeS,
      endS: end.timeS,
      startPts: toPts(start.timeS),
      endPts: toPts(end.timeS),
      timeBase,
      evidence: {
        frames: [...(seen ? [frameAt('first', seen.timeS, lastSeen!.boxes)] : []), frameAt('best', end.timeS, [])],
        tracks: [],
        signals: [],
      },
    };
    const places = [start.place, end.place, ...(seen ? [seen.place] : [])];
    return { started: { id, search: query.search, going, event }, places };
  }

  return {
    /** Absences after a segment was appended to the run. */
    async follow(
      { session, analysis }: LiveStep,
      { window, segments }: SegmentRun,
      findings: readonly AbsenceFinding[],
      searchStarts: Readonly<Record<string, number>>,
    ): Promise<AbsenceStep> {
      const toMs = (timeS: number) => {
        const { startS, capturedAt } = findSegmentAt(segments, timeS);
        return capturedAt.getTime() + (timeS - startS) * 1_000;
      };
      const timeZone = session.timeZone ?? 'UTC';
      const changes = trackAbsences({
        states: analysis.absences.states,
        findings,
        fromMs: toMs(window.startS()),
        untilMs: toMs(window.endS()),
        toMs,
        requestedSinceMs: (search) => toMs(searchStarts[search] ?? 0),
        timeZone,
        decides: analysis.absences.continued,
        minConfidence: DEFAULT_MIN_CONFIDENCE,
        newId,
      });
      const ledger = { ...analysis.absences, states: changes.states };
      const events = await Promise.all(changes.started.map((absence) => toEvent(session.id, absence, timeZone)));
      return {
        absences: await continueLedger(session, ledger, analysis.analysedS),
        changes: { started: events.map(({ started }) => started), ended: await endsOf(session.id, changes.ended) },
        places: events.flatMap(({ places }) => places),
      };
    },

    /** Absences at the end of a session: those that last end with it. */
    async end({ session, analysis: { absences } }: LiveStep): Promise<AbsenceStep> {
      const { ended, states } = endAbsences(absences.states);
      return {
        absences: { ...absences, states },
        changes: { started: [], ended: await endsOf(session.id, ended) },
        places: [],
      };
    },
  };

  function endsOf(sessionId: string, ended: readonly { id: string; atMs: number }[]) {
    return Promise.all(ended.map(async ({ id, atMs }) => ({ id, endS: (await placeAt(sessionId, atMs)).timeS })));
  }
}
