import type { Track } from '../objects/observation.ts';

type Box = 'x' | 'y' | 'width' | 'height';

/**
 * A track over all frames between its first and last one: `frames` holds the frame of each examined one. Where the
 * detector did not look, boxes are interpolated and the score is 0.
 */
export function bridgeFrames(track: Track, frames: readonly number[]): Track {
  const own = [...track.frame].map((examined) => frames[examined]!);
  const first = own[0]!;
  const length = own.at(-1)! - first + 1;
  const column = (name: Box | 'score') => {
    const values = new Float32Array(length);
    for (const [at, frame] of own.entries()) {
      values[frame - first] = track[name][at]!;
      const next = own[at + 1];
      if (next === undefined || name === 'score') continue;
      for (let between = frame + 1; between < next; between++) {
        const share = (between - frame) / (next - frame);
        values[between - first] = track[name][at]! * (1 - share) + track[name][at + 1]! * share;
      }
    }
    return values;
  };
  return {
    ...track,
    frame: Int32Array.from({ length }, (_, at) => first + at),
    x: column('x'),
    y: column('y'),
    width: column('width'),
    height: column('height'),
    score: column('score'),
  };
}
