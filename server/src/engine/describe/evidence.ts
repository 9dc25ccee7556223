import type { Box } from '#platform/media/index';
import { type Hit, indexAt, type Moment, round, type SignalUse, type TrackUse } from '../find/index.ts';
import type { Evidence, EvidenceFrame } from '../index.ts';
import type { Objects, Observations, Track } from '../observe/observations.ts';
import type { Thing } from '../plan/index.ts';
import { colorOf, nameOf } from './words.ts';

const MOST_BOXES = 24;
const MOST_TRACKS = 24;
const MOST_POINTS = 240;
/** A box is drawn on a frame at most this far from where it was measured, in seconds. */
const NEAR_S = 0.5;

/** What lets a person check a finding in a second: frames with boxes, tracks with paths, signals with numbers. */
export function evidenceOf(hit: Hit, observations: Observations): Evidence {
  const { objects } = observations;
  const uses = distinct(hit.tracks);
  return {
    frames: momentsOf(hit, observations).map(([role, m]) => ({
      role,
      timeS: round(m.timeS, 6),
      pts: m.pts,
      boxes: numbered(uses.slice(0, MOST_BOXES).flatMap((use) => boxAt(use, m.timeS, objects, askedOf(hit, use)))),
    })),
    tracks: uses.slice(0, MOST_TRACKS).map((use) => ({
      id: use.track.id,
      className: use.track.className,
      color: colorOf(use.track, askedOf(hit, use).colors),
      path: pathOf(use.track, hit, objects),
    })),
    signals: hit.signals.map((s: SignalUse) => ({ ...s, value: round(s.value, 4) })),
  };
}

type Asked = Pick<Thing, 'colors' | 'ridden'>;
type Shown = [EvidenceFrame['role'], Moment];

/** First, best and last frame; of a sequence, the best of each step; of a cut, the frame before it, which alone shows that it is one. */
function momentsOf(hit: Hit, { signals }: Observations): Shown[] {
  const steps = hit.parts.length > 0 ? hit.parts : [hit];
  const best = steps.map((step): Shown => ['best', step.best]);
  const isCut = hit.what.kind === 'signal' && hit.what.signal === 'cut' && !hit.negated;
  const before = isCut && signals ? indexAt(signals.timeS, hit.start.timeS) - 1 : -1;
  const first: Moment = before >= 0 ? { timeS: signals!.timeS[before]!, pts: signals!.pts[before]! } : hit.start;
  const frames: Shown[] = [['first', first], ...best, ['last', hit.end]];
  // Of the same frame, "best" says most.
  const rank = ([role]: Shown) => (role === 'best' ? 0 : 1);
  const kept = new Map<number, Shown>();
  for (const shown of frames.toSorted((a, b) => rank(a) - rank(b)))
    if (!kept.has(shown[1].pts)) kept.set(shown[1].pts, shown);
  return [...kept.values()].sort(([, a], [, b]) => a.timeS - b.timeS);
}

/** What the prompt said of this thing. */
function askedOf({ what }: Hit, { role }: TrackUse): Asked {
  const thing = what.kind !== 'object' ? null : role === 'subject' ? what.subject : what.relation?.other;
  return thing ?? { colors: [] };
}

function distinct(uses: readonly TrackUse[]): TrackUse[] {
  const seen = new Set<number>();
  return uses.filter((use) => !seen.has(use.track.id) && seen.add(use.track.id));
}

function boxAt({ track }: TrackUse, timeS: number, objects: Objects | null, asked: Asked): (Box & { id: number })[] {
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
      label: nameOf(track, asked),
    },
  ];
}

/** Where there are several, each box says which track it is: the explanation speaks of "car 2". */
function numbered(boxes: readonly (Box & { id: number })[]): Box[] {
  return boxes.map(({ id, ...box }) => (boxes.length > 1 ? { ...box, label: `${box.label} ${id}` } : box));
}

/** The box's centre over time, within the finding and a second around it, thinned to a few hundred points. */
function pathOf(track: Track, hit: Hit, objects: Objects | null): [number, number, number][] {
  if (!objects) return [];
  const points: [number, number, number][] = [];
  for (let k = 0; k < track.frame.length; k++) {
    const t = objects.timeS[track.frame[k]!]!;
    if (t >= hit.start.timeS - 1 && t <= hit.end.timeS + 1)
      points.push([round(t, 3), round(track.x[k]!, 4), round(track.y[k]!, 4)]);
  }
  const step = Math.ceil(points.length / MOST_POINTS);
  return step <= 1 ? points : points.filter((_, i) => i % step === 0 || i === points.length - 1);
}
