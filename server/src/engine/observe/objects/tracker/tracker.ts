import { UNKNOWN_CLASS } from '../classes.ts';
import { type Detection, iou } from '../detector/detection.ts';
import {
  coveredShare,
  createTrackState,
  hasMotion,
  predictTrack,
  scoreAssociation,
  type TrackState,
  toPredictedBox,
  updateTrack,
} from './association.ts';
import { type CameraTransform, IDENTITY_TRANSFORM } from './camera-transform.ts';
import type { BoxCorners } from './moving-regions.ts';

/** One frame that the detector examined. */
export type FrameSample = {
  timeS: number;
  /** Motion of the frame since the previous sample, and whether there was a cut between them. */
  camera: CameraTransform;
  cut: boolean;
  /** Moving regions. */
  moving: readonly BoxCorners[];
  detections: readonly Detection[];
};
/** A tracked object: one entry per sample it was found in, and the number of tracks that started before. */
export type RawTrack = { order: number; entries: RawTrackEntry[] };
export type RawTrackEntry = {
  sample: number;
  detection: Detection;
  /** Index among the detections of the sample, or after them, of its moving region. */
  index: number;
  /** True if there was motion. */
  moves: boolean;
};

/** Score of a confident detection. */
const CONFIDENT = 0.4;
/** Score that starts a new track. */
const MIN_START_SCORE = 0.45;
/** Motion shows an object as well as an uncertain detection does. */
export const MOTION_SCORE = 0.35;
/**
 * Samples for which a lost track is continued, and seconds for a confirmed one. An unconfirmed track, such as a part
 * of an object mistaken for another one, is not continued by the next object that passes.
 */
const MAX_LOST_SAMPLES = 2;
const MAX_LOST_S = 2;
/** Confident detections that confirm a track. */
const CONFIRMING_DETECTIONS = 2;
/** Overlap of enlarged boxes for a match: of confident detections, uncertain ones, and motion. */
const MATCH_CONFIDENT = 0.15;
const MATCH_UNCERTAIN = 0.35;
const MATCH_MOTION = 0.35;
/** Motion is explained by an object with this share inside it, whatever else may move beside it. */
const EXPLAINED = 0.5;
/** Boxes that overlap this much on both sides of a cut show that there was none: it was a flash or a broken frame. */
const SAME_PLACE = 0.7;

/** `unconfirmed`: number of confident detections that are missing; 0 for tracks of motion. */
type Active = TrackState & { track: RawTrack; lastSeenSample: number; unconfirmed: number };
type Candidate = { box: Detection; index: number; moves: boolean };

export type Tracker = {
  /** Takes the next sample. Returns the tracks that ended before it. */
  update(sample: FrameSample): RawTrack[];
  /** The remaining tracks. */
  finish(): RawTrack[];
  /** The earliest sample of the active tracks; the next sample if there are none. */
  firstSampleInUse(): number;
};

/**
 * Tracks objects like ByteTrack: confident detections are matched first, then uncertain ones with existing tracks only,
 * so that half hidden objects are not lost and noise starts no track. Predictions use the motion of the object and of
 * the camera. Lost tracks are continued for a short time, but never across a cut. In front of a fixed camera, moving
 * regions without a detection are tracked too.
 */
