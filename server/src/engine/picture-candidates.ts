import { notLookedFor } from './describe/index.ts';
import { type Embedder, findResemblance, MIN_RESEMBLANCE, OTHER_DESCRIPTIONS } from './embeddings/index.ts';
import { clock, round } from './find/index.ts';
import type { Observations } from './observe/observations.ts';
import { type Plan, type PlannedSearch, picturableSearches } from './plan/index.ts';
import type { Answer, Coverage, VideoEvent } from './types.ts';

const MAX_SEARCHES = 8;
/** Candidates of one search at most. */
const MAX_CANDIDATES = 10;
const MAX_LABEL = 120;
/** Confidence of a frame that resembles nothing but the words. How often that is right was not measured. */
const MAX_CONFIDENCE = 0.3;

const LIMITS =
  'frames that changed were compared with these words as whole pictures, which finds candidates only: how reliable they are was not measured';

/**
 * Adds candidates for what no observer can find: ranges whose frames resemble the words of a search more than other
 * descriptions. Without vectors of the video's frames, or if the model fails, the answer does not change. Rejects if
 * the signal is aborted.
 */
export async function addPictureCandidates(
  plan: Plan,
  answer: Answer,
  observations: Observations,
  embedder: Pick<Embedder, 'texts'>,
  signal?: AbortSignal,
): Promise<Answer> {
  const searches = picturableSearches(plan).slice(0, MAX_SEARCHES);
  const { embeddings } = observations;
  if (embeddings === null || searches.length === 0) return answer;
  const texts = [...searches.map(({ text }) => text), ...OTHER_DESCRIPTIONS];
  const embedded = await embedder.texts(texts, signal).catch((error: Error) => ({ unavailable: error.message }));
  signal?.throwIfAborted();
  if ('unavailable' in embedded) return answer;
  const others = embedded.vectors.slice(searches.length);
  const by = `embeddings (${embedded.model})`;
  const found = searches.map((search, i) => {
    const runs = findResemblance(embeddings, embedded.vectors[i]!, others);
    const candidates = runs.flatMap((run) => toCandidate(search, run, plan, observations) ?? []);
    return { search, candidates: candidates.slice(0, MAX_CANDIDATES) };
  });
  const coverage = answer.coverage.map((row): Coverage => {
    const isCompared = searches.some(({ steps }) => steps[0]!.text === row.text);
    if (!isCompared || row.status !== 'not_looked_for') return row;
    return { ...row, status: 'partly', by: [by], reason: row.reason ? `${row.reason}; ${LIMITS}` : LIMITS };
  });
  return {
    ...answer,
    coverage,
    candidates: [...answer.candidates, ...found.flatMap(({ candidates }) => candidates)].toSorted(
      (a, b) => a.startPts - b.startPts || a.endPts - b.endPts,
    ),
    summary: [
      answer.summary.replace(notLookedFor(plan, answer.coverage), '').trim(),
      `Frames were compared with words, which finds candidates only: ${found.map(resultOf).join(', ')}.`,
      notLookedFor(plan, coverage),
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  };
}

const resultOf = ({ search, candidates: { length } }: { search: PlannedSearch; candidates: VideoEvent[] }) =>
  `${length === 0 ? 'nothing' : length} for "${search.text}"`;

const shortened = (text: string) => (text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text);

type Run = ReturnType<typeof findResemblance>[number];

/** A frame is shown until the next one that changed. Null if a run is outside the searched part of the video. */
function toCandidate(
  { text }: PlannedSearch,
  { first, last, best, share }: Run,
  { window }: Plan,
  { embeddings, video }: Observations,
): VideoEvent | null {
  const { timeS, pts, model } = embeddings!;
  const { durationS, timeBase } = video;
  const [ticks, perSecond] = timeBase;
  const endS = timeS[last + 1] ?? durationS;
  const place = (t: number) => (t < 0 ? durationS + t : t);
  if (window && (endS <= place(window.from) || timeS[first]! >= place(window.to ?? durationS))) return null;
  const frames = [
    ...(best === first ? [] : [{ role: 'first' as const, frame: first }]),
    { role: 'best' as const, frame: best },
    ...(best === last ? [] : [{ role: 'last' as const, frame: last }]),
  ];
  return {
    ...{ startS: round(timeS[first]!, 6), endS: round(endS, 6) },
    ...{
      startPts: pts[first]!,
      endPts: pts[last + 1] ?? Math.round(((durationS - timeS[last]!) * perSecond) / ticks + pts[last]!),
    },
    ...{
      timeBase,
      label: shortened(text),
      category: 'picture',
      severity: 'low',
      confidence: round(MAX_CONFIDENCE * share, 3),
    },
    explanation: `The frame at ${clock(timeS[best]!)} resembles "${shortened(text)}" more than other descriptions (${Math.round(100 * share)} % by ${model.split(' ')[0]}).`,
    caveats: ['whole frames were compared with words; nothing in them was detected'],
    evidence: {
      frames: frames.map(({ role, frame }) => ({ role, timeS: timeS[frame]!, pts: pts[frame]!, boxes: [] })),
      tracks: [],
      signals: [{ name: 'resemblance', value: round(share, 3), threshold: MIN_RESEMBLANCE, unit: '' }],
    },
  };
}
