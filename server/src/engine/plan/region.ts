import type { Region, Side } from './schema.ts';

export type Rectangle = Exclude<Region, { points: unknown }>;

const THIRD = 1 / 3;

/**
 * The region named by side words: a third of the frame ("on the left"), a half ("left half"), a ninth ("top left"),
 * or the middle third. Null if they contradict each other.
 */
export function regionOf(sides: readonly (Side | 'middle')[], half: boolean): Rectangle | null {
  const has = (side: Side | 'middle') => sides.includes(side);
  const part = half ? 0.5 : THIRD;
  if ((has('left') && has('right')) || (has('top') && has('bottom'))) return null;
  const onlyMiddle = sides.every((side) => side === 'middle');
  const horizontal = has('left') ? [0, part] : has('right') ? [1 - part, part] : onlyMiddle ? [THIRD, THIRD] : [0, 1];
  const vertical = has('top') ? [0, part] : has('bottom') ? [1 - part, part] : has('middle') ? [THIRD, THIRD] : [0, 1];
  const name = [...new Set(sides)].join(' ') + (half ? ' half' : '');
  return {
    name,
    x: round(horizontal[0]!),
    y: round(vertical[0]!),
    width: round(horizontal[1]!),
    height: round(vertical[1]!),
  };
}

const round = (value: number) => Math.round(value * 1e4) / 1e4;