export function createTracker(): Tracker {
  let active: Active[] = [];
  let previous: FrameSample | null = null;
  let sampleCount = 0;
  let startedCount = 0;

  function update(sample: FrameSample): RawTrack[] {
    const index = sampleCount++;
    const ended: RawTrack[] = [];
    const keep = (stays: (tracked: Active) => boolean) => {
      ended.push(...active.filter((tracked) => !stays(tracked)).map(({ track }) => track));
      active = active.filter(stays);
    };
    const dt = previous ? sample.timeS - previous.timeS : 0;
    keep(({ lastSeenS, lastSeenSample, unconfirmed }) => {
      return index - lastSeenSample <= MAX_LOST_SAMPLES || (unconfirmed <= 0 && sample.timeS - lastSeenS <= MAX_LOST_S);
    });
    for (const tracked of active)
      predictTrack(tracked, dt, previous ? sample.camera : IDENTITY_TRANSFORM, sample.timeS);
    const seen = sample.detections.map((box, at) => ({ box, index: at, moves: hasMotion(box, sample.moving) }));
    if (sample.cut) keep((tracked) => isStillThere(tracked, sample));
    const at = { timeS: sample.timeS, sampleIndex: index };

    const confident = match(
      active,
      seen.filter(({ box }) => box.score >= CONFIDENT),
      at,
      MATCH_CONFIDENT,
    );
    const recent = confident.tracks.filter(({ lastSeenSample }) => lastSeenSample === index - 1);
    match(
      recent,
      seen.filter(({ box }) => box.score < CONFIDENT),
      at,
      MATCH_UNCERTAIN,
    );
    const begin = ({ box, index: place, moves }: Candidate) => {
      const track = { order: startedCount++, entries: [{ sample: index, detection: box, index: place, moves }] };
      const unconfirmed = box.classIndex === UNKNOWN_CLASS ? 0 : CONFIRMING_DETECTIONS - 1;
      active.push({ ...createTrackState(box, moves, sample.timeS), track, lastSeenSample: index, unconfirmed });
    };
    for (const candidate of confident.candidates) if (candidate.box.score >= MIN_START_SCORE) begin(candidate);

    const explained = (box: BoxCorners, tracks: readonly Active[]) =>
      tracks.some(
        (tracked) =>
          coveredShare(toPredictedBox(tracked), [box]) >= EXPLAINED ||
          coveredShare(box, [toPredictedBox(tracked)]) >= EXPLAINED,
      );
    const known = active.filter(({ lastSeenSample }) => lastSeenSample === index);
    const unexplained = sample.moving
      .map((box, place) => toMotionCandidate(box, sample.detections.length + place))
      .filter(({ box }) => !explained(box, known));
    const lost = active.filter((tracked) => tracked.lastSeenSample < index && tracked.moves);
    const left = match(lost, unexplained, at, MATCH_MOTION);
    for (const candidate of left.candidates) if (!explained(candidate.box, left.tracks)) begin(candidate);
    previous = sample;
    return ended;
  }

  return {
    update,
    finish: () => active.map(({ track }) => track),
    firstSampleInUse: () => active.reduce((first, { track }) => Math.min(first, track.entries[0]!.sample), sampleCount),
  };
}

const toMotionCandidate = (box: BoxCorners, index: number): Candidate => ({
  box: { ...box, classIndex: UNKNOWN_CLASS, score: MOTION_SCORE },
  index,
  moves: true,
});

function isStillThere({ track }: Active, { detections }: FrameSample): boolean {
  const last = track.entries.at(-1)!.detection;
  return detections.some((box) => box.classIndex === last.classIndex && iou(box, last) >= SAME_PLACE);
}

/** Matches tracks and candidates, largest overlap first. Returns those without a match. */
function match(
  tracks: Active[],
  candidates: Candidate[],
  { timeS, sampleIndex }: { timeS: number; sampleIndex: number },
  minScore: number,
) {
  const pairs = tracks.flatMap((tracked, order) =>
    candidates.flatMap((candidate, place) => {
      const score = scoreAssociation(tracked, candidate.box, candidate.moves, timeS);
      return score >= minScore ? [{ tracked, candidate, score, order, place }] : [];
    }),
  );
  pairs.sort((a, b) => b.score - a.score || a.order - b.order || a.place - b.place);
  const takenTracks = new Set<Active>();
  const takenCandidates = new Set<Candidate>();
  for (const { tracked, candidate } of pairs) {
    if (takenTracks.has(tracked) || takenCandidates.has(candidate)) continue;
    takenTracks.add(tracked);
    takenCandidates.add(candidate);
    const { box, index, moves } = candidate;
    updateTrack(tracked, box, moves, timeS);
    tracked.track.entries.push({ sample: sampleIndex, detection: box, index, moves });
    tracked.lastSeenSample = sampleIndex;
    if (box.score >= CONFIDENT) tracked.unconfirmed--;
  }
  return {
    tracks: tracks.filter((tracked) => !takenTracks.has(tracked)),
    candidates: candidates.filter((candidate) => !takenCandidates.has(candidate)),
  };
}
