import {
  type CallLedger,
  encodeObservedSegment,
  type LiveCoverage,
  type ModelLook,
  type ObservedSegment,
} from '#engine/index';
import type { VisionAccount } from '#features/analyses/index';
import type { Events } from '#features/events/index';
import type { Database } from '#platform/db/index';
import type { ReaderOf } from '../reading.ts';
import { findSession, listSegments } from '../store.ts';
import type { LiveSession, RecordedSegment } from '../types.ts';
import { type AbsenceStep, createAbsenceTracker } from './absences.ts';
import { addCoverage } from './coverage.ts';
import type { AnswerRecorder } from './recorded-answer.ts';
import { adjustSampling, countSegmentsToSkip, type SamplingState } from './sampling.ts';
import { createSegmentObserver, type SegmentObserverDeps } from './segment-observation.ts';
import { appendSegment, createRun, restoreRun, type SegmentRun } from './segment-run.ts';
import {
  addSkippedRanges,
  EDGE_S,
  limitRanges,
  type PendingRange,
  toPendingRange,
  UNREADABLE,
} from './skipped-ranges.ts';
import { CUT_END, createStepWriter, EMPTY_REPORT, endsNear, type LiveStep, type StepReport } from './step-report.ts';
import * as store from './store.ts';

export type AnalyzerDeps = SegmentObserverDeps & {
  database: Database;
  events: Pick<Events, 'appendAll' | 'publish'>;
  answers: AnswerRecorder;
  readerOf: ReaderOf;
  /** Length of the analysis window in seconds. */
  windowS: number;
  /** Cache and account of the vision-language model for a session. */
  ledgerOf: (account: VisionAccount) => CallLedger;
};

/** State of an analysis in the memory of its worker, besides the stored row. */
type Memory = {
  /** Segments of the stream as they arrive. */
  live: SegmentRun;
  /** The skipped range that is being analyzed; `next` is the segment after the run. */
  back: { run: SegmentRun; next: number } | null;
  sampling: SamplingState;
  /** Shows chunks of the stream to a vision-language model. */
  look: ModelLook;
};

type Outcome = 'done' | 'idle' | 'more';
/** Maximum number of waiting segments that are read to measure the lag. */
const MAX_WAITING = 64;
/**
 * Analyzes one session step by step: it observes a segment, appends it to the window, evaluates the query over the
 * window, and reports new events. Each step is one transaction, after which another worker can continue. Skipped ranges
 * are analyzed when nothing else waits.
 */
