import type { LabeledBox } from '#platform/media/index';
import {
  type FrameTime,
  type IntervalMatch,
  indexAt,
  round,
  type Scene,
  type SignalEvidence,
  type TrackEvidence,
} from '../find/index.ts';
import type { Observations, Track } from '../observe/observations.ts';
import type { ObjectQuery } from '../plan/index.ts';
import type { EventEvidence, EvidenceFrame } from '../types.ts';
import { colorOf, nameOf } from './words.ts';

const MAX_BOXES = 24;
const MAX_TRACKS = 24;
const MAX_POINTS = 240;
/** A box is drawn on a frame at most this far from where it was measured, in seconds. */
const NEAR_S = 0.5;

/** Evidence for a quick check by a person: frames with boxes, tracks with paths, signals with values. */
export function collectEvidence(match: IntervalMatch, scene: Scene): EventEvidence {
  const uses = distinct(match.tracks);
  return {
    frames: keyFrames(match, scene.observationsAt(match.start.timeS)).map(([role, m]) => ({
      role,
      timeS: round(m.timeS, 6),
      pts: m.pts,
      boxes: [
        ...numbered(
          uses
            .filter((use) => takesPart(use, match, m.timeS))
            .flatMap((use) => boxAt(use, m.timeS, scene.observationsOf(use.track), requestedTraits(match, use)))
            .slice(0, MAX_BOXES),
        ),
        ...ownBoxesAt(match, m.timeS),
      ],
    })),
    tracks: uses.slice(0, MAX_TRACKS).map((use) => ({
      id: use.track.id,
      className: use.track.className,
      color: colorOf(use.track, requestedTraits(match, use)),
      path: pathOf(use.track, match, scene.observationsOf(use.track)),
    })),
    signals: match.signals.map((s: SignalEvidence) => ({ ...s, value: round(s.value, 4) })),
  };
}

type RequestedTraits = Pick<ObjectQuery, 'colors' | 'worn' | 'ridden' | 'afoot'>;
type RoleFrame = [EvidenceFrame['role'], FrameTime];

/**
 * First, best and last frame; for a sequence, the best frame of each step; for a cut, also the frame before it, which
 * shows the other shot.
 */
function keyFrames(match: IntervalMatch, { signals }: Observations): RoleFrame[] {
  const steps = match.stepMatches.length > 0 ? match.stepMatches : [match];
  const best = steps.map((step): RoleFrame => ['best', step.best]);
  const isCut = match.what.kind === 'signal' && match.what.signal === 'cut' && !match.negated;
  const before = isCut && signals ? indexAt(signals.timeS, match.start.timeS) - 1 : -1;
  const first: FrameTime = before >= 0 ? { timeS: signals!.timeS[before]!, pts: signals!.pts[before]! } : match.start;
  const frames: RoleFrame[] = [['first', first], ...best, ['last', match.end]];
  // If one frame has several roles, "best" wins.
  const rank = ([role]: RoleFrame) => (role === 'best' ? 0 : 1);
  const framesByPts = new Map<number, RoleFrame>();
  for (const shown of frames.toSorted((a, b) => rank(a) - rank(b)))
    if (!framesByPts.has(shown[1].pts)) framesByPts.set(shown[1].pts, shown);
  return [...framesByPts.values()].sort(([, a], [, b]) => a.timeS - b.timeS);
}

/** Traits that the prompt requests of the object of this track. */
function requestedTraits({ what }: IntervalMatch, { role }: TrackEvidence): RequestedTraits {
  const query = what.kind !== 'object' ? null : role === 'subject' ? what.subject : what.relation?.other;
  return query ?? { colors: [] };
}

function distinct(uses: readonly TrackEvidence[]): TrackEvidence[] {
  const seen = new Set<number>();
  return uses.filter((use) => !seen.has(use.track.id) && seen.add(use.track.id));
}

/** True if an object counts at a time. Steps of a sequence and other objects are drawn whenever they are in view. */
function takesPart({ role, track }: TrackEvidence, { presences, stepMatches }: IntervalMatch, timeS: number): boolean {
  if (role !== 'subject' || stepMatches.length > 0 || presences.length === 0) return true;
  return presences.some(({ id, start, end }) => id === track.id && start.timeS <= timeS && timeS <= end.timeS);
}

function boxAt(
  { track }: TrackEvidence,
  timeS: number,
  { objects }: Observations,
  requested: RequestedTraits,
): (LabeledBox & { id: number })[] {
  if (!objects) return [];
  let best = -1;
  let nearest = NEAR_S;
  for (let k = 0; k < track.frame.length; k++) {
    const d = Math.abs(objects.timeS[track.frame[k]!]! - timeS);
    if (d < nearest) {
      nearest = d;
      best = k;
    }
  }
  if (best < 0) return [];
  const [w, h] = [track.width[best]!, track.height[best]!];
  return [
    {
      id: track.id,
      x: round(track.x[best]! - w / 2, 4),
      y: round(track.y[best]! - h / 2, 4),
      width: round(w, 4),
      height: round(h, 4),
      label: nameOf(track, requested),
    },
  ];
}

/** Boxes of a match that belong to no track, in the nearest of its frames. */
function ownBoxesAt({ boxes = [], stepMatches }: IntervalMatch, timeS: number): LabeledBox[] {
  const all = stepMatches.length === 0 ? boxes : stepMatches.flatMap((step) => step.boxes ?? []);
  const distances = all.map((box) => Math.abs(box.timeS - timeS));
  const nearest = Math.min(NEAR_S, ...distances);
  return all
    .filter((_, at) => distances[at] === nearest)
    .slice(0, MAX_BOXES)
    .map(({ timeS: _, label, ...sides }) => ({
      ...(Object.fromEntries(Object.entries(sides).map(([side, value]) => [side, round(value, 4)])) as typeof sides),
      label,
    }));
}

/** If there are several boxes, each label includes the track id: the explanation refers to "car 2". */
function numbered(boxes: readonly (LabeledBox & { id: number })[]): LabeledBox[] {
  return boxes.map(({ id, ...box }) => (boxes.length > 1 ? { ...box, label: `${box.label} ${id}` } : box));
}

/** Path of the box center during the event and one second around it, thinned to a few hundred points. */
function pathOf(track: Track, match: IntervalMatch, { objects }: Observations): [number, number, number][] {
  if (!objects) return [];
  const points: [number, number, number][] = [];
  for (let k = 0; k < track.frame.length; k++) {
    const t = objects.timeS[track.frame[k]!]!;
    if (t >= match.start.timeS - 1 && t <= match.end.timeS + 1)
      points.push([round(t, 3), round(track.x[k]!, 4), round(track.y[k]!, 4)]);
  }
  const step = Math.ceil(points.length / MAX_POINTS);
  return step <= 1 ? points : points.filter((_, i) => i % step === 0 || i === points.length - 1);
}
