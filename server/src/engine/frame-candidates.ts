import { notLookedFor } from './describe/index.ts';
import {
  type Embedder,
  findResemblance,
  findResemblingObjects,
  MIN_RESEMBLANCE,
  OTHER_DESCRIPTIONS,
} from './embeddings/index.ts';
import { clock, round } from './find/index.ts';
import type { ObjectEmbeddings, Observations } from './observe/observations.ts';
import { type Plan, type PlannedSearch, picturableSearches } from './plan/index.ts';
import type { Answer, Coverage, VideoEvent } from './types.ts';

const MAX_SEARCHES = 8;
/** Candidates of one search at most. */
const MAX_CANDIDATES = 10;
const MAX_LABEL = 120;
/** Confidence of a frame that resembles nothing but the words. How often that is right was not measured. */
const MAX_CONFIDENCE = 0.3;

const COMPARED =
  'compared with these words as whole pictures, which finds candidates only: how reliable they are was not measured';

/**
 * Adds candidates for what no observer can find: ranges whose frames, and tracked objects that, resemble the words of a
 * search more than other descriptions. A range in which an object does is left to the object, which has a box. Without
 * vectors of the video's frames, or if the model fails, the answer does not change. Rejects if
 * the signal is aborted.
 */
export async function addFrameCandidates(
  plan: Plan,
  answer: Answer,
  observations: Observations,
  embedder: Pick<Embedder, 'texts'>,
  signal?: AbortSignal,
): Promise<Answer> {
  const searches = picturableSearches(plan).slice(0, MAX_SEARCHES);
  const { embeddings, objectEmbeddings } = observations;
  if (embeddings === null || searches.length === 0) return answer;
  const texts = [...searches.map(({ text }) => text), ...OTHER_DESCRIPTIONS];
  const embedded = await embedder.texts(texts, signal).catch((error: Error) => ({ unavailable: error.message }));
  signal?.throwIfAborted();
  if ('unavailable' in embedded) return answer;
  const others = embedded.vectors.slice(searches.length);
  const by = `embeddings (${embedded.model})`;
  const found = searches.map((search, i) => {
    const words = embedded.vectors[i]!;
    const objects = findObjects(search, objectEmbeddings, { words, others }, plan, observations);
    const frames = findResemblance(embeddings, words, others).flatMap(
      (run) => toFrameCandidate(search, run, plan, observations) ?? [],
    );
    const candidates = [...objects, ...frames.filter((frame) => !objects.some((object) => overlap(object, frame)))];
    const best = candidates.toSorted((a, b) => b.confidence - a.confidence || a.startPts - b.startPts);
    return { search, candidates: best.slice(0, MAX_CANDIDATES) };
  });
  const limits = `frames that changed ${objectEmbeddings === null ? '' : 'and tracked objects '}were ${COMPARED}`;
  const coverage = answer.coverage.map((row): Coverage => {
    const isCompared = searches.some(({ steps }) => steps[0]!.text === row.text);
    if (!isCompared || row.status !== 'not_looked_for') return row;
    return { ...row, status: 'partly', by: [by], reason: row.reason ? `${row.reason}; ${limits}` : limits };
  });
  return {
    ...answer,
    coverage,
    candidates: [...answer.candidates, ...found.flatMap(({ candidates }) => candidates)].toSorted(
      (a, b) => a.startPts - b.startPts || a.endPts - b.endPts,
    ),
    summary: [
      answer.summary.replace(notLookedFor(plan, answer.coverage), '').trim(),
      `${objectEmbeddings === null ? 'Frames' : 'Frames and tracked objects'} were compared with words, which finds candidates only: ${found.map(resultOf).join(', ')}.`,
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
type Range = { startS: number; endS: number };

const overlap = (a: Range, b: Range) => a.startS < b.endS && b.startS < a.endS;

/** True if a range is in the searched part of the video. */
function isSearched({ startS, endS }: Range, { window }: Plan, { durationS }: Observations['video']): boolean {
  const place = (t: number) => (t < 0 ? durationS + t : t);
  return !window || (endS > place(window.from) && startS < place(window.to ?? durationS));
}

/** The fields that all candidates share. `subject` is the frame or object that resembles the words. */
const resembling = (text: string, subject: string, share: number, model: string) => ({
  label: shortened(text),
  category: 'picture' as const,
  severity: 'low' as const,
  confidence: round(MAX_CONFIDENCE * share, 3),
  explanation: `${subject} resembles "${shortened(text)}" more than other descriptions (${Math.round(100 * share)} % by ${model.split(' ')[0]}).`,
});

const signalsOf = (share: number) => [
  { name: 'resemblance', value: round(share, 3), threshold: MIN_RESEMBLANCE, unit: '' },
];

/** A frame is shown until the next one that changed. Null if a run is outside the searched part of the video. */
function toFrameCandidate(
  { text }: PlannedSearch,
  { first, last, best, share }: Run,
  plan: Plan,
  { embeddings, video }: Observations,
): VideoEvent | null {
  const { timeS, pts, model } = embeddings!;
  const { durationS, timeBase } = video;
  const [ticks, perSecond] = timeBase;
  const endS = timeS[last + 1] ?? durationS;
  if (!isSearched({ startS: timeS[first]!, endS }, plan, video)) return null;
  const frames = [
    ...(best === first ? [] : [{ role: 'first' as const, frame: first }]),
    { role: 'best' as const, frame: best },
    ...(best === last ? [] : [{ role: 'last' as const, frame: last }]),
  ];
  return {
    startS: round(timeS[first]!, 6),
    endS: round(endS, 6),
    startPts: pts[first]!,
    endPts: pts[last + 1] ?? Math.round(((durationS - timeS[last]!) * perSecond) / ticks + pts[last]!),
    timeBase,
    ...resembling(text, `The frame at ${clock(timeS[best]!)}`, share, model),
    caveats: ['whole frames were compared with words; nothing in them was detected'],
    evidence: {
      frames: frames.map(({ role, frame }) => ({ role, timeS: timeS[frame]!, pts: pts[frame]!, boxes: [] })),
      tracks: [],
      signals: signalsOf(share),
    },
  };
}

type Vectors = { words: Float32Array; others: readonly Float32Array[] };

/** Objects that resemble the words, for as long as they were tracked, with the box of the view that does most. */
function findObjects(
  { text }: PlannedSearch,
  views: ObjectEmbeddings | null,
  { words, others }: Vectors,
  plan: Plan,
  { video }: Observations,
): VideoEvent[] {
  if (views === null) return [];
  const resembled = findResemblingObjects({ ...views, groups: views.track }, words, others);
  return resembled.flatMap(({ index, share }): VideoEvent[] => {
    const [startS = 0, endS = 0, startPts = 0, endPts = 0] = views.spans.subarray(4 * index, 4 * index + 4);
    if (!isSearched({ startS, endS }, plan, video)) return [];
    const [timeS, pts, className] = [views.timeS[index]!, views.pts[index]!, views.classNames[index]!];
    const [x = 0, y = 0, width = 0, height = 0] = views.boxes.subarray(4 * index, 4 * index + 4);
    const box = { x: round(x, 4), y: round(y, 4), width: round(width, 4), height: round(height, 4) };
    const subject = `The object at ${clock(timeS)}, which was tracked as "${className}",`;
    return [
      {
        startS: round(startS, 6),
        endS: round(endS, 6),
        startPts,
        endPts,
        timeBase: video.timeBase,
        ...resembling(text, subject, share, views.model),
        caveats: [`the picture of a tracked object was compared with words; the detector took it for "${className}"`],
        evidence: {
          frames: [{ role: 'best', timeS, pts, boxes: [{ ...box, label: shortened(text) }] }],
          tracks: [],
          signals: signalsOf(share),
        },
      },
    ];
  });
}