export function createAnalyzer(deps: AnalyzerDeps) {
  const { database, engine, readerOf, windowS, ledgerOf } = deps;
  const { db } = database;
  const { observe, evaluate } = createSegmentObserver(deps);
  const save = createStepWriter(deps);
  const absenceTracker = createAbsenceTracker(database);

  /** Restores the run before segment `next`, starting at `from` at the earliest, from stored observations. */
  async function restore(sessionId: string, from: number, next: number): Promise<SegmentRun> {
    const rows = await store.listObservations(db, sessionId, { from, until: next });
    if (rows.length === 0) return createRun(windowS);
    const first = rows[0]!.sequence;
    return restoreRun(windowS, next, rows, await listSegments(db, sessionId, first, next - first));
  }

  async function loadMemory(analysis: store.LiveAnalysis, signal: AbortSignal): Promise<Memory> {
    const { sessionId } = analysis;
    const session = await findSession(db, sessionId);
    const account = { orgId: session?.orgId ?? '', keyId: null, batchId: null, videoId: sessionId };
    const look = engine.live.createModelLook({ ledger: ledgerOf(account), signal });
    const from = Math.max(0, ...analysis.pendingRanges.map(({ until }) => until));
    const live = await restore(analysis.sessionId, from, analysis.nextSequence);
    return { look, live, back: null, sampling: { sampling: analysis.sampling, fastSegments: 0 } };
  }

  const covered = ({ analysis }: LiveStep, found: readonly LiveCoverage[], { streamS, durationS }: RecordedSegment) =>
    addCoverage(analysis.coverage, found, streamS, streamS + durationS);

  const saveWithAbsences = (
    step: LiveStep,
    change: Partial<store.AnalysisStep>,
    { changes, places, cut }: StepReport,
    absent: AbsenceStep,
  ) =>
    save(
      step,
      { ...change, absences: absent.absences },
      {
        changes: {
          started: [...changes.started, ...absent.changes.started],
          ended: [...changes.ended, ...absent.changes.ended],
        },
        places: [...absent.places, ...places].toSorted((a, b) => a.startS - b.startS),
        cut,
      },
    );

  /** Ends the events in the window at a discontinuity. The next step starts with segment `next`. */
  async function breakOff(
    step: LiveStep,
    memory: Memory,
    next: number,
    unreadable: RecordedSegment | null,
    ended: boolean,
  ) {
    const { analysis } = step;
    await memory.look.settle();
    memory.live.window.addSightings(memory.look.collect());
    const window = { reported: analysis.reportedEvents, knownS: analysis.analysedS, isFinal: true };
    const { changes, searchStarts, endS } = evaluate(step, memory.live, window);
    const skippedRanges = unreadable
      ? addSkippedRanges(analysis.skippedRanges, unreadableRange(unreadable))
      : analysis.skippedRanges;
    const change: Partial<store.AnalysisStep> = {
      nextSequence: next,
      retainFrom: next,
      reportedEvents: [],
      searchStarts,
      analysedS: endS,
      sampling: memory.sampling.sampling,
      skippedRanges,
      ended,
    };
    const cut = new Map(unreadable ? endsNear(changes, endS).map((id) => [id, { cut_end: true }]) : []);
    const report = { changes, places: memory.live.segments, cut };
    if (ended) await saveWithAbsences(step, change, report, await absenceTracker.end(step));
    else await save(step, change, report);
    memory.live = createRun(windowS);
  }

  /** Skips to segment `next`. The segments before it are analyzed later, with events that may continue in them. */
  async function skip(
    step: LiveStep,
    memory: Memory,
    segments: readonly RecordedSegment[],
    next: RecordedSegment,
  ): Promise<void> {
    const { analysis } = step;
    const contextFrom = memory.live.segments[0]?.sequence ?? analysis.nextSequence;
    const range = toPendingRange(segments, next, { reportedEvents: analysis.reportedEvents, contextFrom });
    const { pending, skipped, givenUp } = limitRanges([...analysis.pendingRanges, range], analysis.skippedRanges);
    const cut = new Map(
      [...analysis.reportedEvents.filter(({ going }) => going), ...givenUp].map(({ id }) => [id, CUT_END]),
    );
    const change: Partial<store.AnalysisStep> = {
      nextSequence: next.sequence,
      retainFrom: next.sequence,
      reportedEvents: [],
      pendingRanges: pending,
      skippedRanges: skipped,
    };
    await save(step, change, { ...EMPTY_REPORT, changes: { started: [], ended: givenUp }, cut });
    memory.live = createRun(windowS);
    memory.back = null;
  }

  /** Analyzes one segment of a skipped range. */
  async function catchUp(step: LiveStep, memory: Memory, signal: AbortSignal): Promise<void> {
    const { analysis, session } = step;
    const retainFrom = memory.live.segments[0]?.sequence ?? analysis.nextSequence;
    const [range, ...others] = analysis.pendingRanges as [PendingRange, ...PendingRange[]];
    const [segment] = await listSegments(db, session.id, range.from, 1);
    // The recording was erased.
    if (!segment) return save(step, { pendingRanges: others, retainFrom }, EMPTY_REPORT);
    if (memory.back?.next !== range.from) {
      memory.back = { run: await restore(session.id, range.contextFrom, range.from), next: range.from };
    }
    const { run } = memory.back;
    const breaks = run.last !== null && run.last.epoch !== segment.epoch;
    // Nothing else waits, so there is time for full sampling.
    const observed = breaks ? null : await observe(step, segment, run, 'full', signal);
    if (observed) appendSegment(run, segment, observed.segment, observed.tail);
    const next = breaks ? range.from : range.from + 1;
    const isLast = next >= range.until;
    const over = isLast || observed === null;
    const window = { reported: range.reportedEvents, knownS: range.fromS, isFinal: over };
    const { changes, endS, coverage } = evaluate(step, run, window);

    const cut = new Map<string, store.EventCut>(changes.ended.map(({ id }) => [id, { cut_end: false }]));
    const edge = endsNear(changes, endS);
    if (observed === null && !breaks) for (const id of edge) cut.set(id, CUT_END);
    if (isLast && observed) {
      const searches = new Map<string, string>(range.reportedEvents.map(({ id, search }) => [id, search]));
      for (const { id, search } of changes.started) searches.set(id, search);
      for (const after of range.eventsAfter) {
        const continued = edge.filter((id) => searches.get(id) === after.search);
        for (const id of continued) cut.set(id, CUT_END);
        if (continued.length === 0) cut.set(after.id, { cut_start: false });
      }
    }
    const left: PendingRange = {
      ...range,
      from: next,
      reportedEvents: over ? [] : changes.reported,
      fromS: breaks ? range.fromS : segment.streamS + segment.durationS,
      seconds: breaks ? range.seconds : Math.max(0, range.seconds - segment.durationS),
      contextFrom: over ? next : run.segments[0]!.sequence,
    };
    const change: Partial<store.AnalysisStep> = {
      retainFrom,
      pendingRanges: isLast ? others : [left, ...others],
      coverage: observed ? covered(step, coverage, segment) : analysis.coverage,
      observation: observed && { sequence: segment.sequence, data: encodeObservedSegment(observed.segment) },
      skippedRanges:
        observed || breaks
          ? analysis.skippedRanges
          : addSkippedRanges(analysis.skippedRanges, unreadableRange(segment)),
    };
    await save(step, change, { changes, places: run.segments, cut });
    memory.back = over ? null : { run, next };
  }

  /** Analyzes the next segment of the stream. */
  async function follow(
    step: LiveStep,
    memory: Memory,
    waiting: readonly RecordedSegment[],
    signal: AbortSignal,
  ): Promise<void> {
    const { analysis, plan } = step;
    const segment = waiting[0]!;
    const startedMs = performance.now();
    const { sequence, durationS: segmentS } = segment;
    const { look } = memory;
    const onFile = (path: string, of: ObservedSegment) => look.consider(plan, of, path, segment.streamS);
    const observed = await observe(step, segment, memory.live, memory.sampling.sampling, signal, onFile);
    if (!observed) return breakOff(step, memory, sequence + 1, segment, false);
    observed.segment.sightings = look.collect();
    appendSegment(memory.live, segment, observed.segment, observed.tail);
    const { segments: places } = memory.live;
    const window = { reported: analysis.reportedEvents, knownS: analysis.analysedS, isFinal: false };
    const { changes, searchStarts, endS, coverage, absences } = evaluate(step, memory.live, window);
    const absent = await absenceTracker.follow(step, memory.live, absences, searchStarts);
    const elapsedS = (performance.now() - startedMs) / 1000;
    const detects = engine.live.needsDetector(plan);
    memory.sampling = adjustSampling(memory.sampling, { waitingS: lengthOf(waiting), elapsedS, segmentS, detects });

    // Events at the start of the segment after a skipped range may have started in the range.
    const before = analysis.pendingRanges.find(({ until }) => until === places[0]!.sequence);
    const early = before ? changes.started.filter(({ event }) => event.startS <= places[0]!.startS + EDGE_S) : [];
    const after = early.map(({ id, search, event: { category } }) => ({ id, search, category }));
    const change: Partial<store.AnalysisStep> = {
      nextSequence: sequence + 1,
      retainFrom: places[0]!.sequence,
      reportedEvents: changes.reported,
      searchStarts,
      analysedS: endS,
      sampling: memory.sampling.sampling,
      coverage: covered(step, coverage, segment),
      observation: { sequence, data: encodeObservedSegment(observed.segment) },
      pendingRanges: analysis.pendingRanges.map((range) =>
        range === before ? { ...range, eventsAfter: [...range.eventsAfter, ...after] } : range,
      ),
    };
    const cut = new Map(after.map(({ id }) => [id, { cut_start: true }]));
    await saveWithAbsences(step, change, { changes, places, cut }, absent);
  }

  /** The plan of a session by the stored reading of its query. Null if another one had to be stored first. */
  async function openPlan({ query: words, ...session }: LiveSession, { plan }: store.LiveAnalysis) {
    const query = words ?? '';
    const reader = await readerOf(session);
    const renewed = reader.renew(plan, query);
    if (renewed === null) return reader.open(plan, query).plan;
    await store.replaceReading(db, session.id, query, { from: plan, to: renewed });
    return null;
  }

  return {
    loadMemory,

    /**
     * Runs the next step. Returns `done` if the analysis has ended, `idle` if there is nothing to analyze yet. Throws
     * `LeaseLostError`.
     */
    async step(holder: string, sessionId: string, memory: Memory, signal: AbortSignal): Promise<Outcome> {
      const [analysis, session] = await Promise.all([store.findAnalysis(db, sessionId), findSession(db, sessionId)]);
      if (!analysis || !session || analysis.endedAt) return 'done';
      const plan = await openPlan(session, analysis);
      if (plan === null) return 'more';
      const step = { holder, session, analysis, plan };
      const waiting = await listSegments(db, sessionId, analysis.nextSequence, MAX_WAITING);
      const over = analysis.endSequence !== null || session.endedAt !== null;
      // Once the recording has ended, nothing is skipped.
      const left = over ? 0 : countSegmentsToSkip(waiting);
      if (waiting.length > 0) {
        const breaks = memory.live.last !== null && waiting[0]!.epoch !== memory.live.last.epoch;
        if (breaks) await breakOff(step, memory, analysis.nextSequence, null, false);
        else if (left > 0) await skip(step, memory, waiting.slice(0, left), waiting[left]!);
        else await follow(step, memory, waiting, signal);
        return 'more';
      }
      const isPending = analysis.pendingRanges.length > 0;
      if (over && (memory.live.last || !isPending)) {
        await breakOff(step, memory, analysis.nextSequence, null, !isPending);
        return isPending ? 'more' : 'done';
      }
      if (!isPending) return 'idle';
      await catchUp(step, memory, signal);
      return 'more';
    },
  };
}

const lengthOf = (segments: readonly RecordedSegment[]) => segments.reduce((sum, { durationS }) => sum + durationS, 0);
const unreadableRange = ({ streamS, durationS }: RecordedSegment) => ({
  fromS: streamS,
  untilS: streamS + durationS,
  reason: UNREADABLE,
});
