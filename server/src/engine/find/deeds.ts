import type { ObjectWhat } from '../plan/index.ts';
import type { Act } from './act.ts';
import { MOST, marginConfidence, trackConfidence } from './confidence.ts';
import type { Hit, Moment, TrackUse } from './hit.ts';
import type { Candidate } from './match.ts';
import { refineEdge } from './refine.ts';
import type { Scene } from './scene.ts';

/** What one track does, with the other thing it does it to. */
export type Deed = Act & { candidate: Candidate; other: TrackUse | null; otherConfidence: number };

/** One deed as a hit. */
export function hitOf(what: ObjectWhat, deed: Deed, scene: Scene): Hit {
  const { view, colorFactor, colorShare } = deed.candidate;
  const moment = (k: number): Moment => momentOf(scene, view.track.frame[k]!);
  const sure = trackConfidence(view.score, view.looks) * colorFactor * deed.otherConfidence;
  const margin = deed.margin === null ? 1 : marginConfidence(deed.margin);
  const because = [
    `${view.track.className} ${view.track.id}: ${deed.because}`,
    ...(colorShare === null ? [] : [`${Math.round(colorShare * 100)} % of its pixels in the colour`]),
    `detector score ${view.score.toFixed(2)} over ${view.looks} looks`,
  ];
  const subject: TrackUse = { track: view.track, role: 'subject', from: deed.from, to: deed.to };
  return {
    what: { ...what, ...filled(what, deed) },
    negated: false,
    start: deed.from === 0 ? refineEdge(view.track, 'start', scene) : moment(deed.from),
    end: deed.to === view.track.frame.length - 1 ? refineEdge(view.track, 'end', scene) : moment(deed.to),
    best: moment(bestEntry(deed)),
    confidence: Math.min(MOST, sure * margin),
    tracks: deed.other ? [subject, deed.other] : [subject],
    signals: [],
    count: 1,
    because,
    parts: [],
  };
}

function filled(what: ObjectWhat, deed: Deed): Partial<ObjectWhat> {
  return {
    direction: what.direction ?? deed.found?.direction ?? null,
    from: what.from ?? deed.found?.from ?? null,
    to: what.to ?? deed.found?.to ?? null,
  };
}

export function momentOf(scene: Scene, objectFrame: number): Moment {
  const objects = scene.observations.objects!;
  return { timeS: objects.timeS[objectFrame]!, pts: objects.pts[objectFrame]! };
}

/** The entry that shows it best: large and surely seen, not cut by the edge. */
function bestEntry({ candidate, from, to }: Deed): number {
  const { track } = candidate.view;
  let best = from;
  let most = -1;
  for (let k = from; k <= to; k++) {
    const value = track.score[k]! * Math.sqrt(track.width[k]! * track.height[k]!);
    if (value > most) {
      most = value;
      best = k;
    }
  }
  return best;
}
