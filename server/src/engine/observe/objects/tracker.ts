import { type CameraStep, NO_STEP } from './camera.ts';
import { UNKNOWN } from './classes.ts';
import { advance, coverOf, type Followed, likenessOf, movesIn, placeOf, see, startFollowing } from './likeness.ts';
import type { Box } from './movers.ts';
import { type Detection, overlap } from './yolox.ts';

/**
 * Tracking: which boxes of different pictures are the same thing. ByteTrack's idea: sure detections are matched first, then unsure ones only with what
 * is already followed, so that a thing half hidden is not lost and noise starts nothing. Predictions follow the thing's own motion and the
 * camera's; a thing lost for a short time is taken up again, but never across a cut. What moves before a standing camera is followed too where the detector sees nothing.
 */
export type Look = {
  timeS: number;
  /** How the picture moved since the look before, and whether it was cut. */
  camera: CameraStep;
  cut: boolean;
  /** Where something moves by itself. */
  moving: readonly Box[];
  detections: readonly Detection[];
};
/** A thing followed: one entry per look in which it was seen, and how many began before it. */
export type RawTrack = { order: number; entries: RawEntry[] };
export type RawEntry = {
  look: number;
  detection: Detection;
  /** Its place among the look's detections and, after them, what moves in it. */
  index: number;
  /** Whether something moved there. */
  moves: boolean;
};

/** From here a detection is sure. */
const SURE = 0.4;
/** A new track needs this. */
const STARTS = 0.45;
/** Motion tells that something is there as well as an unsure detection does. */
export const MOTION_SCORE = 0.35;
/** Looks for which a lost thing is looked for, and seconds of one that is confirmed: a part of a thing taken for another one is not taken up again as the next that comes by. */
const LOST_LOOKS = 2;
const LOST_S = 2;
/** Sure sightings that confirm a thing. */
const CONFIRMED = 2;
/** At this overlap of the enlarged boxes two are matched: sure ones, unsure ones, and what only moves. */
const MATCH_SURE = 0.15;
const MATCH_UNSURE = 0.35;
const MATCH_MOTION = 0.35;
/** Motion is explained by a thing of which this share lies in it, whatever else may move beside it. */
const EXPLAINED = 0.5;
/** Boxes that overlap this much on both sides of a cut show that it was none: a flash, a broken picture. */
const SAME_PLACE = 0.7;

/** `unconfirmed`: how many sure sightings it lacks; what only moves lacks none. */
type Active = Followed & { track: RawTrack; lastSeenLook: number; unconfirmed: number };
type Candidate = { box: Detection; index: number; moves: boolean };

export type Tracker = {
  /** Takes the next look. Returns the tracks that ended before it. */
  take(look: Look): RawTrack[];
  /** The tracks that are left. */
  finish(): RawTrack[];
  /** The earliest look that a track which has not ended was seen in; the next one when there is none. */
  since(): number;
};

export function createTracker(): Tracker {
  let active: Active[] = [];
  let before: Look | null = null;
  let looks = 0;
  let begun = 0;

  function take(look: Look): RawTrack[] {
    const index = looks++;
    const ended: RawTrack[] = [];
    const keep = (stays: (thing: Active) => boolean) => {
      const { kept = [], gone = [] } = Object.groupBy(active, (thing) => (stays(thing) ? 'kept' : 'gone'));
      for (const { track } of gone) ended.push(track);
      active = kept;
    };
    const dt = before ? look.timeS - before.timeS : 0;
    keep(({ lastSeenS, lastSeenLook, unconfirmed }) => {
      return index - lastSeenLook <= LOST_LOOKS || (unconfirmed <= 0 && look.timeS - lastSeenS <= LOST_S);
    });
    for (const thing of active) advance(thing, dt, before ? look.camera : NO_STEP, look.timeS);
    const seen = look.detections.map((box, at) => ({ box, index: at, moves: movesIn(box, look.moving) }));
    if (look.cut) keep((thing) => isStillThere(thing, look));
    const at = { timeS: look.timeS, look: index };

    const sure = match(
      active,
      seen.filter(({ box }) => box.score >= SURE),
      at,
      MATCH_SURE,
    );
    const recent = sure.things.filter(({ lastSeenLook }) => lastSeenLook === index - 1);
    match(
      recent,
      seen.filter(({ box }) => box.score < SURE),
      at,
      MATCH_UNSURE,
    );
    const begin = ({ box, index: place, moves }: Candidate) => {
      const track = { order: begun++, entries: [{ look: index, detection: box, index: place, moves }] };
      const unconfirmed = box.classIndex === UNKNOWN ? 0 : CONFIRMED - 1;
      active.push({ ...startFollowing(box, moves, look.timeS), track, lastSeenLook: index, unconfirmed });
    };
    for (const candidate of sure.candidates) if (candidate.box.score >= STARTS) begin(candidate);

    const explained = (box: Box, things: readonly Active[]) =>
      things.some(
        (thing) => coverOf(placeOf(thing), [box]) >= EXPLAINED || coverOf(box, [placeOf(thing)]) >= EXPLAINED,
      );
    const known = active.filter(({ lastSeenLook }) => lastSeenLook === index);
    const unexplained = look.moving
      .map((box, place) => motionOnly(box, look.detections.length + place))
      .filter(({ box }) => !explained(box, known));
    const lost = active.filter((thing) => thing.lastSeenLook < index && thing.moves);
    const left = match(lost, unexplained, at, MATCH_MOTION);
    for (const candidate of left.candidates) if (!explained(candidate.box, left.things)) begin(candidate);
    before = look;
    return ended;
  }

  return {
    take,
    finish: () => active.map(({ track }) => track),
    since: () => active.reduce((first, { track }) => Math.min(first, track.entries[0]!.look), looks),
  };
}

const motionOnly = (box: Box, index: number): Candidate => ({
  box: { ...box, classIndex: UNKNOWN, score: MOTION_SCORE },
  index,
  moves: true,
});

function isStillThere({ track }: Active, { detections }: Look): boolean {
  const last = track.entries.at(-1)!.detection;
  return detections.some((box) => box.classIndex === last.classIndex && overlap(box, last) >= SAME_PLACE);
}

/** Pairs things with what was seen, most overlapping first. Returns what is left of both. */
function match(
  things: Active[],
  candidates: Candidate[],
  { timeS, look }: { timeS: number; look: number },
  least: number,
) {
  const pairs = things.flatMap((thing, order) =>
    candidates.flatMap((candidate, place) => {
      const likeness = likenessOf(thing, candidate.box, candidate.moves, timeS);
      return likeness >= least ? [{ thing, candidate, likeness, order, place }] : [];
    }),
  );
  pairs.sort((a, b) => b.likeness - a.likeness || a.order - b.order || a.place - b.place);
  const takenThings = new Set<Active>();
  const takenCandidates = new Set<Candidate>();
  for (const { thing, candidate } of pairs) {
    if (takenThings.has(thing) || takenCandidates.has(candidate)) continue;
    takenThings.add(thing);
    takenCandidates.add(candidate);
    const { box, index, moves } = candidate;
    see(thing, box, moves, timeS);
    thing.track.entries.push({ look, detection: box, index, moves });
    thing.lastSeenLook = look;
    if (box.score >= SURE) thing.unconfirmed--;
  }
  return {
    things: things.filter((thing) => !takenThings.has(thing)),
    candidates: candidates.filter((candidate) => !takenCandidates.has(candidate)),
  };
}
