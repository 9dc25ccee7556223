import { COLORS, nameColors } from './colors.ts';
import type { Judged } from './mover.ts';
import type { Edge, Track } from './observation.ts';
import { findStationary } from './stationary.ts';
import type { Look, RawEntry } from './tracker.ts';

/** A box that comes this close to the picture's edge touches it. */
const TOUCHES = 0.015;
/** In its own sizes, how far a thing has to move over an edge within a few looks. */
const MOVES_OVER = 0.1;
/** Who is seen in the first or last look was there before the video began or stays after it ends. */
const AT_THE_START = 0;
/** How many looks from the edge its motion is measured over. */
const LOOKS_INSIDE = 3;

type Box = { x: number; y: number; width: number; height: number };
type Step = Box & { look: number; score: number };

/** Finishes a track: fills short losses, names its colours, and says where the thing came from, went to and stood still. Its number is not known yet. */
export function finishTrack(
  { className, entries }: Judged,
  looks: readonly Look[],
  colors: readonly Float32Array[],
): Track {
  const steps = bridge(entries);
  const column = (value: (step: Step) => number) => Float32Array.from(steps, value);
  return {
    id: 0,
    className,
    colors: colorsOf(entries, colors),
    frame: Int32Array.from(steps, ({ look }) => look),
    x: column(({ x }) => x),
    y: column(({ y }) => y),
    width: column(({ width }) => width),
    height: column(({ height }) => height),
    score: column(({ score }) => score),
    enteredFrom: enteredFrom(steps),
    leftTo: leftTo(steps, looks.length),
    stationary: findStationary(steps, looks),
  };
}

/** One step per look from the first to the last: what lies between two sightings is on the straight line, with score 0. */
function bridge(entries: readonly RawEntry[]): Step[] {
  return entries.flatMap((entry, index) => {
    const step = { ...boxOf(entry), look: entry.look, score: entry.detection.score };
    const next = entries[index + 1];
    const missing = next ? next.look - entry.look - 1 : 0;
    const between = Array.from({ length: missing }, (_, k): Step => {
      const part = (k + 1) / (missing + 1);
      const to = boxOf(next!);
      const mix = (key: keyof Box) => step[key] + (to[key] - step[key]) * part;
      return {
        x: mix('x'),
        y: mix('y'),
        width: mix('width'),
        height: mix('height'),
        look: entry.look + k + 1,
        score: 0,
      };
    });
    return [step, ...between];
  });
}

function boxOf({ detection: { x0, y0, x1, y1 } }: RawEntry): Box {
  return { x: (x0 + x1) / 2, y: (y0 + y1) / 2, width: x1 - x0, height: y1 - y0 };
}

/** Larger and surer sightings say more about colour. */
function colorsOf(entries: readonly RawEntry[], colors: readonly Float32Array[]): Track['colors'] {
  const sums = new Float64Array(COLORS.length);
  for (const { look, index, detection } of entries) {
    const { x0, y0, x1, y1, score } = detection;
    const weight = score * Math.sqrt((x1 - x0) * (y1 - y0));
    for (let k = 0; k < COLORS.length; k++) sums[k]! += weight * colors[look]![index * COLORS.length + k]!;
  }
  return nameColors(sums);
}

function enteredFrom(steps: readonly Step[]): Edge | null {
  const first = steps[0]!;
  if (first.look === AT_THE_START) return null;
  return edgeOf(first, steps[Math.min(LOOKS_INSIDE, steps.length - 1)]!);
}

function leftTo(steps: readonly Step[], looks: number): Edge | null {
  const last = steps.at(-1)!;
  if (last.look === looks - 1) return null;
  return edgeOf(last, steps.at(-Math.min(LOOKS_INSIDE + 1, steps.length))!);
}

/**
 * The edge that a thing moves over at one end of its track, seen from `inner`, some looks inside of it: of several the one it moves over most. A fast thing is not seen at the edge
 * itself, so its box is moved on by one look. Null for a thing that only stands at the edge: the detector found it late or lost it early.
 */
function edgeOf(end: Step, inner: Step): Edge | null {
  const looks = Math.max(1, Math.abs(end.look - inner.look));
  const [wayX, wayY] = [end.x - inner.x, end.y - inner.y];
  const [x, y] = [end.x + wayX / looks, end.y + wayY / looks];
  const candidates: { edge: Edge; outward: number; gap: number }[] = [
    { edge: 'left', outward: -wayX / end.width, gap: x - end.width / 2 },
    { edge: 'right', outward: wayX / end.width, gap: 1 - x - end.width / 2 },
    { edge: 'top', outward: -wayY / end.height, gap: y - end.height / 2 },
    { edge: 'bottom', outward: wayY / end.height, gap: 1 - y - end.height / 2 },
  ];
  const crossed = candidates.filter(({ gap, outward }) => gap < TOUCHES && outward >= MOVES_OVER);
  return crossed.toSorted((a, b) => b.outward - a.outward)[0]?.edge ?? null;
}
