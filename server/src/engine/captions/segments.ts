import type { TrackView } from '../find/types.ts';
import type { VideoEvent } from '../types.ts';

/** The view at a time: the number of objects of each class, and the states of the frame. */
export type ViewState = { counts: Map<string, number>; states: ReadonlySet<string> };
/** A range of the video with one view, in seconds. */
export type CaptionSegment = ViewState & { startS: number; endS: number };

export type SegmentInput = {
  durationS: number;
  tracks: readonly TrackView[];
  /** Times in which a state of the frame holds, such as "the camera moves", by its name. */
  states: ReadonlyMap<string, readonly Pick<VideoEvent, 'startS' | 'endS'>[]>;
  /** Times of cuts, in seconds. */
  cutsS: readonly number[];
};

const SLOT_S = 1;
/** A change is a new segment only if the one before has this length; a cut always starts one. */
const MIN_SEGMENT_S = 2;
const MAX_SEGMENT_S = 60;
/** Shorter tracks are often wrong. */
const MIN_TRACK_S = 1;

/** Divides a video where the view changes, second by second, and at cuts. */
export function divideIntoSegments({ durationS, tracks, states, cutsS }: SegmentInput): CaptionSegment[] {
  const slots = Array.from({ length: Math.max(1, Math.ceil(durationS / SLOT_S)) }, () => ({
    counts: new Map<string, number>(),
    states: new Set<string>(),
  }));
  for (const { track, startS, endS, isLone } of tracks) {
    if (isLone || endS - startS < MIN_TRACK_S) continue;
    for (const { counts } of slotsOf(slots, startS, endS))
      counts.set(track.className, (counts.get(track.className) ?? 0) + 1);
  }
  for (const [name, ranges] of states)
    for (const { startS, endS } of ranges) for (const slot of slotsOf(slots, startS, endS)) slot.states.add(name);
  return mergeSlots(slots, durationS, cutsS);
}

/** The slots that a range covers by half or more. */
function slotsOf<Slot>(slots: readonly Slot[], startS: number, endS: number): Slot[] {
  return slots.slice(Math.round(startS / SLOT_S), Math.max(Math.round(endS / SLOT_S), Math.round(startS / SLOT_S) + 1));
}

function mergeSlots(slots: readonly ViewState[], durationS: number, cutsS: readonly number[]): CaptionSegment[] {
  const segments: CaptionSegment[] = [];
  let from = 0;
  const close = (endS: number, until: number) => {
    const startS = segments.at(-1)?.endS ?? 0;
    if (endS <= startS) return;
    segments.push({ ...mostFrequent(slots.slice(from, Math.max(until, from + 1))), startS, endS });
    from = until;
  };
  for (let i = 1; i < slots.length; i++) {
    const startS = segments.at(-1)?.endS ?? 0;
    const timeS = i * SLOT_S;
    const cutS = cutsS.find((time) => time > Math.max(startS, timeS - SLOT_S) && time <= timeS);
    const isChange = keyOf(slots[i]!) !== keyOf(slots[i - 1]!) && timeS - startS >= MIN_SEGMENT_S;
    if (cutS !== undefined) close(cutS, i);
    else if (isChange || timeS - startS >= MAX_SEGMENT_S) close(timeS, i);
  }
  close(durationS, slots.length);
  return segments;
}

function mostFrequent(slots: readonly ViewState[]): ViewState {
  const groups = [...Map.groupBy(slots, keyOf).values()].sort((a, b) => b.length - a.length);
  return groups[0]![0]!;
}

const keyOf = ({ counts, states }: ViewState) =>
  JSON.stringify([[...counts].sort(([a], [b]) => (a < b ? -1 : 1)), [...states].sort()]);
