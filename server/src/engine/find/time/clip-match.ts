import { type CountedTime, clipPresences, measureOccupancy } from '../counting/occupancy.ts';
import type { FrameTime, IntervalMatch, Scene, TrackEvidence } from '../types.ts';

/**
 * Cuts a match to the part from one frame to another, with the objects, boxes and counts of that part alone. Null if
 * the match is outside that part, or its objects are absent from it. `counted`: when its objects count.
 */
export function clipMatch(
  match: IntervalMatch,
  from: FrameTime,
  to: FrameTime,
  scene: Scene,
  counted?: CountedTime,
): IntervalMatch | null {
  const start = match.start.timeS < from.timeS ? from : match.start;
  const end = match.end.timeS > to.timeS ? to : match.end;
  if (end.timeS < start.timeS) return null;
  const presences = clipPresences(match.presences, start, end, counted);
  if (match.presences.length > 0 && presences.length === 0) return null;
  const isInside = ({ timeS }: { timeS: number }) => timeS >= start.timeS && timeS <= end.timeS;
  return {
    ...match,
    start,
    end,
    presences,
    best: isInside(match.best) ? match.best : bestWithin(match, presences, { start, end }),
    tracks: clipTracks(match, presences, { start, end }, scene),
    ...(match.boxes ? { boxes: match.boxes.filter(isInside) } : {}),
  };
}

type Edges = Pick<IntervalMatch, 'start' | 'end'>;

/** The frame with most objects or, of one object, the one closest to its best. */
function bestWithin({ best }: IntervalMatch, presences: IntervalMatch['presences'], { start, end }: Edges): FrameTime {
  const { peak } = measureOccupancy(presences);
  if (peak && peak.count > 1) return peak.start;
  return best.timeS < start.timeS ? start : end;
}

/** The tracks of the objects that are present, each with its entries in this part. */
function clipTracks(match: IntervalMatch, presences: IntervalMatch['presences'], edges: Edges, scene: Scene) {
  const present = new Set(presences.map(({ id }) => id));
  const clipped = match.tracks.map((use) => ({
    use: clipEntries(use, edges, scene),
    isInside: touches(use, edges, scene),
  }));
  const relevant = clipped.filter(({ use, isInside }) =>
    use.role === 'subject' && present.size > 0 ? present.has(use.track.id) : isInside,
  );
  return (relevant.length > 0 ? relevant : clipped).map(({ use }) => use);
}

/** Slack of times that are compared with those of frames. */
const ROUNDING_S = 1e-9;

function touches(use: TrackEvidence, { start, end }: Edges, scene: Scene): boolean {
  const timeAt = entryTimes(use, scene);
  return timeAt(use.from) <= end.timeS + ROUNDING_S && timeAt(use.to) >= start.timeS - ROUNDING_S;
}

/** Entries between two frames; the closest one if there are none, as where only the motion at the edge was seen. */
function clipEntries(use: TrackEvidence, { start, end }: Edges, scene: Scene): TrackEvidence {
  const timeAt = entryTimes(use, scene);
  let { from, to } = use;
  while (from < use.to && timeAt(from) < start.timeS - ROUNDING_S) from++;
  while (to > from && timeAt(to) > end.timeS + ROUNDING_S) to--;
  return { ...use, from, to };
}

function entryTimes({ track }: TrackEvidence, scene: Scene): (entry: number) => number {
  const { objects } = scene.observationsOf(track);
  return (entry) => objects!.timeS[track.frame[entry]!]!;
}
