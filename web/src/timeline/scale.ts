/** The shown part of a timeline: a range in seconds, over a width in CSS pixels. */
export type View = { start: number; end: number; width: number };
/** The whole video, in seconds, and the shortest range that may be shown. */
export type Bounds = { duration: number; shortest: number };

export const toX = (view: View, time: number): number => ((time - view.start) / (view.end - view.start)) * view.width;
export const toTime = (view: View, x: number): number => view.start + (x / view.width) * (view.end - view.start);
export const secondsPerPixel = (view: View): number => (view.end - view.start) / Math.max(1, view.width);

/** Bounds of a video. At the deepest zoom, one frame fills a quarter of the timeline. */
export const boundsOf = (duration: number, frameRate: number): Bounds => ({
  duration: Math.max(duration, 1 / frameRate),
  shortest: Math.min(Math.max(duration, 1 / frameRate), 4 / frameRate),
});

/** Shows `span` seconds from `start`, moved and shortened to be inside the video. */
export function fitView(width: number, start: number, span: number, { duration, shortest }: Bounds): View {
  const length = Math.min(duration, Math.max(shortest, span));
  const from = Math.min(Math.max(0, start), duration - length);
  return { start: from, end: from + length, width };
}

/** Zooms by a factor (above 1: closer) around the time at `x`, which stays there. */
export function zoomAround(view: View, factor: number, x: number, bounds: Bounds): View {
  const anchor = toTime(view, x);
  const span = Math.min(bounds.duration, Math.max(bounds.shortest, (view.end - view.start) / factor));
  return fitView(view.width, anchor - (x / view.width) * span, span, bounds);
}

/** Moves the shown range by CSS pixels; positive: to later times. */
export const panBy = (view: View, pixels: number, bounds: Bounds): View =>
  fitView(view.width, view.start + pixels * secondsPerPixel(view), view.end - view.start, bounds);

/** Moves the shown range, if a time is outside it, so that the time is at a quarter of the width. */
export function reveal(view: View, time: number, bounds: Bounds): View {
  if (time >= view.start && time <= view.end) return view;
  const span = view.end - view.start;
  return fitView(view.width, time - span / 4, span, bounds);
}

/** Position of a slider for the zoom, from 0 (everything) to 1 (single frames). */
export function zoomLevel(view: View, { duration, shortest }: Bounds): number {
  if (duration <= shortest) return 0;
  return Math.log(duration / (view.end - view.start)) / Math.log(duration / shortest);
}

/** The span of a position of the slider, in seconds. */
export const spanAt = (level: number, { duration, shortest }: Bounds): number =>
  duration * (shortest / duration) ** Math.min(1, Math.max(0, level));

/** Factor of one step of zooming by keys and buttons. */
export const KEY_ZOOM = 1.6;
