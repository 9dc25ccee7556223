/** More columns than these are too small for the eye on a wide screen: tiles grow instead. */
const MOST_COLUMNS = 10;

/** Columns of at least `minWidth` pixels that fit into a width, and no fewer than `least`. */
export const fitColumns = (width: number, minWidth: number, gap: number, least = 1): number =>
  Math.min(MOST_COLUMNS, Math.max(least, Math.floor((width + gap) / (minWidth + gap))));
