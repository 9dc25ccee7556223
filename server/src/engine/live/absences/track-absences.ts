import type { EvidenceFrame } from '../../types.ts';
import type { AbsenceQuery } from './absence-query.ts';
import { dayWindows, type InstantInterval } from './day-windows.ts';
import type { AbsenceFinding } from './find-absences.ts';

/** An observed absence between two instants in milliseconds. */
export type AbsentRun = { fromMs: number; untilMs: number; confidence: number };

/** A requested absence after a part of a stream. Instants are in milliseconds of the clock of the source. */
export type AbsenceState = {
  search: string;
  /** Since when it is requested. */
  sinceMs: number;
  /** Absences since it was seen last, in order; between them nothing was observed. */
  runs: AbsentRun[];
  /** `boxes` are those of the last frame; empty if another session recorded it. */
  lastSeen: { atMs: number; boxes: EvidenceFrame['boxes'] } | null;
  /** The reported absence that lasts. `id` is null if an earlier session reported it. */
  reported: { id: string | null; untilMs: number } | null;
  /** End of the last day window that was decided: nothing is reported of it again. */
  decidedMs: number;
  /** End of the day window in which it was seen. */
  seenInMs: number | null;
  /** Statements of an absence; null before the first one. */
  described: AbsenceFinding['described'];
};

export type ReportedAbsence = {
  id: string;
  query: AbsenceQuery;
  /** True while it may last. */
  going: boolean;
  fromMs: number;
  /** The deadline, or the end of what was observed. */
  untilMs: number;
  /** The requested time of day; null without one, and for a deadline without a start. */
  requested: InstantInterval | null;
  observedS: number;
  /** Times in between that were not observed. */
  unobserved: InstantInterval[];
  lastSeen: AbsenceState['lastSeen'];
  confidence: number;
  described: NonNullable<AbsenceFinding['described']>;
};

export type AbsenceUpdate = {
  states: readonly AbsenceState[];
  findings: readonly AbsenceFinding[];
  /** Start of the window of the findings and end of what was observed, in instants. */
  fromMs: number;
  untilMs: number;
  /** Instant of a time of the findings in seconds. */
  toMs(timeS: number): number;
  /** Instant from which a part of the prompt is requested. */
  requestedSinceMs(search: string): number;
  timeZone: string;
  /** False: nothing is reported yet, as an earlier session may have. */
  decides: boolean;
  minConfidence: number;
  newId(): string;
};

export type AbsenceChanges = {
  states: AbsenceState[];
  started: ReportedAbsence[];
  ended: { id: string; atMs: number }[];
};

/** Share of an absence that may not have been observed. */
const UNOBSERVED = 0.1;
/** Absences this close follow each other without a gap: frames are examined each second at least. */
const TOUCHING_MS = 1_500;
/** A shorter part of a window is less certain than the time before it. */
const SHORT_MS = 10_000;
/** The oldest runs count as not observed beyond this number. */
const MAX_RUNS = 500;

/**
 * Follows requested absences over a stream: each is reported once it has lasted as long as requested, or at its
 * deadline, and again when it ends. What was not observed does not count, and one that was not observed for more than a
 * tenth of the requested time is not reported. Pure: all state is in `states`.
 */
export function trackAbsences(update: AbsenceUpdate): AbsenceChanges {
  const { states, findings } = update;
  const changes: AbsenceChanges = { states: [], started: [], ended: [] };
  const searches = new Set(findings.map(({ query }) => query.search));
  for (const { search, reported } of states) {
    if (!searches.has(search) && reported?.id) changes.ended.push({ id: reported.id, atMs: reported.untilMs });
  }
  for (const finding of findings) {
    const { search } = finding.query;
    const before =
      states.find((state) => state.search === search) ?? createState(search, update.requestedSinceMs(search));
    const seen = addFinding(before, finding, update);
    const lasting = finding.query.minS === null ? seen : reportLasting(seen, finding, update, changes);
    const isOfDay = finding.query.calendar !== null && finding.query.minS === null;
    changes.states.push(isOfDay ? reportDeadlines(lasting, finding, update, changes) : lasting);
  }
  return changes;
}

const createState = (search: string, sinceMs: number): AbsenceState => ({
  search,
  sinceMs,
  runs: [],
  lastSeen: null,
  reported: null,
  decidedMs: sinceMs,
  seenInMs: null,
  described: null,
});

