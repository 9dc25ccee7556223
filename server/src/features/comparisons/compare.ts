import { type Interval, isSameEvent, matchIntervals, overlapOf } from './matching.ts';
import type { ComparedEvent, ComparedVideo, EventDifference, Judgment, SideCounts, VideoComparison } from './types.ts';

/** An event that is in the video, and the reviewed events that show it. */
type Truth = Interval & { shownBy: Set<ComparedEvent> };
type Judged = { judgments: Map<ComparedEvent, Judgment>; counts: SideCounts };

/**
 * Compares the events of two analyses of a video. Approved events of either are in the video, rejected ones and those
 * that start in a range without events are not; an event that nobody decided about is judged by those at its time.
 */
export function compareVideo({ baseline, candidate, clear }: ComparedVideo): VideoComparison {
  const truths = listTruths(baseline, candidate);
  const rejected = [...baseline, ...candidate].filter(({ approval, added }) => approval === 'rejected' && !added);
  const isWrong = (event: ComparedEvent) =>
    rejected.some((other) => isSameEvent(event, other)) ||
    clear.some(({ startS, endS }) => event.startS >= startS && event.startS < endS);
  const found = { baseline: baseline.filter(isFound), candidate: candidate.filter(isFound) };
  const before = judge(found.baseline, truths, isWrong);
  const after = judge(found.candidate, truths, isWrong);
  const pairs = matchIntervals(found.baseline, found.candidate);
  const paired = new Set(pairs.flatMap(({ a, b }) => [a, b]));
  const difference =
    (change: EventDifference['change'], { judgments }: Judged) =>
    (event: ComparedEvent): EventDifference[] => {
      if (paired.has(event)) return [];
      const { analysisId, position } = event;
      return [{ change, judgment: judgments.get(event)!, key: { analysisId, position } }];
    };
  return {
    baseline: before.counts,
    candidate: after.counts,
    unchanged: pairs.length,
    differences: [
      ...found.baseline.flatMap(difference('disappeared', before)),
      ...found.candidate.flatMap(difference('appeared', after)),
    ],
  };
}

const isFound = ({ added }: ComparedEvent) => !added;
const isApproved = ({ approval }: ComparedEvent) => approval === 'approved';

/** Approved events of both analyses, those that both have once. */
function listTruths(baseline: readonly ComparedEvent[], candidate: readonly ComparedEvent[]): Truth[] {
  const toTruth = (event: ComparedEvent): Truth => ({ ...event.corrected, shownBy: new Set([event]) });
  const known = baseline.filter(isApproved).map(toTruth);
  const others = candidate.filter(isApproved).map(toTruth);
  const same = new Map(matchIntervals(others, known).map(({ a, b }) => [a, b]));
  for (const [other, truth] of same) for (const event of other.shownBy) truth.shownBy.add(event);
  return [...known, ...others.filter((other) => !same.has(other))];
}

function judge(events: readonly ComparedEvent[], truths: readonly Truth[], isWrong: (event: ComparedEvent) => boolean) {
  const judgments = new Map<ComparedEvent, Judgment>();
  const matched = new Map<Truth, ComparedEvent>();
  for (const truth of truths) {
    const own = events.find((event) => truth.shownBy.has(event));
    if (own) matched.set(truth, own);
  }
  const open = events.filter(({ approval }) => approval !== 'approved' && approval !== 'rejected');
  const free = truths.filter((truth) => !matched.has(truth));
  for (const { a, b } of matchIntervals(open, free)) matched.set(b, a);
  const right = new Set(matched.values());
  for (const event of events) {
    if (right.has(event) || event.approval === 'approved') judgments.set(event, 'right');
    else judgments.set(event, event.approval === 'rejected' || isWrong(event) ? 'wrong' : 'undecided');
  }
  const count = (of: Judgment) => [...judgments.values()].filter((judgment) => judgment === of).length;
  const counts = {
    right: count('right'),
    wrong: count('wrong'),
    undecided: count('undecided'),
    missed: truths.length - matched.size,
    overlaps: [...matched].map(([truth, event]) => overlapOf(truth, event)),
  };
  return { judgments, counts };
}
