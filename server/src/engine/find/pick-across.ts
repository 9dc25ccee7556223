import { LIMITS } from './thresholds.ts';
import { clipMatch } from './time/clip-match.ts';
import type { FrameTime, IntervalMatch, Scene, TrackEvidence } from './types.ts';

/** Places in an order, from 1; both included. */
type Places = { readonly from: number; readonly to: number };
type Position = { readonly at: number; readonly id: number; readonly x: number };

/**
 * The times in which objects have a place from the left or the right among all that are found: "the second car from the
 * left". Objects change their places as they move, so one may be picked several times, and nothing is picked while
 * there are fewer.
 */
export function pickAcross(
  side: 'left' | 'right',
  { from, to }: Places,
  objects: readonly IntervalMatch[],
  scene: Scene,
): IntervalMatch[] {
  const frames = new Map<number, { time: FrameTime; positions: Position[] }>();
  for (const [at, { tracks }] of objects.entries())
    for (const use of tracks.filter(({ role }) => role === 'subject'))
      for (const { time, x } of positionsOf(use, scene)) {
        const frame = frames.get(time.timeS) ?? { time, positions: [] };
        // An object may take part in several matches at the same time.
        if (frame.positions.every(({ id }) => id !== use.track.id)) frame.positions.push({ at, id: use.track.id, x });
        frames.set(time.timeS, frame);
      }
  const held: FrameTime[][] = objects.map(() => []);
  const sign = side === 'left' ? 1 : -1;
  for (const { time, positions } of [...frames.values()].toSorted((a, b) => a.time.timeS - b.time.timeS))
    for (const { at } of positions.toSorted((a, b) => sign * (a.x - b.x)).slice(from - 1, to)) held[at]!.push(time);
  return objects
    .flatMap((object, at) =>
      rangesOf(held[at]!)
        .filter(([start, end]) => object.isSampled || end.timeS - start.timeS >= LIMITS.trackMin.limit)
        .flatMap(([start, end]) => clipMatch(object, start, end, scene) ?? []),
    )
    .toSorted((a, b) => a.start.timeS - b.start.timeS);
}

function positionsOf({ track, from, to }: TrackEvidence, scene: Scene) {
  const { timeS, pts } = scene.observationsOf(track).objects!;
  return Array.from({ length: to - from + 1 }, (_, i) => {
    const frame = track.frame[from + i]!;
    return { time: { timeS: timeS[frame]!, pts: pts[frame]! }, x: track.x[from + i]! };
  });
}

/** The first and the last of times that follow each other without a gap. */
function rangesOf(times: readonly FrameTime[]): [FrameTime, FrameTime][] {
  const ranges: [FrameTime, FrameTime][] = [];
  for (const time of times) {
    const last = ranges.at(-1);
    if (last && time.timeS - last[1].timeS <= LIMITS.trackGap.limit) last[1] = time;
    else ranges.push([time, time]);
  }
  return ranges;
}
