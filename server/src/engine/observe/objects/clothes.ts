/** A part of a person's box, in fractions of the frame. */
export type BoxPart = { x0: number; y0: number; x1: number; y1: number };

/** Columns of the box that show the body: arms, bags and the background are beside them. */
const BODY = { left: 0.3, right: 0.7 };
/** Rows of the torso and the legs of an upright person, as fractions of the height, without head and shoes. */
const TORSO = { top: 0.2, bottom: 0.48 };
const LEGS = { top: 0.55, bottom: 0.88 };
/** Rows of the torso where the box shows little more: of a person who sits, is close or stands behind something. */
const BUST = { top: 0.4, bottom: 0.85 };
/** A box less tall than this, in its widths, shows no legs. */
const BUST_SHAPE = 1.6;
/** Height of an upright person, in widths of the box: a box that the frame cuts at the bottom shows a part of it. */
const UPRIGHT_SHAPE = 2.7;
/** A box this close to the bottom of the frame is cut by it. */
const CUT = 0.985;

/**
 * Where the clothes of a person are: on the torso and on the legs; null where the box does not show them.
 *
 * @param aspect width of the frame divided by its height.
 */
export function locateClothes({ x0, y0, x1, y1 }: BoxPart, aspect: number): { upper: BoxPart; lower: BoxPart | null } {
  const [width, height] = [(x1 - x0) * aspect, y1 - y0];
  const columns = { x0: x0 + (x1 - x0) * BODY.left, x1: x0 + (x1 - x0) * BODY.right };
  const rows = ({ top, bottom }: { top: number; bottom: number }, tall: number) => ({
    ...columns,
    y0: y0 + tall * top,
    y1: Math.min(y1, y0 + tall * bottom),
  });
  if (height < BUST_SHAPE * width) return { upper: rows(BUST, height), lower: null };
  const tall = y1 >= CUT ? Math.max(height, UPRIGHT_SHAPE * width) : height;
  return { upper: rows(TORSO, tall), lower: rows(LEGS, tall) };
}
