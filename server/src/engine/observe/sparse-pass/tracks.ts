import { CLASS_GROUPS, CLASSES } from '../objects/classes.ts';
import { colorsOfSums, SHARES_PER_BOX } from '../objects/colors.ts';
import { type Detection, iou } from '../objects/detector/detection.ts';
import type { FrameDetections } from '../objects/detector/detector.ts';
import type { Track } from '../objects/observation.ts';

/** Minimum score of a detection: higher than in the dense pass, because no second frame confirms it. */
const MIN_SCORE = 0.5;
/** Minimum overlap (intersection over union) of the boxes of an object that stays in place. */
const MIN_OVERLAP = 0.5;

/** Overlap from which two detections are one object. */
const SAME_BOX = 0.7;

type SampledDetection = { sample: number; box: Detection; colors: Float32Array };

/**
 * Builds tracks from frames seconds apart: an object that stays in place is one track; every other detection is its
 * own.
 */
export function buildTracks(samples: readonly FrameDetections[]): Track[] {
  const tracks: SampledDetection[][] = [];
  let previous: SampledDetection[][] = [];
  samples.forEach(({ detections, colors }, sample) => {
    const boxes = detections.map((box) => ({ ...box, score: box.score * shareOfVotes(box, detections) }));
    const unmatched = new Set(previous);
    previous = boxes.flatMap((box, at): SampledDetection[][] => {
      if (box.score < MIN_SCORE) return [];
      const detection = { sample, box, colors: colors.subarray(at * SHARES_PER_BOX, (at + 1) * SHARES_PER_BOX) };
      const match = [...unmatched].find((track) => isSameObject(track.at(-1)!.box, box));
      if (match) {
        unmatched.delete(match);
        match.push(detection);
        return [match];
      }
      const track = [detection];
      tracks.push(track);
      return [track];
    });
  });
  return tracks.map((track, index) => toTrack(track, index + 1));
}

/**
 * Share of a detection's score, 0 to 1, among those of all kinds in its place: one object has one kind. The dense pass
 * sums such votes over frames, where the wrong kind soon loses. In a single frame it may lead, so both count for less.
 */
function shareOfVotes(box: Detection, detections: readonly Detection[]): number {
  const rivals = detections.filter(
    (other) => CLASS_GROUPS[other.classIndex] !== CLASS_GROUPS[box.classIndex] && iou(box, other) >= SAME_BOX,
  );
  return box.score / rivals.reduce((sum, { score }) => sum + score, box.score);
}

const isSameObject = (a: Detection, b: Detection) => a.classIndex === b.classIndex && iou(a, b) >= MIN_OVERLAP;

function toTrack(detections: readonly SampledDetection[], id: number): Track {
  const column = (value: (box: Detection) => number) => Float32Array.from(detections, ({ box }) => value(box));
  const sums = new Float64Array(SHARES_PER_BOX);
  for (const { colors } of detections) for (const [k, share] of colors.entries()) sums[k]! += share;
  const className = CLASSES[detections[0]!.box.classIndex]!;
  return {
    id,
    className,
    ...colorsOfSums(className, sums),
    frame: Int32Array.from(detections, ({ sample }) => sample),
    x: column(({ x0, x1 }) => (x0 + x1) / 2),
    y: column(({ y0, y1 }) => (y0 + y1) / 2),
    width: column(({ x0, x1 }) => x1 - x0),
    height: column(({ y0, y1 }) => y1 - y0),
    score: column(({ score }) => score),
    enteredFrom: null,
    leftTo: null,
    // Scores were multiplied by it.
    agreement: 1,
    stationary: [],
  };
}
