import { type NamedChannel, wordsOfName } from './match.ts';

/** Names of directions, whose values start again after a full turn. Others are angles, such as of a joint. */
const DIRECTIONS = ['heading', 'azimuth', 'yaw', 'compass', 'cog'];
const TURNS: Readonly<Record<string, number>> = { '°': 360, rad: 2 * Math.PI };

/** A full turn in the unit of a channel of directions; null for other channels. */
export const turnOf = ({ name, unit }: NamedChannel): number | null =>
  (wordsOfName(name).some((word) => DIRECTIONS.includes(word)) && TURNS[unit ?? '']) || null;

/** Directions without jumps: each within half a turn of the one before, so that they may be more than a full turn. */
export function unwrapDirections(values: ArrayLike<number>, turn: number): Float64Array {
  const unwrapped = Float64Array.from(values);
  for (let i = 1; i < unwrapped.length; i++) {
    const step = unwrapped[i]! - unwrapped[i - 1]!;
    unwrapped[i] = unwrapped[i]! - turn * Math.round(step / turn);
  }
  return unwrapped;
}

/** A direction in the range in which these are written: from 0 on, or both ways from 0. */
export function wrapDirection(direction: number, turn: number, written: ArrayLike<number>): number {
  const isSigned = Array.from(written).some((value) => value < 0);
  const positive = ((direction % turn) + turn) % turn;
  return isSigned && positive > turn / 2 ? positive - turn : positive;
}