/** The state after what was found in the window, which replaces what was known of that time. */
function addFinding(state: AbsenceState, finding: AbsenceFinding, update: AbsenceUpdate): AbsenceState {
  const { fromMs, toMs, timeZone, untilMs } = update;
  const { query } = finding;
  const lastMs = finding.lastSeen && toMs(finding.lastSeen.timeS);
  const isLater = lastMs !== null && lastMs > Math.max(state.sinceMs, state.lastSeen?.atMs ?? Number.NEGATIVE_INFINITY);
  const lastSeen = isLater ? { atMs: lastMs, boxes: finding.lastSeen!.boxes } : state.lastSeen;
  const afterMs = Math.max(state.sinceMs, lastSeen?.atMs ?? Number.NEGATIVE_INFINITY);
  const known = state.runs.map((run) => ({ ...run, untilMs: Math.min(run.untilMs, fromMs) }));
  const found = finding.absent.map(
    ({ fromS, untilS, confidence }): AbsentRun => ({ fromMs: toMs(fromS), untilMs: toMs(untilS), confidence }),
  );
  const oldestMs = query.minS === null ? state.decidedMs : (state.runs[0]?.fromMs ?? fromMs);
  const range = { fromMs: Math.min(fromMs, oldestMs), untilMs };
  const times = query.calendar && dayWindows(query.calendar, timeZone, range);
  const runs = joinRuns([...known, ...found])
    .map((run) => ({ ...run, fromMs: Math.max(run.fromMs, afterMs) }))
    .flatMap((run) => (times ? times.flatMap((each) => clipRun(run, each)) : [run]))
    .filter((run) => run.fromMs < run.untilMs);
  const seenIn = times?.findLast(({ fromMs: from, untilMs: until }) =>
    finding.present.some((range) => toMs(range.fromS) < until && toMs(range.untilS) >= from),
  );
  return {
    ...state,
    lastSeen,
    runs: runs.slice(-MAX_RUNS),
    seenInMs: seenIn?.untilMs ?? state.seenInMs,
    described: finding.described ?? state.described,
  };
}

const clipRun = (run: AbsentRun, { fromMs, untilMs }: InstantInterval): AbsentRun[] => {
  const clipped = { ...run, fromMs: Math.max(run.fromMs, fromMs), untilMs: Math.min(run.untilMs, untilMs) };
  return clipped.fromMs < clipped.untilMs ? [clipped] : [];
};

/** Joins runs that follow each other, in order of time. */
function joinRuns(runs: readonly AbsentRun[]): AbsentRun[] {
  const joined: AbsentRun[] = [];
  for (const run of runs.filter(({ fromMs, untilMs }) => fromMs <= untilMs)) {
    const last = joined.at(-1);
    if (!last || run.fromMs - last.untilMs > TOUCHING_MS) joined.push({ ...run });
    else {
      const isShort = run.untilMs - run.fromMs < SHORT_MS;
      last.untilMs = Math.max(last.untilMs, run.untilMs);
      last.confidence = isShort ? last.confidence : Math.min(last.confidence, run.confidence);
    }
  }
  return joined;
}

type Chain = { runs: AbsentRun[]; observedMs: number };

/** The latest runs between which not more is unobserved than an absence of `minMs` may have. */
function latestChain(runs: readonly AbsentRun[], minMs: number): Chain {
  const chain: Chain = { runs: [], observedMs: 0 };
  let unobservedMs = 0;
  for (const run of runs.toReversed()) {
    const next = chain.runs[0];
    unobservedMs += next ? next.fromMs - run.untilMs : 0;
    if (unobservedMs > UNOBSERVED * minMs) break;
    chain.runs.unshift(run);
    chain.observedMs += run.untilMs - run.fromMs;
  }
  return chain;
}

/** Reports an absence that has lasted as long as requested, and the end of one that was reported. */
function reportLasting(
  state: AbsenceState,
  { query }: AbsenceFinding,
  { untilMs, decides, minConfidence, newId }: AbsenceUpdate,
  changes: AbsenceChanges,
): AbsenceState {
  const minMs = query.minS! * 1_000;
  const chain = latestChain(state.runs, minMs);
  const [first, last] = [chain.runs[0], chain.runs.at(-1)];
  // An absence is not over before it was not observed for too long.
  const isOver = !last || untilMs - last.untilMs > UNOBSERVED * minMs + TOUCHING_MS;
  if (state.reported) {
    if (!isOver && first!.fromMs <= state.reported.untilMs)
      return { ...state, runs: chain.runs, reported: { ...state.reported, untilMs: last.untilMs } };
    if (state.reported.id) changes.ended.push({ id: state.reported.id, atMs: state.reported.untilMs });
    return { ...state, runs: chain.runs, reported: null };
  }
  const confidence = Math.min(...chain.runs.map((run) => run.confidence));
  const { described } = state;
  const isComplete = !isOver && chain.observedMs >= minMs && confidence >= minConfidence;
  if (!isComplete || !decides || !described) return { ...state, runs: chain.runs };
  const id = newId();
  changes.started.push({
    id,
    query,
    going: true,
    fromMs: first!.fromMs,
    untilMs: last!.untilMs,
    requested: null,
    observedS: chain.observedMs / 1_000,
    unobserved: gapsOf(chain.runs),
    lastSeen: state.lastSeen,
    confidence,
    described,
  });
  return { ...state, runs: chain.runs, reported: { id, untilMs: last!.untilMs } };
}

