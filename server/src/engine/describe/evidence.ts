import type { Box } from '#platform/media/index';
import { type Hit, type Moment, round, type SignalUse, type TrackUse } from '../find/index.ts';
import type { Evidence } from '../index.ts';
import type { Objects, Track } from '../observe/observations.ts';
import { colorOf, nameOf } from './words.ts';

const MOST_BOXES = 24;
const MOST_TRACKS = 24;
const MOST_POINTS = 240;
/** A box is drawn on a frame at most this far from where it was measured, in seconds. */
const NEAR_S = 0.5;

/** What lets a person check a finding in a second: frames with boxes, tracks with paths, signals with numbers. */
export function evidenceOf(hit: Hit, objects: Objects | null): Evidence {
  const uses = distinct(hit.tracks);
  const moments: ['first' | 'best' | 'last', Moment][] = [
    ['first', hit.start],
    ['best', hit.best],
    ['last', hit.end],
  ];
  // Of the same frame, "best" says most.
  const frames = moments.filter(
    ([role, m], i) =>
      role === 'best' || (m.pts !== hit.best.pts && !moments.slice(0, i).some(([, n]) => n.pts === m.pts)),
  );
  return {
    frames: frames.map(([role, m]) => ({
      role,
      timeS: round(m.timeS, 6),
      pts: m.pts,
      boxes: uses.slice(0, MOST_BOXES).flatMap((use) => boxAt(use, m.timeS, objects, askedOf(hit, use))),
    })),
    tracks: uses.slice(0, MOST_TRACKS).map((use) => ({
      id: use.track.id,
      className: use.track.className,
      color: colorOf(use.track, askedOf(hit, use)),
      path: pathOf(use.track, hit, objects),
    })),
    signals: hit.signals.map((s: SignalUse) => ({ ...s, value: round(s.value, 4) })),
  };
}

/** The colours that the prompt named for this thing. */
function askedOf({ what }: Hit, { role }: TrackUse): readonly string[] {
  if (what.kind !== 'object') return [];
  return role === 'subject' ? what.subject.colors : (what.relation?.other.colors ?? []);
}

function distinct(uses: readonly TrackUse[]): TrackUse[] {
  const seen = new Set<number>();
  return uses.filter((use) => !seen.has(use.track.id) && seen.add(use.track.id));
}

function boxAt({ track }: TrackUse, timeS: number, objects: Objects | null, asked: readonly string[]): Box[] {
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
      x: round(track.x[best]! - w / 2, 4),
      y: round(track.y[best]! - h / 2, 4),
      width: round(w, 4),
      height: round(h, 4),
      label: nameOf(track, asked),
    },
  ];
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
