import { type KnownEvent, LOST_S, matchEvents, pointsOf } from '../same-event.ts';
import type { VideoEvent } from '../types.ts';
import { TAIL_S } from './observed-segment.ts';

/**
 * An event in a stream, with times in seconds of the stream. `search` is the part of the prompt that it was found
 * for.
 */
export type WindowEvent = { search: string; event: VideoEvent };

/** A reported event, with what is needed to recognize it in a later answer. */
export type ReportedEvent = KnownEvent & {
  id: string;
  search: string;
  /** True while it may continue. */
  going: boolean;
};

export type EventChanges = {
  /** Newly found and certain; `going` if the end is not yet known. */
  started: (WindowEvent & { id: string; going: boolean })[];
  /** Reported before, and ended. `event`: how it was last found; absent if it was not, or under another label. */
  ended: { id: string; endS: number; event?: VideoEvent }[];
  /** To be passed to the next update. */
  reported: ReportedEvent[];
};

export type EventUpdate = {
  reported: readonly ReportedEvent[];
  events: readonly WindowEvent[];
  /** The range of the stream that these events were found in, in seconds of the stream. */
  startS: number;
  endS: number;
  /** End of the known part of the stream at the previous update. */
  previousEndS: number;
  /** True if the stream has ended: ongoing events end too. */
  isFinal: boolean;
  /** Time from which a part of the prompt is searched; events that ended before it are not reported. */
  requestedSinceS(search: string): number;
  newId(): string;
};

/** Events that start closer to the end than this may change with the next segment. */
const UNSETTLED_S = TAIL_S / 2;
/** An event that ended this long before the previous update is not reported if it is found only now. */
const LATE_S = 5;

/**
 * Event changes after one more segment of a stream: each event is reported once when it is certain, and again when it
 * has ended. Every segment leads to a new answer that finds the same events again with another end, count or label,
 * so they are matched by their tracks and times.
 */
export function updateEvents({
  reported,
  events,
  startS,
  endS,
  previousEndS,
  isFinal,
  requestedSinceS,
  newId,
}: EventUpdate): EventChanges {
  const matches = matchEvents(reported, events, (one, other) => one.search === other.search);
  const ended: EventChanges['ended'] = [];
  const before = reported.flatMap((one): ReportedEvent[] => {
    const now = matches.get(one)?.event;
    const lastS = Math.max(one.endS, now?.endS ?? 0);
    const going = !isFinal && lastS > endS - LOST_S;
    if (one.going && !going) ended.push({ id: one.id, endS: lastS, ...lastFound(one, now) });
    if (lastS < startS - LOST_S && !going) return [];
    return [{ ...one, endS: lastS, going, points: now ? pointsOf(now) : one.points }];
  });
  const known = new Set(matches.values());
  const started = events
    .filter((one) => !known.has(one))
    .filter(({ event }) => isFinal || event.startS <= endS - UNSETTLED_S)
    .filter(({ search, event }) => event.endS >= Math.max(requestedSinceS(search), previousEndS - LATE_S))
    .map((one) => ({ ...one, id: newId(), going: !isFinal && one.event.endS > endS - LOST_S }));
  const after = started.map(({ id, search, going, event }): ReportedEvent => {
    const { category, label, startS: fromS, endS: untilS } = event;
    return { id, search, category, label, startS: fromS, endS: untilS, going, points: pointsOf(event) };
  });
  return { started, ended, reported: [...before, ...after] };
}

/** Returns an ended event as it was last found. Of one that is longer than the window, that is its last part. */
function lastFound(one: ReportedEvent, now: VideoEvent | undefined): { event?: VideoEvent } {
  if (now?.label !== one.label) return {};
  if (now.startS <= one.startS + LOST_S) return { event: now };
  const lastS = Math.max(1, Math.round(now.endS - now.startS));
  return { event: { ...now, explanation: `Its last ${lastS} s: ${now.explanation}` } };
}
