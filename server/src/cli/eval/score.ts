import type { Answer } from '#engine/index';
import { isSameEvent, matchIntervals } from '#features/comparisons/index';

/** A prompt about a video, with its right events (start and end in seconds) or words of its right answer. */
export type PromptLabel = { video: string; prompt: string; events?: Span[]; answer?: string };

/** The result of one label. Edges are the distances of matched edges from the label, in seconds. */
export type JudgedLabel = {
  video: string;
  prompt: string;
  isRight: boolean;
  why: string;
  found: number;
  matched: number;
  labeled: number;
  edgesS: number[];
  /** Confidence of each event, and whether it matches a label. */
  events: Judgment[];
  /** The same of each candidate; several may match one label. */
  candidates: Judgment[];
  /** Number of labeled events that were missed, but that a candidate matches. */
  hinted: number;
  tokens: number;
  cost: number;
};

type Judgment = { confidence: number; isRight: boolean };
type Span = readonly [from: number, to: number];
const toInterval = ([startS, endS]: Span) => ({ startS, endS });

/**
 * Right: each labeled event is found once and nothing else is, and the answer contains the labeled words. What is not
 * labeled is not judged.
 */
export function judgeLabel(
  { video, prompt, events: labeled, answer: words }: PromptLabel,
  answer: Answer,
): JudgedLabel {
  const { events: found, candidates } = answer;
  const intervals = (labeled ?? []).map(toInterval);
  const pairs = matchIntervals(intervals, found);
  const missed = intervals.filter((interval) => !pairs.some(({ a }) => a === interval));
  const text = answer.answer ?? answer.summary;
  const reasons = [
    ...(labeled && pairs.length < labeled.length
      ? [`${labeled.length - pairs.length} of ${labeled.length} events missed`]
      : []),
    ...(labeled && found.length > pairs.length ? [`${found.length - pairs.length} false events`] : []),
    ...(words !== undefined && !text.toLowerCase().includes(words.toLowerCase())
      ? [`the answer does not contain "${words}"`]
      : []),
  ];
  const { inputTokens = 0, outputTokens = 0, cost = 0 } = answer.vision ?? {};
  return {
    video,
    prompt,
    isRight: reasons.length === 0,
    why: reasons.join('; '),
    cost,
    found: labeled ? found.length : 0,
    matched: pairs.length,
    labeled: labeled?.length ?? 0,
    events: (labeled ? found : []).map((event) => ({
      confidence: event.confidence,
      isRight: pairs.some(({ b }) => b === event),
    })),
    candidates: (labeled ? candidates : []).map((candidate) => ({
      confidence: candidate.confidence,
      isRight: intervals.some((interval) => isSameEvent(interval, candidate)),
    })),
    hinted: missed.filter((interval) => candidates.some((candidate) => isSameEvent(interval, candidate))).length,
    edgesS: pairs.flatMap(({ a, b }) => [Math.abs(a.startS - b.startS), Math.abs(a.endS - b.endS)]),
    tokens: inputTokens + outputTokens,
  };
}

/** Figures over all labels; null where nothing was labeled or found. */
export function summarize(judged: readonly JudgedLabel[]) {
  const sum = (field: 'found' | 'matched' | 'labeled' | 'hinted' | 'tokens' | 'cost') =>
    judged.reduce((total, each) => total + each[field], 0);
  const share = (part: number, of: number) => (of === 0 ? null : Math.round((1000 * part) / of) / 1000);
  const edges = judged.flatMap(({ edgesS }) => edgesS).toSorted((a, b) => a - b);
  const median = edges[edges.length >> 1];
  const candidates = judged.flatMap((each) => each.candidates);
  return {
    prompts: judged.length,
    right: share(judged.filter(({ isRight }) => isRight).length, judged.length),
    precision: share(sum('matched'), sum('found')),
    recall: share(sum('matched'), sum('labeled')),
    median_edge_error_s: median === undefined ? null : Math.round(1000 * median) / 1000,
    candidates: candidates.length,
    right_candidates: share(candidates.filter(({ isRight }) => isRight).length, candidates.length),
    missed_events_with_candidate: share(sum('hinted'), sum('labeled') - sum('matched')),
    tokens: sum('tokens'),
    cost: sum('cost'),
  };
}

const BINS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/**
 * Reliability: of the events, or candidates, with a confidence from `from` on, up to the next row, how many match a
 * label. Their share should be near the mean confidence. Rows without any are left out.
 */
export function measureReliability(judged: readonly JudgedLabel[], of: 'events' | 'candidates' = 'events') {
  const events = judged.flatMap((each) => each[of]);
  const round = (value: number) => Math.round(1000 * value) / 1000;
  return BINS.flatMap((from, i) => {
    const to = BINS[i + 1] ?? Number.POSITIVE_INFINITY;
    const inside = events.filter(({ confidence }) => confidence >= from && confidence < to);
    const count = inside.length;
    if (count === 0) return [];
    const right = inside.filter(({ isRight }) => isRight).length;
    const mean = inside.reduce((sum, { confidence }) => sum + confidence, 0) / count;
    return [{ from, events: count, mean_confidence: round(mean), right: round(right / count) }];
  });
}
