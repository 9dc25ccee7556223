import { CLASSES } from '../classes.ts';
import { colorsOfSums, SHARES_PER_BOX } from '../colors.ts';
import { TRAFFIC_LIGHT } from '../lit-lamp.ts';
import type { Edge, Track } from '../observation.ts';
import type { FrameSample, RawTrackEntry } from '../tracker/tracker.ts';
import { classAgreement } from './class-agreement.ts';
import type { ClassifiedTrack } from './classify-mover.ts';
import { findLitIntervals, type LampReading } from './lit-intervals.ts';
import { findStationaryIntervals } from './stationary.ts';

/** A box this close to the edge of the frame touches it. */
const TOUCH_DISTANCE = 0.015;
/** Distance, in its own sizes, that an object has to move over an edge within a few samples. */
const MIN_OUTWARD = 0.1;
/** Objects in the first or last sample were there before the video started or remain after it ends. */
const FIRST_SAMPLE = 0;
/** Number of samples over which the motion at the edge is measured. */
const SAMPLES_INSIDE = 3;

type Box = { x: number; y: number; width: number; height: number };
type Step = Box & { sample: number; score: number };

/**
 * Finishes a track: fills gaps, names its colors, and finds the edges of entry and exit and the stationary
 * intervals. The id is assigned later.
 */
export function finishTrack(
  { className, entries }: ClassifiedTrack,
  samples: readonly FrameSample[],
  colors: readonly Float32Array[],
): Track {
  const steps = interpolate(entries);
  const column = (value: (step: Step) => number) => Float32Array.from(steps, value);
  return {
    id: 0,
    className,
    ...colorsOfSums(className, sumShares(entries, colors)),
    frame: Int32Array.from(steps, ({ sample }) => sample),
    x: column(({ x }) => x),
    y: column(({ y }) => y),
    width: column(({ width }) => width),
    height: column(({ height }) => height),
    score: column(({ score }) => score),
    enteredFrom: enteredFrom(steps),
    leftTo: leftTo(steps, samples.length),
    agreement: classAgreement(className, steps, samples),
    stationary: findStationaryIntervals(steps, samples),
    ...(className === CLASSES[TRAFFIC_LIGHT] && { lit: findLitIntervals(lampReadings(entries, samples)) }),
  };
}

const lampReadings = (entries: readonly RawTrackEntry[], samples: readonly FrameSample[]): LampReading[] =>
  entries.map(({ sample, detection }) => ({ timeS: samples[sample]!.timeS, color: detection.lamp }));

/** One step per sample from the first to the last; gaps are interpolated, with score 0. */
function interpolate(entries: readonly RawTrackEntry[]): Step[] {
  return entries.flatMap((entry, index) => {
    const step = { ...boxOf(entry), sample: entry.sample, score: entry.detection.score };
    const next = entries[index + 1];
    const missing = next ? next.sample - entry.sample - 1 : 0;
    const between = Array.from({ length: missing }, (_, k): Step => {
      const part = (k + 1) / (missing + 1);
      const to = boxOf(next!);
      const mix = (key: keyof Box) => step[key] + (to[key] - step[key]) * part;
      return {
        x: mix('x'),
        y: mix('y'),
        width: mix('width'),
        height: mix('height'),
        sample: entry.sample + k + 1,
        score: 0,
      };
    });
    return [step, ...between];
  });
}

function boxOf({ detection: { x0, y0, x1, y1 } }: RawTrackEntry): Box {
  return { x: (x0 + x1) / 2, y: (y0 + y1) / 2, width: x1 - x0, height: y1 - y0 };
}

/** Larger and more confident detections weigh more. */
function sumShares(entries: readonly RawTrackEntry[], colors: readonly Float32Array[]): Float64Array {
  const sums = new Float64Array(SHARES_PER_BOX);
  for (const { sample, index, detection } of entries) {
    const { x0, y0, x1, y1, score } = detection;
    const weight = score * Math.sqrt((x1 - x0) * (y1 - y0));
    for (let k = 0; k < SHARES_PER_BOX; k++) sums[k]! += weight * colors[sample]![index * SHARES_PER_BOX + k]!;
  }
  return sums;
}

function enteredFrom(steps: readonly Step[]): Edge | null {
  const first = steps[0]!;
  if (first.sample === FIRST_SAMPLE) return null;
  return edgeOf(first, steps[Math.min(SAMPLES_INSIDE, steps.length - 1)]!);
}

function leftTo(steps: readonly Step[], samples: number): Edge | null {
  const last = steps.at(-1)!;
  if (last.sample === samples - 1) return null;
  return edgeOf(last, steps.at(-Math.min(SAMPLES_INSIDE + 1, steps.length))!);
}

/**
 * The edge that an object moves over at one end of its track; `inner` is a step some samples inside. Of several, the
 * one it moves over most. Fast objects are not detected at the edge itself, so the box is moved on by one sample.
 * Null for an object that only stands at the edge: it was detected late or lost early.
 */
function edgeOf(end: Step, inner: Step): Edge | null {
  const samples = Math.max(1, Math.abs(end.sample - inner.sample));
  const [wayX, wayY] = [end.x - inner.x, end.y - inner.y];
  const [x, y] = [end.x + wayX / samples, end.y + wayY / samples];
  const candidates: { edge: Edge; outward: number; gap: number }[] = [
    { edge: 'left', outward: -wayX / end.width, gap: x - end.width / 2 },
    { edge: 'right', outward: wayX / end.width, gap: 1 - x - end.width / 2 },
    { edge: 'top', outward: -wayY / end.height, gap: y - end.height / 2 },
    { edge: 'bottom', outward: wayY / end.height, gap: 1 - y - end.height / 2 },
  ];
  const crossed = candidates.filter(({ gap, outward }) => gap < TOUCH_DISTANCE && outward >= MIN_OUTWARD);
  return crossed.toSorted((a, b) => b.outward - a.outward)[0]?.edge ?? null;
}
