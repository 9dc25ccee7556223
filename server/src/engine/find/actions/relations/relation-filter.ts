import type { ObjectTarget } from '../../../plan/index.ts';
import { trackConfidence } from '../../confidence.ts';
import { intersect, subtract } from '../../time/intervals.ts';
import type { TrackEvidence, TrackView } from '../../types.ts';
import type { ActionInterval, Candidate, TrackMatch } from '../types.ts';
import { findCollisions } from './collisions.ts';
import { findApproaching, findFollowing, findPassing } from './pair-actions.ts';
import { findRelated, findRiders } from './relations.ts';

/** Restricts actions to intervals in which the subject is related to another object or, if negated, to none of them. */
export function relateToOthers(
  what: ObjectTarget,
  actions: readonly TrackMatch[],
  others: readonly Candidate[],
  aspect: number,
): TrackMatch[] {
  const { kind, negated, other: requested } = what.relation!;
  return actions.flatMap((action) => {
    const { view } = action.candidate;
    const pairs = others
      .filter(
        (other) =>
          other.view !== view &&
          !isRiderOfOwnBike(what, view, other.view) &&
          other.view.startS <= view.timeS[action.to]! &&
          other.view.endS >= view.timeS[action.from]!,
      )
      .map((other) => ({ other, ...findRelation(what, action, other, aspect) }));
    if (negated) {
      const spans = pairs.flatMap((pair) => pair.intervals).toSorted((p, q) => p.from - q.from);
      return subtract([action], spans).map((span) => ({
        ...action,
        ...span,
        reason: `${action.reason}, with no ${requested.text} ${kind === 'with' ? 'near' : kind.replaceAll('_', ' ')}`,
      }));
    }
    return pairs.flatMap(({ other, intervals, otherEntry }) =>
      intervals.flatMap((interval) =>
        intersect([action], [interval]).map((span) => ({
          ...action,
          ...span,
          margin: interval.margin ?? action.margin,
          reason: action.reason === '' ? interval.reason : `${action.reason}; ${interval.reason}`,
          other: {
            track: other.view.track,
            role: 'other' as const,
            from: Math.max(0, otherEntry(span.from)),
            to: Math.max(0, otherEntry(span.to)),
          },
          otherConfidence:
            trackConfidence(other.view.score, other.view.independentCount, other.view.plausibility().weight) *
            other.colorFactor,
        })),
      ),
    );
  });
}

/** "A person near a cyclist" is not the cyclist: the rider of a requested bike is not the other one. */
function isRiderOfOwnBike({ subject, relation }: ObjectTarget, view: TrackView, other: TrackView): boolean {
  if (subject.ridden) return findRiders(view, [other]).length > 0;
  return relation?.other.ridden === true && findRiders(other, [view]).length > 0;
}

/** Intervals of a relation; `otherEntry` maps an entry of the subject to the closest one of the other object. */
function findRelation(
  what: ObjectTarget,
  action: TrackMatch,
  other: Candidate,
  aspect: number,
): { intervals: ActionInterval[]; otherEntry: (k: number) => number } {
  const pair = { a: action.candidate.view, b: other.view, aspect };
  const { spans, entry } = findRelated(what.relation!.kind, pair, other.qualifyingSpans);
  const otherEntry = (k: number) => {
    for (let d = 0; d < entry.length; d++) {
      if (k - d >= 0 && entry[k - d]! >= 0) return entry[k - d]!;
      if (k + d < entry.length && entry[k + d]! >= 0) return entry[k + d]!;
    }
    return 0;
  };
  if (what.action === 'passes') return { intervals: findPassing(pair, other.qualifyingSpans), otherEntry };
  if (what.action === 'approaches') return { intervals: findApproaching(pair, other.qualifyingSpans), otherEntry };
  if (what.action === 'follows') return { intervals: findFollowing(pair, other.qualifyingSpans), otherEntry };
  if (what.action === 'collides') return { intervals: findCollisions(pair, other.qualifyingSpans), otherEntry };
  const reason = `${what.relation!.kind.replaceAll('_', ' ')} a ${other.view.track.className}`;
  return { intervals: spans.map((span) => ({ ...span, margin: null, reason })), otherEntry };
}

/** Filters "left behind" and "taken away": a person has to be near the object before, or afterwards. */
export function filterByCustody(
  what: ObjectTarget,
  actions: TrackMatch[],
  people: readonly Candidate[],
  aspect: number,
): TrackMatch[] {
  if (what.action !== 'left_behind' && what.action !== 'taken_away') return actions;
  return actions.flatMap((action) => {
    const { view } = action.candidate;
    const close = people
      .filter((person) => person.view !== view)
      .map((person) => {
        const { spans } = findRelated('near', { a: view, b: person.view, aspect }, person.qualifyingSpans);
        return { person, spans };
      })
      .filter(({ spans }) => spans.length > 0);
    if (what.action === 'taken_away') {
      const taker = close.find(({ spans }) => spans.some((span) => span.to >= action.from));
      if (!taker) return [];
      const reason = `${action.reason}, with a person close by`;
      return [{ ...action, reason, other: wholeEvidence(taker.person), otherConfidence: 0.7 }];
    }
    const spans = close.flatMap((one) => one.spans).toSorted((p, q) => p.from - q.from);
    const owner = close[0];
    if (!owner) return [];
    return subtract([action], spans)
      .filter(({ from, to }) => view.timeS[to]! - view.timeS[from]! >= 5 && spans.some((near) => near.to <= from))
      .map((span) => ({
        ...action,
        ...span,
        reason: `${action.reason}, alone after a person had been near`,
        other: wholeEvidence(owner.person),
        otherConfidence: 0.8,
      }));
  });
}

const wholeEvidence = ({ view: { track } }: Candidate): TrackEvidence => ({
  track,
  role: 'other',
  from: 0,
  to: track.frame.length - 1,
});
