import { CLASS_GROUPS, CLASSES } from '../objects/classes.ts';
import { COLORS, toNamedColors } from '../objects/colors.ts';
import type { FrameDetections } from '../objects/detector/detector.ts';
import { type Detection, iou } from '../objects/detector/yolox.ts';
import type { Track } from '../objects/observation.ts';

/** Minimum score of a detection: higher than in the dense pass, because no second frame confirms it. */
const MIN_SCORE = 0.5;
/** Minimum overlap (intersection over union) of the boxes of an object that stays in place. */
const MIN_OVERLAP = 0.5;

/** Overlap from which two detections are one object, and the lead in score that decides what it is. */
const SAME_BOX = 0.7;
const CLEAR_LEAD = 0.15;

type SampledDetection = { sample: number; box: Detection; colors: Float32Array };

/**
 * Builds tracks from frames seconds apart: an object that stays in place is one track; every other detection is its
 * own.
 */
export function buildTracks(samples: readonly FrameDetections[]): Track[] {
  const tracks: SampledDetection[][] = [];
  let previous: SampledDetection[][] = [];
  samples.forEach(({ detections, colors }, sample) => {
    const certain = detections.map((box) => box.score >= MIN_SCORE && !isAmbiguous(box, detections));
    const unmatched = new Set(previous);
    previous = detections.flatMap((box, at): SampledDetection[][] => {
      if (!certain[at]) return [];
      const detection = { sample, box, colors: colors.subarray(at * COLORS.length, (at + 1) * COLORS.length) };
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

/** True if the detector takes the same object for something of another kind with a similar score. */
function isAmbiguous(box: Detection, detections: readonly Detection[]): boolean {
  return detections.some(
    (other) =>
      CLASS_GROUPS[other.classIndex] !== CLASS_GROUPS[box.classIndex] &&
      other.score >= box.score - CLEAR_LEAD &&
      iou(box, other) >= SAME_BOX,
  );
}

const isSameObject = (a: Detection, b: Detection) => a.classIndex === b.classIndex && iou(a, b) >= MIN_OVERLAP;

function toTrack(detections: readonly SampledDetection[], id: number): Track {
  const column = (value: (box: Detection) => number) => Float32Array.from(detections, ({ box }) => value(box));
  const sums = new Float64Array(COLORS.length);
  for (const { colors } of detections) for (const [k, share] of colors.entries()) sums[k]! += share;
  return {
    id,
    className: CLASSES[detections[0]!.box.classIndex]!,
    colors: toNamedColors(sums),
    frame: Int32Array.from(detections, ({ sample }) => sample),
    x: column(({ x0, x1 }) => (x0 + x1) / 2),
    y: column(({ y0, y1 }) => (y0 + y1) / 2),
    width: column(({ x0, x1 }) => x1 - x0),
    height: column(({ y0, y1 }) => y1 - y0),
    score: column(({ score }) => score),
    enteredFrom: null,
    leftTo: null,
    stationary: [],
  };
}
