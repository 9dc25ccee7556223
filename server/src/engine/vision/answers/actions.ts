import type { VideoEvent } from '../../types.ts';
import { type Edges, refineEdges } from '../edges.ts';
import { toEvent } from '../event.ts';
import { framesBetween } from '../plan/frame-times.ts';
import { isOrdered } from '../plan/questions.ts';
import type { TimeSpan } from '../plan/windows.ts';
import { addCounts, type Ballot, estimateConfidences, NO_ANSWERS } from '../reliability/confidence.ts';
import { type FrameVerdict, verifyFrames } from '../reliability/verification.ts';
import type { LookSession } from '../session.ts';
import { describeRanges, framesIn, limitsOf, MAX_RANGES } from './captions.ts';

/** Shortest range whose action is named. Start and end of an action are narrowed below it. */
const MIN_RANGE_S = 2;

export type ActionSegments = {
  events: VideoEvent[];
  /** A reason to believe nothing that the model named, or null. */
  untrusted: string | null;
  limits: string[];
  windows: TimeSpan[];
};

/** A run of ranges with the same action: the indexes of its first and last range. */
type Segment = { label: string; first: number; last: number };

/**
 * Divides a video into the actions that the model names. Each name is confirmed where it was given; a run of ranges
 * with the same name is one action, which is shown again as a whole, and whose start and end are narrowed.
 */
export async function segmentActions(session: LookSession, name: string): Promise<ActionSegments> {
  const { durationS } = session.observations.video;
  const range = { from: 0, to: durationS };
  const ranges = divideEvenly(durationS);
  const { texts, untrusted, windows } = await describeRanges(session, {
    ranges,
    mode: 'robotics',
    form: 'action',
  });
  const segments = joinEqual(texts);
  /** A frame past the middle of a range, seen from this side: ranges at an edge may show two actions. */
  const insideOf = (i: number, side: 'left' | 'right') => {
    const range = ranges[i];
    if (!range) return null;
    const frames = framesIn(session, range);
    return frames[side === 'left' ? frames.length >> 1 : (frames.length - 1) >> 1]!;
  };
  const looks = await Promise.all(
    segments.map(async ({ label, first, last }) => {
      const frames = ranges.slice(first, last + 1).flatMap((each) => framesIn(session, each));
      const question = { text: label, context: null, isOrdered: isOrdered(label) };
      const verdict = await verifyFrames(session, question, frames, framesBetween(session.observations, frames));
      if (verdict.status === 'refuted') return null;
      const edges = await refineEdges(
        session,
        label,
        {
          first: insideOf(first, first === last ? 'right' : 'left')!,
          last: insideOf(last, first === last ? 'left' : 'right')!,
          before: insideOf(first - 1, 'right'),
          after: insideOf(last + 1, 'left'),
        },
        range,
      );
      return { claim: { label, frames }, verdict, edges };
    }),
  );
  const confirmed = looks.filter((look) => look !== null);
  const events = withProbabilities(confirmed).map(
    (look): VideoEvent => ({ ...toEvent(look, session.observations, name), category: 'action' }),
  );
  const refuted = segments.length - events.length;
  return {
    events,
    untrusted,
    windows,
    limits: [
      ...(refuted > 0
        ? [`${refuted} of the actions that it named ${refuted === 1 ? 'was' : 'were'} not confirmed`]
        : []),
      ...limitsOf(session),
    ],
  };
}

/** Each name was confirmed where it was given: a claim as of one question. */
function withProbabilities<T extends { verdict: FrameVerdict; edges: Edges }>(looks: readonly T[]) {
  const hard = looks.map(({ edges }) => edges.answers).reduce(addCounts, NO_ANSWERS);
  const ballots = looks.map(({ verdict }): Ballot[] => [{ first: true, further: verdict.votes }]);
  const probabilities = estimateConfidences(ballots, { easy: NO_ANSWERS, hard });
  return looks.map((look, i) => ({ ...look, probability: probabilities[i]![0]!, doubts: [] }));
}

function divideEvenly(durationS: number): TimeSpan[] {
  const count = Math.max(1, Math.min(MAX_RANGES, Math.floor(durationS / MIN_RANGE_S)));
  return Array.from({ length: count }, (_, i) => ({
    from: (i * durationS) / count,
    to: ((i + 1) * durationS) / count,
  }));
}

/** Neighbors with the same name, but for its case, articles and punctuation. Ranges without a name separate actions. */
function joinEqual(texts: readonly (string | null)[]): Segment[] {
  const segments: Segment[] = [];
  for (const [i, label] of texts.entries()) {
    if (label === null) continue;
    const previous = segments.at(-1);
    if (previous?.last === i - 1 && keyOf(previous.label) === keyOf(label)) previous.last = i;
    else segments.push({ label, first: i, last: i });
  }
  return segments;
}

const keyOf = (label: string) =>
  label
    .toLowerCase()
    .replaceAll(/\b(?:an?|the)\b|[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
