import {
  type Engine,
  encodeChunk,
  type LiveCoverage,
  type LiveEngine,
  type LiveNews,
  type Plan,
  type Told,
  tell,
} from '#engine/index';
import type { Events } from '#features/events/index';
import type { Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import { Lost } from '../lost.ts';
import { findSession, segmentsFrom } from '../store.ts';
import type { LiveEvent, Segment, Session } from '../types.ts';
import { addCoverage } from './coverage.ts';
import type { Files } from './files.ts';
import { join, type Line, newLine, restoreLine } from './line.ts';
import { everyS, leftOut, type Pace, paced } from './pace.ts';
import { addSkipped, EDGE_S, limitRanges, type PendingRange, rangeOf, UNREADABLE } from './ranges.ts';
import * as store from './store.ts';
import { endOf, eventAnswer, type Place, toldOf } from './told.ts';

export type AnalyseDeps = {
  database: Database;
  engine: Pick<Engine, 'plan'> & { live: LiveEngine };
  events: Pick<Events, 'appendAll'>;
  files: Files;
  log: Log;
  /** How much of a stream is looked at together at least, in seconds. */
  windowS: number;
};

/** What the worker that has a session knows of it besides what is stored. */
type Memory = {
  /** The stream as it comes. */
  live: Line;
  /** The range that is caught up on; `next` is the segment that follows the line. */
  back: { line: Line; next: number } | null;
  pace: Pace;
};

type Outcome = 'done' | 'idle' | 'more';
type Step = { holder: string; session: Session; analysis: store.Analysis; plan: Plan };
/** What a step reports; `cut` says which of its events, and of those reported before, touch what was skipped. */
type Report = { news: Omit<LiveNews, 'told'>; places: Place[]; cut: Map<string, store.EventCut> };

/** How many waiting segments are read to know how many there are. */
const WAITING = 64;
const NOTHING: Report = { news: { begun: [], ended: [] }, places: [], cut: new Map() };

/**
 * The analysis of one session, step by step: a segment is observed, joins the window, the query is answered over that, and what is new is reported. What a step leaves is one
 * transaction; the worker that takes the session over continues after the last of them. What was skipped to keep up is analysed when nothing else waits.
 */
export function createAnalysis({ database, engine, events, files, log, windowS }: AnalyseDeps) {
  const { db } = database;

  /** The line of the segments before `next`, `from` at the earliest, by whichever worker they were observed. */
  async function restore(sessionId: string, from: number, next: number): Promise<Line> {
    const rows = await store.observed(db, sessionId, { from, until: next });
    if (rows.length === 0) return newLine(windowS);
    const first = rows[0]!.sequence;
    return restoreLine(windowS, next, rows, await segmentsFrom(db, sessionId, first, next - first));
  }

  async function remember(analysis: store.Analysis): Promise<Memory> {
    const from = Math.max(0, ...analysis.pending.map(({ until }) => until));
    const live = await restore(analysis.sessionId, from, analysis.next);
    return { live, back: null, pace: { sampling: analysis.sampling, calm: 0 } };
  }

  /** What to report of what is in the window of a line that was analysed until `knownS`, and what became of each part of the query. */
  function answer({ analysis, plan }: Step, { window }: Line, told: readonly Told[], knownS: number, over: boolean) {
    const since = Object.fromEntries(plan.searches.map(({ text }) => [text, analysis.since[text] ?? analysis.knownS]));
    const { findings, coverage } = engine.live.answer(plan, window);
    const [startS, endS] = [window.startS(), Math.max(window.endS(), knownS)];
    const sinceS = (search: string) => since[search] ?? 0;
    const news = tell({ told, findings, startS, endS, knownS, over, sinceS, newId });
    return { news, since, endS, coverage };
  }

  const covered = ({ analysis }: Step, found: readonly LiveCoverage[], { streamS, durationS }: Segment) =>
    addCoverage(analysis.coverage, found, streamS, streamS + durationS);

  /** Row, events and their reports are one transaction. Throws `Lost` when another worker has the session. */
  async function settle({ analysis, holder }: Step, change: Partial<store.Settled>, report: Report): Promise<void> {
    const { sessionId } = analysis;
    const { news, places, cut } = report;
    const createdAt = new Date();
    const begun = news.begun.map(({ id, going, search, finding }) => {
      const { data, ...where } = toldOf(id, sessionId, search, finding, places);
      const marks = { cut_start: false, cut_end: false, ...cut.get(id) };
      return { id, ...where, createdAt, data: { ...data, ongoing: going, ...marks } };
    });
    const newsOf = (event: Omit<LiveEvent, 'position'>) => ({
      session_id: sessionId,
      finding: eventAnswer(sessionId, event),
    });
    const reported = new Set([...news.begun, ...news.ended].map(({ id }) => id));
    const step = { ...analysis, observed: null, keepFrom: analysis.next, ended: false, ...change };
    await database.transaction(async (trx) => {
      if (!(await store.settle(trx, analysis, holder, step))) throw new Lost();
      await store.addEvents(trx, sessionId, begun);
      const ended: LiveEvent[] = [];
      for (const { id, endS } of news.ended) {
        ended.push(await store.endEvent(trx, id, endOf(endS, cut.get(id)?.cut_end ?? false)));
      }
      for (const [id, marks] of cut) if (!reported.has(id)) await store.markCut(trx, [id], marks);
      await events.appendAll(trx, sessionId, [
        ...begun.map((event) => ({ kind: 'finding', data: newsOf(event) }) as const),
        ...ended.map((event) => ({ kind: 'finding_ended', data: newsOf(event) }) as const),
      ]);
    });
  }

  /** Observes a segment; null where it cannot be decoded, or was deleted. */
  async function observe(
    { session, plan }: Step,
    segment: Segment,
    line: Line,
    sampling: Pace['sampling'],
    signal: AbortSignal,
  ) {
    const before = line.last?.epoch === segment.epoch ? line.last : null;
    try {
      await using file = await files.of(session, segment, signal);
      return await engine.live.observe(file.path, {
        everyS: engine.live.needsDetector(plan) ? everyS(sampling) : null,
        before: before?.lead ? { lead: before.lead, durationS: before.durationS } : null,
        ...(before ? { video: { ...before.video, durationS: segment.durationS } } : {}),
        signal,
      });
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem) || error.status >= 500) throw error;
      log.info({ err: error, sessionId: session.id, sequence: segment.sequence }, 'a segment cannot be analysed');
      return null;
    }
  }

  /** Nothing follows on what is in the window: its events end, and the next step begins with the segment `next`. */
  async function breakOff(step: Step, memory: Memory, next: number, unreadable: Segment | null, ended: boolean) {
    const { analysis } = step;
    const { news, since, endS } = answer(step, memory.live, analysis.told, analysis.knownS, true);
    const skipped = unreadable ? addSkipped(analysis.skipped, unreadableRange(unreadable)) : analysis.skipped;
    const change = { next, keepFrom: next, told: [], since, knownS: endS, skipped, ended };
    const cut = new Map(unreadable ? endsNear(news, endS).map((id) => [id, { cut_end: true }]) : []);
    await settle(step, { ...change, sampling: memory.pace.sampling }, { news, places: memory.live.places, cut });
    memory.live = newLine(windowS);
  }

  /** Continues with the segment `next`; those before it are caught up on later, with the events that may go on in them. */
  async function skip(step: Step, memory: Memory, segments: readonly Segment[], next: Segment): Promise<void> {
    const { analysis } = step;
    const contextFrom = memory.live.places[0]?.sequence ?? analysis.next;
    const range = rangeOf(segments, next, { told: analysis.told, contextFrom });
    const { pending, skipped, givenUp } = limitRanges([...analysis.pending, range], analysis.skipped);
    const cut = new Map([...analysis.told.filter(({ going }) => going), ...givenUp].map(({ id }) => [id, CUT_END]));
    const change = { next: next.sequence, keepFrom: next.sequence, told: [], pending, skipped };
    await settle(step, change, { ...NOTHING, news: { begun: [], ended: givenUp }, cut });
    memory.live = newLine(windowS);
    memory.back = null;
  }

  /** Analyses one segment of a range that was skipped. */
  async function catchUp(step: Step, memory: Memory, signal: AbortSignal): Promise<void> {
    const { analysis, session } = step;
    const keepFrom = memory.live.places[0]?.sequence ?? analysis.next;
    const [range, ...others] = analysis.pending as [PendingRange, ...PendingRange[]];
    const [segment] = await segmentsFrom(db, session.id, range.from, 1);
    // Its recording was erased.
    if (!segment) return settle(step, { pending: others, keepFrom }, NOTHING);
    if (memory.back?.next !== range.from) {
      memory.back = { line: await restore(session.id, range.contextFrom, range.from), next: range.from };
    }
    const { line } = memory.back;
    const breaks = line.last !== null && line.last.epoch !== segment.epoch;
    // Nothing else waits: there is time for all of it.
    const made = breaks ? null : await observe(step, segment, line, 'full', signal);
    if (made) join(line, segment, made.chunk, made.lead);
    const next = breaks ? range.from : range.from + 1;
    const isLast = next >= range.until;
    const over = isLast || made === null;
    const { news, endS, coverage } = answer(step, line, range.told, range.fromS, over);

    const cut = new Map<string, store.EventCut>(news.ended.map(({ id }) => [id, { cut_end: false }]));
    const edge = endsNear(news, endS);
    if (made === null && !breaks) for (const id of edge) cut.set(id, CUT_END);
    if (isLast && made) {
      const searches = new Map<string, string>(range.told.map(({ id, search }) => [id, search]));
      for (const { id, search } of news.begun) searches.set(id, search);
      for (const after of range.after) {
        const continued = edge.filter((id) => searches.get(id) === after.search);
        for (const id of continued) cut.set(id, CUT_END);
        if (continued.length === 0) cut.set(after.id, { cut_start: false });
      }
    }
    const left: PendingRange = {
      ...{ ...range, from: next, told: over ? [] : news.told },
      fromS: breaks ? range.fromS : segment.streamS + segment.durationS,
      seconds: breaks ? range.seconds : Math.max(0, range.seconds - segment.durationS),
      contextFrom: over ? next : line.places[0]!.sequence,
    };
    const change = {
      ...{ keepFrom, pending: isLast ? others : [left, ...others] },
      coverage: made ? covered(step, coverage, segment) : analysis.coverage,
      observed: made && { sequence: segment.sequence, data: encodeChunk(made.chunk) },
      skipped: made || breaks ? analysis.skipped : addSkipped(analysis.skipped, unreadableRange(segment)),
    };
    await settle(step, change, { news, places: line.places, cut });
    memory.back = over ? null : { line, next };
  }

  /** Analyses the next segment of the stream as it comes. */
  async function follow(step: Step, memory: Memory, waiting: readonly Segment[], signal: AbortSignal): Promise<void> {
    const { analysis, plan } = step;
    const segment = waiting[0]!;
    const startedMs = performance.now();
    const { sequence, durationS: segmentS } = segment;
    const made = await observe(step, segment, memory.live, memory.pace.sampling, signal);
    if (!made) return breakOff(step, memory, sequence + 1, segment, false);
    join(memory.live, segment, made.chunk, made.lead);
    const { places } = memory.live;
    const { news, since, endS, coverage } = answer(step, memory.live, analysis.told, analysis.knownS, false);
    const tookS = (performance.now() - startedMs) / 1000;
    const detects = engine.live.needsDetector(plan);
    memory.pace = paced(memory.pace, { waitingS: lengthOf(waiting), tookS, segmentS, detects });

    // Events at the very start of what follows a skipped range may have begun in it.
    const before = analysis.pending.find(({ until }) => until === places[0]!.sequence);
    const early = before ? news.begun.filter(({ finding }) => finding.startS <= places[0]!.startS + EDGE_S) : [];
    const after = early.map(({ id, search, finding: { category } }) => ({ id, search, category }));
    const change = {
      ...{ next: sequence + 1, keepFrom: places[0]!.sequence, told: news.told, since, knownS: endS },
      ...{ sampling: memory.pace.sampling, coverage: covered(step, coverage, segment) },
      observed: { sequence, data: encodeChunk(made.chunk) },
      pending: analysis.pending.map((range) =>
        range === before ? { ...range, after: [...range.after, ...after] } : range,
      ),
    };
    const cut = new Map(after.map(({ id }) => [id, { cut_start: true }]));
    await settle(step, change, { news, places, cut });
  }

  return {
    remember,

    /**
     * The next step. `done`: the analysis has ended. `idle`: there is nothing to analyse yet. Throws `Lost`.
     */
    async step(holder: string, sessionId: string, memory: Memory, signal: AbortSignal): Promise<Outcome> {
      const [analysis, session] = await Promise.all([store.find(db, sessionId), findSession(db, sessionId)]);
      if (!analysis || !session || analysis.endedAt) return 'done';
      const step = { holder, session, analysis, plan: engine.plan(session.query ?? '') };
      const waiting = await segmentsFrom(db, sessionId, analysis.next, WAITING);
      const over = analysis.until !== null || session.endedAt !== null;
      // Once nothing more comes, all of it is analysed.
      const left = over ? 0 : leftOut(waiting);
      if (waiting.length > 0) {
        const breaks = memory.live.last !== null && waiting[0]!.epoch !== memory.live.last.epoch;
        if (breaks) await breakOff(step, memory, analysis.next, null, false);
        else if (left > 0) await skip(step, memory, waiting.slice(0, left), waiting[left]!);
        else await follow(step, memory, waiting, signal);
        return 'more';
      }
      const isPending = analysis.pending.length > 0;
      if (over && (memory.live.last || !isPending)) {
        await breakOff(step, memory, analysis.next, null, !isPending);
        return isPending ? 'more' : 'done';
      }
      if (!isPending) return 'idle';
      await catchUp(step, memory, signal);
      return 'more';
    },
  };
}

const CUT_END: store.EventCut = { cut_end: true };
const lengthOf = (segments: readonly Segment[]) => segments.reduce((sum, { durationS }) => sum + durationS, 0);
const unreadableRange = ({ streamS, durationS }: Segment) => ({
  ...{ fromS: streamS, untilS: streamS + durationS },
  reason: UNREADABLE,
});

/** Events, reported now or before, that last until `endS`. */
function endsNear({ begun, ended }: Omit<LiveNews, 'told'>, endS: number): string[] {
  return [
    ...begun.filter(({ finding }) => finding.endS >= endS - EDGE_S).map(({ id }) => id),
    ...ended.filter((one) => one.endS >= endS - EDGE_S).map(({ id }) => id),
  ];
}
