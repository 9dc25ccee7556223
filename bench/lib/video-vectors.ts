import { DIMENSIONS, type FrameVectors, quantize } from '../../server/src/engine/index.ts';

/** Seconds for which a view hardly changes. */
const VIEW_S = 20;
/** Parts of a vector, by the direction that they share: all images, a place, a video, a view, nothing. */
const WEIGHTS = { all: 0.6, place: 0.5, video: 0.35, view: 0.3, frame: 0.2 };

/**
 * Vectors that are distributed like those of footage: all in one cone, videos around places, and frames that hardly
 * differ from their neighbors. The same for the same seed.
 */
export function createVideoVectors(seed: number, placeCount: number) {
  const random = createRandom(seed);
  /** Sums of uniform numbers; about normal, and ten times as fast as exactly normal ones. */
  const direction = () =>
    Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() + random() - 2);
  const all = direction();
  const places = Array.from({ length: placeCount }, direction);
  const noise = Float32Array.from(
    { length: 2 ** 20 + DIMENSIONS },
    () => random() + random() + random() + random() - 2,
  );
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;

  /** The weighted sum of directions, which the frames of a view share. */
  function sum(parts: readonly (readonly [number, Float32Array])[]): Float32Array {
    const vector = new Float32Array(DIMENSIONS);
    for (const [weight, part] of parts) for (let at = 0; at < DIMENSIONS; at++) vector[at]! += weight * part[at]!;
    return vector;
  }

  /** The vector of length 1 of a frame: what it shares with others, and noise. */
  function addNoise(shared: Float32Array): Float32Array {
    const vector = new Float32Array(DIMENSIONS);
    const from = Math.floor(random() * 2 ** 20);
    let squares = 0;
    for (let at = 0; at < DIMENSIONS; at++) {
      const value = shared[at]! + WEIGHTS.frame * noise[from + at]!;
      vector[at] = value;
      squares += value * value;
    }
    const length = Math.sqrt(squares);
    for (let at = 0; at < DIMENSIONS; at++) vector[at]! /= length;
    return vector;
  }

  return {
    /** The frames of a video of one place, one a second. */
    video(frames: number): FrameVectors {
      const place = pick(places);
      const own = direction();
      let view: Float32Array = new Float32Array(DIMENSIONS);
      const vectors = new Int8Array(frames * DIMENSIONS);
      const scales = new Float32Array(frames);
      for (let at = 0; at < frames; at++) {
        if (at % VIEW_S === 0)
          view = sum([
            [WEIGHTS.all, all],
            [WEIGHTS.place, place],
            [WEIGHTS.video, own],
            [WEIGHTS.view, direction()],
          ]);
        const { bytes, scale } = quantize(addNoise(view));
        vectors.set(bytes, at * DIMENSIONS);
        scales[at] = scale;
      }
      return { timeS: Float64Array.from({ length: frames }, (_, second) => second), scales, vectors };
    },
    /** A query for a place that videos show, or for one that none does: then all are about as near. */
    query: (isKnown: boolean): Float32Array =>
      addNoise(
        sum([
          [WEIGHTS.all, all],
          [WEIGHTS.place, isKnown ? pick(places) : direction()],
          [WEIGHTS.video, direction()],
        ]),
      ),
  };
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
