import type { Track } from '../observe/observations.ts';

/** Share of a box that a color needs to name it: glass, tires, shadow and road are black and gray. */
const PAINT_SHARE = { chromatic: 0.2, gray: 0.5 };
const GRAYS = new Set(['black', 'white', 'gray', 'grey']);

/** The color that identifies an object, of its colors by their shares: one that is no gray first. Null without any. */
export function mainColor(colors: Track['colors']): string | null {
  const isPlain = ({ name, share }: Track['colors'][number]) =>
    share >= (GRAYS.has(name) ? PAINT_SHARE.gray : PAINT_SHARE.chromatic);
  return (colors.find((c) => !GRAYS.has(c.name) && isPlain(c)) ?? colors.find(isPlain))?.name ?? null;
}
