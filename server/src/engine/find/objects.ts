import { MOVING_OBJECT } from '../observe/objects/classes.ts';
import type { CameraWhat, ObjectWhat, Thing } from '../plan/index.ts';
import type { Act } from './act.ts';
import { actsOf } from './actions.ts';
import { findCamera } from './camera.ts';
import { trackConfidence } from './confidence.ts';
import type { Deed } from './deeds.ts';
import { group } from './groups.ts';
import type { Looked, TrackUse } from './hit.ts';
import { intersect, median, type Span, subtract } from './intervals.ts';
import { type Candidate, candidates, unknownClasses } from './match.ts';
import { approaching, following, passing, relatedEntries } from './relations.ts';
import type { Scene } from './scene.ts';
import { findMeasured } from './telemetry.ts';
import { STATES } from './thresholds.ts';

/** Looks for things and what they do. */
export function findObjects(what: ObjectWhat, scene: Scene): Looked {
  const { objects, video } = scene.observations;
  if (!objects) return { unavailable: 'no detector of things was available when this video was observed' };
  const things = what.relation ? [what.subject, what.relation.other] : [what.subject];
  const limits: string[] = [];
  for (const thing of things) {
    const missing = unknownClasses(thing, objects);
    if (missing.length > 0 && missing.length === thing.classes.length)
      return { unavailable: `the detector in use does not know ${missing.join(', ')}` };
    if (missing.length > 0) limits.push(`the detector in use does not know ${missing.join(', ')}`);
  }
  if (!scene.observations.signals && moving(what))
    limits.push("the camera's own motion was not observed and could not be taken out");
  if (moving(what) && drives(scene)) limits.push(PARALLAX);
  const views = scene.views();
  const subjects = candidates(what.subject, views);
  const domain = { timeS: objects.timeS, pts: objects.pts };
  const watched = {
    firstS: objects.timeS[0] ?? 0,
    lastS: objects.timeS.at(-1) ?? 0,
    drives: when(what.action === 'close_ahead' ? 'forward' : null, scene),
    stands: when(what.action === 'overtakes' && !what.relation ? 'still' : null, scene),
  };
  const others = what.relation ? candidates(what.relation.other, views) : [];
  const aspect = video.width / Math.max(1, video.height);
  const deeds = subjects.flatMap((candidate) =>
    actsOf(what, candidate.view, watched).flatMap((act) =>
      restrict(act, candidate.allowed).map((part) => ({ ...part, candidate, other: null, otherConfidence: 1 })),
    ),
  );
  const related = what.relation
    ? relate(what, deeds, others, aspect)
    : custody(what, deeds, candidates(PERSON, views), aspect);
  const doubts = unexplained(scene);
  limits.push(...doubts);
  const recall = doubts.length > 0 ? 0.6 : 1;
  return { recall, hits: group(what, related, scene), by: [`objects (${modelName(objects.model)})`], limits, domain };
}

/** When the camera, or the vehicle that carries it, does something; never where nobody asks. */
function when(move: CameraWhat['move'] | null, scene: Scene): (timeS: number) => boolean {
  if (move === null) return () => false;
  const what: CameraWhat = { kind: 'camera', move, direction: null };
  const looked = findMeasured(what, scene) ?? findCamera(what, scene);
  const spans = 'unavailable' in looked ? [] : looked.hits;
  return (timeS) => spans.some(({ start, end }) => timeS >= start.timeS && timeS <= end.timeS);
}

const PERSON: Thing = {
  text: 'person',
  classes: ['person'],
  colors: [],
  count: { min: 1, max: null },
  state: null,
  place: null,
};

/** Where something moved and the detector saw nothing at all, "not found" may mean "not recognised". */
function unexplained({ observations: { signals, objects } }: Scene): string[] {
  if (!signals || !objects) return [];
  const seen = new Uint8Array(objects.timeS.length);
  const recognised = objects.tracks.filter((track) => track.className !== MOVING_OBJECT);
  for (const track of recognised) seen.fill(1, track.frame[0]!, track.frame.at(-1)! + 1);
  let seconds = 0;
  for (let i = 1, k = 0; i < signals.timeS.length; i++) {
    while (k + 1 < seen.length && objects.timeS[k + 1]! <= signals.timeS[i]!) k++;
    const standing =
      Math.abs(signals.globalX[i]!) + Math.abs(signals.globalY[i]!) + Math.abs(signals.zoom[i]!) < STATES.moving.enter;
    if (standing && signals.localMotion[i]! >= UNEXPLAINED && !seen[k])
      seconds += signals.timeS[i]! - signals.timeS[i - 1]!;
  }
  return seconds >= 1 ? [`something moved for ${Math.round(seconds)} s while the detector recognised nothing`] : [];
}
/** Share of moving blocks that is more than leaves in the wind. */
const UNEXPLAINED = 0.03;

/** Whether the camera goes forward or back for most of the video. */
function drives({ observations: { signals } }: Scene): boolean {
  return signals !== null && median(signals.advance.map(Math.abs)) >= STATES.forward.enter;
}
const PARALLAX =
  'the camera itself moves for most of the video: what stands close to its way may seem to move or to stop';