/** Reports absences whose time of day has ended. */
function reportDeadlines(
  state: AbsenceState,
  { query }: AbsenceFinding,
  { untilMs, timeZone, decides, minConfidence, newId }: AbsenceUpdate,
  changes: AbsenceChanges,
): AbsenceState {
  if (!decides) return state;
  const { described } = state;
  const due = dayWindows(query.calendar!, timeZone, { fromMs: state.decidedMs, untilMs }).filter(
    (window) => window.untilMs > state.decidedMs && window.untilMs <= untilMs,
  );
  for (const window of due) {
    if (state.seenInMs === window.untilMs || !described) continue;
    const runs = state.runs.flatMap((run) => clipRun(run, window));
    const [first] = runs;
    if (!first) continue;
    // "By 9" states no start: it is about the time since something was observed.
    const fromMs = query.calendar!.times!.from === 0 ? first.fromMs : window.fromMs;
    const observedMs = runs.reduce((sum, run) => sum + run.untilMs - run.fromMs, 0);
    const unobservedMs = window.untilMs - fromMs - observedMs;
    const confidence = Math.min(...runs.map((run) => run.confidence));
    const allowedMs = Math.max(UNOBSERVED * (window.untilMs - fromMs), TOUCHING_MS);
    if (unobservedMs > allowedMs || confidence < minConfidence) continue;
    changes.started.push({
      id: newId(),
      query,
      going: false,
      fromMs: first.fromMs,
      untilMs: window.untilMs,
      requested: window,
      observedS: observedMs / 1_000,
      unobserved: gapsOf([{ fromMs, untilMs: fromMs }, ...runs, { fromMs: window.untilMs, untilMs: window.untilMs }]),
      lastSeen: state.lastSeen,
      confidence,
      described,
    });
  }
  const decidedMs = due.at(-1)?.untilMs ?? state.decidedMs;
  return { ...state, decidedMs, runs: state.runs.filter((run) => run.untilMs > decidedMs) };
}

/** Times between runs that are longer than those between examined frames. */
function gapsOf(runs: readonly InstantInterval[]): InstantInterval[] {
  return runs.slice(1).flatMap((run, i) => {
    const gap = { fromMs: runs[i]!.untilMs, untilMs: run.fromMs };
    return gap.untilMs - gap.fromMs > TOUCHING_MS ? [gap] : [];
  });
}

/** The states at the end of a session, whose last events end with it. */
export function endAbsences(states: readonly AbsenceState[]): Pick<AbsenceChanges, 'states' | 'ended'> {
  return {
    ended: states.flatMap(({ reported }) => (reported?.id ? [{ id: reported.id, atMs: reported.untilMs }] : [])),
    states: states.map((state) => ({ ...state, reported: state.reported && { ...state.reported, id: null } })),
  };
}

/** The states of a session that continues an earlier one of the same camera. */
export function continueAbsences(earlier: readonly AbsenceState[], states: readonly AbsenceState[]): AbsenceState[] {
  return states.map((state): AbsenceState => {
    const before = earlier.find(({ search }) => search === state.search);
    if (!before) return state;
    const { sinceMs, decidedMs } = before;
    const seenInMs = state.seenInMs ?? before.seenInMs;
    // It was seen in the meantime, which ended the earlier absence.
    if (state.lastSeen) return { ...state, sinceMs, decidedMs, seenInMs };
    const lastSeen = before.lastSeen && { atMs: before.lastSeen.atMs, boxes: [] };
    const runs = joinRuns([...before.runs, ...state.runs]);
    return { ...state, sinceMs, decidedMs, seenInMs, lastSeen, runs, reported: before.reported };
  });
}
