/** Tracks and boxes that identify an event among those of other questions, thinned to be stored beside each event. */
export type Footprint = {
  tracks: FootprintTrack[];
  /** Boxes in frames of the event, of events without tracks. */
  boxes: FootprintBox[];
  /** Width of the narrowest box in fractions of the frame; null without boxes. */
  width: number | null;
};

/** A tracked object of the subject's class. Points: seconds, and the center in fractions of the frame. */
export type FootprintTrack = { id: number; points: [timeS: number, x: number, y: number][] };
type FootprintBox = { timeS: number; x: number; y: number; width: number; height: number };

/** The parts of a stored event that its footprint is made of. */
export type StoredEvidence = {
  type?: string;
  description?: string;
  data?: {
    evidence?: {
      frames?: { time_s: number; boxes: Omit<FootprintBox, 'timeS'>[] }[];
      tracks?: { id: number; class: string; path: [number, number, number][] }[];
      signals?: { name: string }[];
    };
  };
};

/** Most points of a track on the grid. */
const MAX_POINTS = 32;
/** Points are at multiples of this time in seconds, or of a power of two of it, so that events have common ones. */
const GRID_S = 0.5;
/** Seconds at both ends of a path that have points on the finest grid, for comparison with short events. */
const ENDS_S = 3;
/** Points of a path that are farther apart, in seconds, have no points in between. */
const MAX_GAP_S = 1.5;

/**
 * Returns the subject of an event and its footprint. Events with different subjects are never one incident. The subject
 * is the class of the first track, which is that of the subject of the prompt; else the signal; else the label.
 */
export function footprintOf({ type = '', description = '', data }: StoredEvidence): {
  subject: string;
  footprint: Footprint;
} {
  const { frames = [], tracks = [], signals = [] } = data?.evidence ?? {};
  const boxes = frames.flatMap(({ time_s, boxes: own = [] }) =>
    own.map(({ x, y, width, height }) => ({ timeS: time_s, x, y, width, height })),
  );
  const width = boxes.length > 0 ? Math.min(...boxes.map((box) => box.width)) : null;
  const className = tracks[0]?.class;
  if (className !== undefined) {
    const own = tracks.filter((track) => track.class === className);
    return {
      subject: `object:${className}`,
      footprint: { tracks: own.map(({ id, path }) => ({ id, points: pointsOf(path) })), boxes: [], width },
    };
  }
  const signal = signals[0]?.name;
  const isSignal = signal !== undefined && boxes.length === 0;
  return {
    subject: isSignal ? `signal:${signal}:${type}` : `label:${description.toLowerCase()}`,
    footprint: { tracks: [], boxes, width },
  };
}

/** The path at the instants of a common grid, and its own points where they are far apart. */
function pointsOf(path: readonly Point[]): FootprintTrack['points'] {
  const last = path.at(-1);
  if (!last) return [];
  const startS = path[0]![0];
  let stepS = GRID_S;
  while ((last[0] - startS) / stepS > MAX_POINTS - 1) stepS *= 2;
  const points: FootprintTrack['points'] = [];
  for (let i = 1; i < path.length; i++) {
    const [from, to] = [path[i - 1]!, path[i]!];
    if (to[0] - from[0] > MAX_GAP_S) {
      points.push(between(from, from, from[0]));
      continue;
    }
    const isEnd = from[0] - startS < ENDS_S || last[0] - to[0] < ENDS_S;
    const own = isEnd ? GRID_S : stepS;
    for (let n = Math.ceil(from[0] / own); n * own < to[0]; n++) points.push(between(from, to, n * own));
  }
  points.push(between(last, last, last[0]));
  const every = Math.ceil(points.length / (3 * MAX_POINTS));
  return points.filter((_, at) => at % every === 0 || at === points.length - 1);
}

type Point = readonly [timeS: number, x: number, y: number];

/** The point of a line at a time, to a thousandth of the frame. */
export function between(from: Point, to: Point, timeS: number): [number, number, number] {
  const share = to[0] > from[0] ? (timeS - from[0]) / (to[0] - from[0]) : 0;
  const at = (a: number, b: number) => Math.round(1000 * (a + share * (b - a))) / 1000;
  return [timeS, at(from[1], to[1]), at(from[2], to[2])];
}