const moving = (what: ObjectWhat) => !['present', 'appears', 'disappears', 'enters', 'leaves'].includes(what.action);

/** A digest says nothing to a reader in full; its beginning tells models apart. */
const modelName = (model: string) => (/^[0-9a-f]{32,}$/.test(model) ? `model ${model.slice(0, 12)}` : model);

/** An act, where the thing is in the place and state asked for. A moment counts when it begins or ends there. */
function restrict(act: Act, allowed: readonly Span[]): Act[] {
  return intersect([act], allowed).map((span) => ({ ...act, ...span }));
}

/** Acts in which the subject stands in the relation to one of the others (or, negated, to none of them). */
function relate(what: ObjectWhat, deeds: readonly Deed[], others: readonly Candidate[], aspect: number): Deed[] {
  const { kind, negated } = what.relation!;
  return deeds.flatMap((deed) => {
    const a = deed.candidate.view;
    const near = others
      .filter(
        (other) => other.view !== a && other.view.startS <= a.timeS[deed.to]! && other.view.endS >= a.timeS[deed.from]!,
      )
      .map((other) => ({ other, ...relatedBy(what, deed, other, aspect) }));
    if (negated) {
      const spans = near.flatMap((n) => n.acts).toSorted((p, q) => p.from - q.from);
      return subtract([deed], spans).map((span) => ({
        ...deed,
        ...span,
        because: `${deed.because}, with no ${what.relation!.other.text} ${kind === 'with' ? 'near' : kind.replaceAll('_', ' ')}`,
      }));
    }
    return near.flatMap(({ other, acts, entry }) =>
      acts.flatMap((act) =>
        intersect([deed], [act]).map((span) => ({
          ...deed,
          ...span,
          margin: act.margin ?? deed.margin,
          because: deed.because === '' ? act.because : `${deed.because}; ${act.because}`,
          other: {
            track: other.view.track,
            role: 'other' as const,
            from: Math.max(0, entry(span.from)),
            to: Math.max(0, entry(span.to)),
          },
          otherConfidence: trackConfidence(other.view.score, other.view.looks) * other.colorFactor,
        })),
      ),
    );
  });
}

function relatedBy(
  what: ObjectWhat,
  deed: Deed,
  other: Candidate,
  aspect: number,
): { acts: Act[]; entry: (k: number) => number } {
  const pair = { a: deed.candidate.view, b: other.view, aspect };
  const { spans, entry } = relatedEntries(what.relation!.kind, pair, other.allowed);
  const nearest = (k: number) => {
    for (let d = 0; d < entry.length; d++) {
      if (k - d >= 0 && entry[k - d]! >= 0) return entry[k - d]!;
      if (k + d < entry.length && entry[k + d]! >= 0) return entry[k + d]!;
    }
    return 0;
  };
  if (what.action === 'passes') return { acts: passing(pair, other.allowed), entry: nearest };
  if (what.action === 'approaches') return { acts: approaching(pair, other.allowed), entry: nearest };
  if (what.action === 'follows') return { acts: following(pair, other.allowed), entry: nearest };
  const text = `${what.relation!.kind.replaceAll('_', ' ')} a ${other.view.track.className}`;
  return { acts: spans.map((span) => ({ ...span, margin: null, because: text })), entry: nearest };
}

/** "Left behind", "taken away": where were people? */
function custody(what: ObjectWhat, deeds: Deed[], people: readonly Candidate[], aspect: number): Deed[] {
  if (what.action !== 'left_behind' && what.action !== 'taken_away') return deeds;
  return deeds.flatMap((deed) => {
    const a = deed.candidate.view;
    const close = people
      .filter((p) => p.view !== a)
      .map((p) => ({ p, spans: relatedEntries('near', { a, b: p.view, aspect }, p.allowed).spans }))
      .filter(({ spans }) => spans.length > 0);
    if (what.action === 'taken_away') {
      const taker = close.find(({ spans }) => spans.some((s) => s.to >= deed.from));
      return taker
        ? [{ ...deed, because: `${deed.because}, with a person close by`, other: use(taker.p), otherConfidence: 0.7 }]
        : [];
    }
    // Alone for long enough after a person was near.
    const spans = close.flatMap((c) => c.spans).toSorted((p, q) => p.from - q.from);
    const owner = close[0];
    if (!owner) return [];
    return subtract([deed], spans)
      .filter((s) => a.timeS[s.to]! - a.timeS[s.from]! >= 5 && spans.some((n) => n.to <= s.from))
      .map((s) => ({
        ...deed,
        ...s,
        because: `${deed.because}, alone after a person had been near`,
        other: use(owner.p),
        otherConfidence: 0.8,
      }));
  });
}

const use = (c: Candidate): TrackUse => ({
  track: c.view.track,
  role: 'other',
  from: 0,
  to: c.view.track.frame.length - 1,
});
