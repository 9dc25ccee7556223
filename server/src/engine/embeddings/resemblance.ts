import { DIMENSIONS } from './encoder.ts';
import type { FrameVectors } from './scan/types.ts';

/** Factor of cosines before they are compared: the published one of CLIP. */
const LOGIT_SCALE = 100;
/** Frames count from this share on: the words describe them better than all other descriptions together. */
export const MIN_RESEMBLANCE = 0.5;

/**
 * Descriptions that compete with the words, so that a frame counts only if they describe it better than what most
 * frames show.
 */
export const OTHER_DESCRIPTIONS = [
  'something else',
  'a street',
  'a road with cars',
  'a room',
  'people',
  'a table with objects',
  'a field',
  'a wall',
  'the sky',
  'a dark scene',
  'a blurred scene',
] as const;

/** Consecutive frames that resemble the words: indexes of the first, the last and the best one, and its share. */
export type ResemblingFrames = { first: number; last: number; best: number; share: number };

/**
 * Frames that words describe better than the other descriptions, by the softmax of their cosines; consecutive ones are
 * joined, the best runs come first. All vectors have length 1.
 */
export function findResemblance(
  frames: FrameVectors,
  words: Float32Array,
  others: readonly Float32Array[],
): ResemblingFrames[] {
  const runs: ResemblingFrames[] = [];
  for (let frame = 0; frame < frames.timeS.length; frame++) {
    const share = shareOf(frames, frame, words, others);
    if (share < MIN_RESEMBLANCE) continue;
    const run = runs.at(-1);
    if (run?.last !== frame - 1) runs.push({ first: frame, last: frame, best: frame, share });
    else Object.assign(run, { last: frame }, share > run.share ? { best: frame, share } : {});
  }
  return runs.toSorted((a, b) => b.share - a.share || a.first - b.first);
}

/** A view of an object that resembles the words: its index, and its share. */
export type ResemblingObject = { index: number; share: number };

/** The same among views of objects: the best one of each object (`groups`) that counts, the best first. */
export function findResemblingObjects(
  views: FrameVectors & { groups: Int32Array },
  words: Float32Array,
  others: readonly Float32Array[],
): ResemblingObject[] {
  const best = new Map<number, ResemblingObject>();
  for (const [index, group] of views.groups.entries()) {
    const share = shareOf(views, index, words, others);
    if (share >= MIN_RESEMBLANCE && share > (best.get(group)?.share ?? 0)) best.set(group, { index, share });
  }
  return [...best.values()].sort((a, b) => b.share - a.share || a.index - b.index);
}

/** Share of the words in the softmax of the cosines with a vector. */
function shareOf(frames: FrameVectors, at: number, words: Float32Array, others: readonly Float32Array[]): number {
  const cosine = cosineOf(frames, at, words);
  const competing = others.map((other) => Math.exp(LOGIT_SCALE * (cosineOf(frames, at, other) - cosine)));
  return 1 / (1 + competing.reduce((sum, each) => sum + each, 0));
}

function cosineOf({ scales, vectors }: FrameVectors, frame: number, words: Float32Array): number {
  let sum = 0;
  for (let i = 0, at = frame * DIMENSIONS; i < DIMENSIONS; i++, at++) sum += vectors[at]! * words[i]!;
  return sum * scales[frame]!;
}
