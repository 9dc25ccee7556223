import { type KnownEvent, LOST_S, matchEvents, pointsOf } from '../same-event.ts';
import type { VideoEvent } from '../types.ts';

/** An event of an answer over a part of a video, which was reported. `ongoing`: it may continue in the rest. */
export type PreliminaryEvent = KnownEvent & { id: string; confidence: number; ongoing: boolean };

export type PreliminaryChanges = {
  /** Reported for the first time, or changed since. */
  reported: { id: string; ongoing: boolean; event: VideoEvent }[];
  /** Ids of those that are not found any more. */
  withdrawn: string[];
  /** All that are reported now; to be passed to the next update. */
  known: PreliminaryEvent[];
};

/** Events that start closer than this to the end of the seen part are reported later: most of them change. */
const UNSETTLED_S = 0.5;
/** Most events that are reported while a pass runs. Others are only part of the answer. */
const MAX_EVENTS = 200;

/**
 * Compares the events of a new answer over the first `untilS` seconds of a video with those that are reported. Reported
 * events that start later, which an earlier pass found, remain.
 */
export function updatePreliminary(
  known: readonly PreliminaryEvent[],
  events: readonly VideoEvent[],
  untilS: number,
  newId: () => string,
): PreliminaryChanges {
  const found = events
    .filter(({ startS }) => startS <= untilS - UNSETTLED_S)
    .map((event) => ({ event: cutAt(untilS, event) }));
  const matches = matchEvents(known, found);
  const matched = new Set(matches.values());
  const isOngoing = ({ endS }: VideoEvent) => endS > untilS - LOST_S;
  const isUndecided = ({ startS }: PreliminaryEvent) => startS > untilS - LOST_S;
  const reported: PreliminaryChanges['reported'] = [];
  const remaining: PreliminaryEvent[] = [];
  const report = (id: string, event: VideoEvent, before: PreliminaryEvent | null) => {
    const now = toPreliminary(id, event, isOngoing(event));
    remaining.push(now);
    if (before === null || differs(before, now)) reported.push({ id, ongoing: now.ongoing, event });
  };
  const withdrawn: string[] = [];
  for (const one of known) {
    const event = matches.get(one)?.event;
    if (event) report(one.id, event, one);
    else if (isUndecided(one)) remaining.push(one);
    else withdrawn.push(one.id);
  }
  const added = found.filter((each) => !matched.has(each));
  for (const { event } of added.slice(0, Math.max(0, MAX_EVENTS - remaining.length))) report(newId(), event, null);
  return { reported, withdrawn, known: remaining };
}

/** A part of a video is answered again when it is longer by this share, so that all answers cost a bounded multiple. */
const GROWTH = 0.05;

/** False if so little was seen since the last answer that another would cost more than it shows. Null: all was seen. */
export const isWorthAnswering = (untilS: number | null, answeredUntilS: number | null): boolean =>
  untilS === null || answeredUntilS === null || untilS < answeredUntilS || untilS >= answeredUntilS * (1 + GROWTH);

/** Which of the reported events the answer over the whole video has, by their position in it, and which it has not. */
export function resolvePreliminary(
  known: readonly PreliminaryEvent[],
  events: readonly VideoEvent[],
): { confirmed: { id: string; position: number }[]; withdrawn: string[] } {
  const matches = matchEvents(
    known,
    events.map((event, position) => ({ event, position })),
  );
  return {
    confirmed: [...matches].map(([{ id }, { position }]) => ({ id, position })),
    withdrawn: known.filter((one) => !matches.has(one)).map(({ id }) => id),
  };
}

/** Cuts an event at a time: artifacts that are there for all of the video may show more of it. */
function cutAt(untilS: number, event: VideoEvent): VideoEvent {
  if (event.endS <= untilS) return event;
  const [numerator, denominator] = event.timeBase;
  const endPts = event.endPts - Math.round(((event.endS - untilS) * denominator) / numerator);
  return { ...event, endS: untilS, endPts };
}

const toPreliminary = (id: string, event: VideoEvent, ongoing: boolean): PreliminaryEvent => ({
  id,
  category: event.category,
  label: event.label,
  startS: event.startS,
  endS: event.endS,
  points: pointsOf(event),
  confidence: event.confidence,
  ongoing,
});

const differs = (one: PreliminaryEvent, now: PreliminaryEvent) =>
  one.label !== now.label ||
  one.startS !== now.startS ||
  one.endS !== now.endS ||
  one.confidence !== now.confidence ||
  one.ongoing !== now.ongoing;
