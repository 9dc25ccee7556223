import type { Objects, Track } from '../objects/observation.ts';

/** A view of a tracked object: its box in one of the sampled frames. */
export type SelectedView = {
  track: Track;
  /** Index into the arrays of the track. */
  entry: number;
  timeS: number;
  /** Left, top, width and height as fractions of the frame. */
  box: { x: number; y: number; width: number; height: number };
  /** Its area times the detector's score: the higher, the more is to be seen of the object. */
  worth: number;
};

type Size = { width: number; height: number };

/** Shortest side of a box in pixels of the video: the model enlarges what is smaller, and little of it is left. */
export const MIN_SIDE = 48;
/** Views of a video at most: about as many computations as frames of eight minutes. */
export const MAX_VIEWS = 500;
/** An object that is in view for this many seconds, or longer, has a view in each third of its time. */
const LONG_S = 10;
const LONG_VIEWS = 3;
/** A box that is this close to the edge of the frame, as a fraction, is probably cut off by it. */
const EDGE = 0.004;

/**
 * Chooses the best views of tracked objects: the largest clear box that the edge of the frame does not cut off, or, of
 * an object that it always cuts off, the largest. Objects that are smaller than 48 pixels have none. If there are more
 * than fit, the best view of each object comes first, and the largest objects remain. Returns them in the order of
 * tracks and time.
 */
export function selectViews(objects: Objects, video: Size): SelectedView[] {
  const chosen = objects.tracks.flatMap((track) => viewsOf(track, objects, video));
  if (chosen.length <= MAX_VIEWS) return chosen.map(({ view }) => view);
  const best = chosen.toSorted((a, b) => a.rank - b.rank || b.view.worth - a.view.worth).slice(0, MAX_VIEWS);
  const views = new Set(best.map(({ view }) => view));
  return chosen.flatMap(({ view }) => (views.has(view) ? [view] : []));
}

/** `rank` is 0 for the best view of a track, 1 for the next one. */
function viewsOf(track: Track, { timeS }: Objects, video: Size): { view: SelectedView; rank: number }[] {
  const views = [...track.frame.keys()].flatMap((entry): SelectedView[] => {
    const box = boxOf(track, entry);
    const score = track.score[entry]!;
    // Where a track was bridged, nothing was detected.
    if (score <= 0 || Math.min(box.width * video.width, box.height * video.height) < MIN_SIDE) return [];
    return [{ track, entry, timeS: timeS[track.frame[entry]!]!, box, worth: box.width * box.height * score }];
  });
  const uncut = views.filter(isUncut);
  const usable = uncut.length > 0 ? uncut : views;
  if (usable.length === 0) return [];
  const [startS, endS] = [usable[0]!.timeS, usable.at(-1)!.timeS];
  const parts = endS - startS >= LONG_S ? LONG_VIEWS : 1;
  const partOf = (view: SelectedView) =>
    Math.min(parts - 1, Math.floor((parts * (view.timeS - startS)) / (endS - startS || 1)));
  const best = [...Map.groupBy(usable, partOf).values()].map((own) =>
    own.reduce((a, b) => (b.worth > a.worth ? b : a)),
  );
  const ranked = best.toSorted((a, b) => b.worth - a.worth);
  return best.map((view) => ({ view, rank: ranked.indexOf(view) }));
}

/** The part of a box that is in the frame. */
function boxOf({ x, y, width, height }: Track, entry: number): SelectedView['box'] {
  const part = (center: number, length: number): [number, number] => {
    const from = Math.max(0, center - length / 2);
    return [from, Math.min(1, center + length / 2) - from];
  };
  const [left, shownWidth] = part(x[entry]!, width[entry]!);
  const [top, shownHeight] = part(y[entry]!, height[entry]!);
  return { x: left, y: top, width: shownWidth, height: shownHeight };
}

const isUncut = ({ box: { x, y, width, height } }: SelectedView) =>
  x > EDGE && y > EDGE && x + width < 1 - EDGE && y + height < 1 - EDGE;
