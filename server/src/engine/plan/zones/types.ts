/** A point in the frame, in fractions of its width and height from the top left corner. */
export type ZonePoint = { readonly x: number; readonly y: number };

/**
 * A place that was drawn in the frame of a fixed camera, which prompts call by its name: a polygon, or a line of two
 * points whose inner side is on its right, as seen from the first to the second point.
 */
export type Zone = { name: string; kind: 'polygon' | 'line'; points: readonly ZonePoint[] };
