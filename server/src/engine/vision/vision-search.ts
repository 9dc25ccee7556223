import { notLookedFor } from '../describe/index.ts';
import { DEFAULT_MIN_CONFIDENCE } from '../find/index.ts';
import type { Observations } from '../observe/observations.ts';
import type { Plan, PlannedSearch } from '../plan/index.ts';
import type { Answer, Coverage, VideoEvent } from '../types.ts';
import { chooseWindows, FRAMES_PER_WINDOW, type FrameWindow, MAX_WINDOWS, WINDOW_S } from './frame-windows.ts';
import { createModelClient, type LabeledImage, type QueryModel, type VisionEndpoint } from './model-client.ts';
import { claimPrompt, verificationPrompt } from './prompts.ts';
import { type Claims, claimsSchema, verdictSchema } from './response-schema.ts';

/**
 * Asks a vision-language model, if one is configured, about parts of a prompt that no observer can find. It sees a
 * bounded number of frames and answers with frame numbers (models are bad at times), and a second pass verifies every
 * claim.
 */
export interface VisionSearch {
  /**
   * Searches for the parts of a plan that no observer can find. `picture` returns the frame at a time as JPEG. A
   * failing or slow model, a malformed answer and an undecodable frame are outcomes with a reason in `coverage`, not
   * errors; aborting rejects.
   */
  search(
    plan: Plan,
    observations: Observations,
    drawFrame: (timeS: number) => Promise<Buffer>,
    options?: VisionSearchOptions,
  ): Promise<VisionResult>;
}

export type VisionSearchOptions = {
  signal?: AbortSignal;
  /** Fraction done, 0 to 1; not called if there is nothing to search for. */
  onProgress?: (fraction: number) => void;
  /** Events below it are candidates. */
  minConfidence?: number;
};

export type VisionResult = { events: VideoEvent[]; candidates: VideoEvent[]; coverage: Coverage[] };

const MAX_QUESTIONS = 8;
const MAX_CLAIMS = 12;
const MIN_CONFIDENCE = 0.5;
/** Upper limit for all questions together. */
const MAX_TOTAL_MS = 5 * 60_000;
/** Share of the first pass in the progress. */
const FIRST_PASS_SHARE = 0.6;
/** Upper limit of the confidence, however sure the model is of itself. */
const MAX_CONFIDENCE = 0.8;

/** Null if no model is configured. `timeoutMs` limits one question, `longestMs` all of them together. */
export function createVisionSearch(
  vision: VisionEndpoint | null,
  { timeoutMs, maxTotalMs = MAX_TOTAL_MS }: { timeoutMs?: number; maxTotalMs?: number } = {},
): VisionSearch | null {
  if (vision === null) return null;
  const queryModel = createModelClient(vision, timeoutMs);
  const name = `look (${vision.model})`;
  return {
    async search(plan, observations, drawFrame, options = {}) {
      const { signal = new AbortController().signal, onProgress = () => {} } = options;
      const { minConfidence = DEFAULT_MIN_CONFIDENCE } = options;
      const searches = plan.searches.filter(isLeftToModel).slice(0, MAX_QUESTIONS);
      if (searches.length === 0) return { events: [], candidates: [], coverage: [] };
      const deadline = performance.now() + maxTotalMs;
      const failures = new Set<string>();
      const isLate = () => {
        if (performance.now() < deadline) return false;
        failures.add(`it was too slow: what it did not answer within ${maxTotalMs / 1000} s was left out`);
        return true;
      };
      onProgress(0);

      const windows = chooseWindows(observations, rangeOf(plan, observations));
      const shown: ShownFrames[] = [];
      const claims: Claim[] = [];
      for (const [i, window] of windows.entries()) {
        if (isLate()) break;
        const frames = await decodeFrames(window, drawFrame, signal);
        if (frames.length === 0) failures.add('frames could not be decoded to be shown');
        else {
          shown.push(frames);
          const reply = await queryModel(claimPrompt(searches, frames.length), labeled(frames), claimsSchema, signal);
          if ('failure' in reply) failures.add(reply.failure);
          else claims.push(...claimsOf(reply.value, searches, frames));
        }
        onProgress((FIRST_PASS_SHARE * (i + 1)) / windows.length);
      }

      const found: { search: PlannedSearch; event: VideoEvent }[] = [];
      const strongest = claims.toSorted((a, b) => b.confidence - a.confidence).slice(0, MAX_CLAIMS);
      for (const [i, claim] of strongest.entries()) {
        if (isLate()) break;
        const confirmed = await verifyClaim(claim, queryModel, signal, failures);
        if (confirmed !== null)
          found.push({ search: claim.search, event: toEvent(claim, confirmed, observations, name) });
        onProgress(FIRST_PASS_SHARE + ((1 - FIRST_PASS_SHARE) * (i + 1)) / strongest.length);
      }
      const events = found.filter(({ event }) => event.confidence >= minConfidence);
      return {
        events: eventsOf(events),
        candidates: eventsOf(found.filter((one) => !events.includes(one))),
        coverage: searches.map((search) => coverageOf(search, events, shown, observations, failures, name)),
      };
    },
  };
}

/**
 * Merges the result into the answer of the observers: adds its events, and replaces the coverage of the parts that it
 * searched.
 */
export function mergeVisionResult(plan: Plan, answer: Answer, result: VisionResult): Answer {
  if (result.coverage.length === 0) return answer;
  const byText = new Map(result.coverage.map((row) => [row.text, row]));
  const replaced = answer.coverage.map((row) => byText.get(row.text) ?? row);
  const replacedRows = new Set(replaced);
  const results = result.coverage
    .map((row) => `${row.status === 'not_looked_for' ? 'no answer' : row.findings || 'nothing'} for "${row.text}"`)
    .join(', ');
  const sentence = `A vision-language model also searched: ${results}.`;
  const coverage = [...replaced, ...result.coverage.filter((row) => !replacedRows.has(row))];
  // The sentence about the model goes before the parts that were not searched, which are fewer now.
  const [missed, missing] = [notLookedFor(plan, answer.coverage), notLookedFor(plan, coverage)];
  const found = answer.summary.replace(missed, '').trim();
  const inOrder = (events: readonly VideoEvent[]) =>
    events.toSorted((a, b) => a.startPts - b.startPts || a.endPts - b.endPts);
  return {
    ...answer,
    events: inOrder([...answer.events, ...result.events]),
    candidates: inOrder([...answer.candidates, ...result.candidates]),
    coverage,
    answer: answer.answer === null ? null : `${answer.answer} ${sentence}`,
    summary: [found, sentence, missing].filter((text) => text !== '').join(' '),
  };
}

const eventsOf = (found: readonly { event: VideoEvent }[]) =>
  found.map(({ event }) => event).toSorted((a, b) => a.startPts - b.startPts);

/** True if no observer can find all of a search, so that a vision model searches for it. */
export const isLeftToModel = ({ steps }: PlannedSearch): boolean =>
  steps.some(({ what, unchecked }) => what.kind === 'unknown' || unchecked.some(({ blocks }) => blocks));

function rangeOf(plan: Plan, { video }: Observations): { from: number; to: number } {
  const place = (t: number) => Math.min(video.durationS, t < 0 ? Math.max(0, video.durationS + t) : t);
  return { from: place(plan.window?.from ?? 0), to: place(plan.window?.to ?? video.durationS) };
}

/** Frames of a window that could be decoded, in order. */
type ShownFrames = { timeS: number; pts: number; jpeg: Buffer }[];

async function decodeFrames(
  window: FrameWindow,
  drawFrame: (timeS: number) => Promise<Buffer>,
  signal: AbortSignal,
): Promise<ShownFrames> {
  const shown: ShownFrames = [];
  for (const { timeS, pts } of window.frames) {
    try {
      shown.push({ timeS, pts, jpeg: await drawFrame(timeS) });
    } catch {
      // A video may be damaged in one place only.
      signal.throwIfAborted();
    }
  }
  return shown;
}

const labeled = (frames: ShownFrames): LabeledImage[] =>
  frames.map(({ jpeg }, i) => ({ label: `Frame ${i + 1}:`, jpeg }));

type Claim = {
  search: PlannedSearch;
  label: string;
  confidence: number;
  frames: ShownFrames;
};

/** Claims whose question and frames exist, in order. */
function claimsOf({ events }: Claims, searches: readonly PlannedSearch[], shown: ShownFrames): Claim[] {
  return events.flatMap((event) => {
    const search = searches[event.question - 1];
    const [from, to] = [event.first_frame - 1, event.last_frame];
    if (!search || from >= shown.length || to > shown.length || to <= from || event.confidence < MIN_CONFIDENCE)
      return [];
    return [
      {
        search,
        label: event.label,
        confidence: event.confidence,
        frames: shown.slice(from, to),
      },
    ];
  });
}

/**
 * Verifies one claim on the same frames. Returns the confidence of the model, or null if it does not confirm the
 * claim.
 */
async function verifyClaim(
  claim: Claim,
  queryModel: QueryModel,
  signal: AbortSignal,
  failures: Set<string>,
): Promise<number | null> {
  const reply = await queryModel(
    verificationPrompt(claim.search.text, claim.label),
    labeled(claim.frames),
    verdictSchema,
    signal,
  );
  if ('failure' in reply) {
    failures.add(reply.failure);
    return null;
  }
  return reply.value.shown && reply.value.confidence >= MIN_CONFIDENCE ? reply.value.confidence : null;
}

function toEvent(claim: Claim, confirmed: number, { video }: Observations, name: string): VideoEvent {
  const first = claim.frames[0]!;
  const final = claim.frames.at(-1)!;
  const best = claim.frames[claim.frames.length >> 1]!;
  const moments = [
    ['first', first],
    ['best', best],
    ['last', final],
  ] as const;
  const frames = moments.filter(([role, m]) => role === 'best' || m.pts !== best.pts);
  const confidence = Math.round(Math.min(MAX_CONFIDENCE, claim.confidence * confirmed) * 1000) / 1000;
  return {
    startS: first.timeS,
    endS: final.timeS,
    startPts: first.pts,
    endPts: final.pts,
    timeBase: video.timeBase,
    label: claim.label,
    category: 'look',
    severity: 'low',
    confidence,
    caveats: [],
    explanation: `${name} reported it in ${claim.frames.length} of the frames shown (${claim.confidence.toFixed(2)}) and confirmed it in a second pass (${confirmed.toFixed(2)}). Start and end are those of the frames shown.`,
    evidence: {
      frames: frames.map(([role, m]) => ({ role, timeS: m.timeS, pts: m.pts, boxes: [] })),
      tracks: [],
      signals: [{ name, value: confidence, threshold: MIN_CONFIDENCE * MIN_CONFIDENCE, unit: 'confidence' }],
    },
  };
}

function coverageOf(
  search: PlannedSearch,
  found: readonly { search: PlannedSearch }[],
  shown: readonly ShownFrames[],
  { video }: Observations,
  failures: ReadonlySet<string>,
  name: string,
): Coverage {
  const findings = found.filter((f) => f.search === search).length;
  const frames = shown.reduce((n, window) => n + window.length, 0);
  const all = video.durationS <= MAX_WINDOWS * WINDOW_S;
  const limits = [
    `${frames} frames were shown, ${FRAMES_PER_WINDOW} of each ${all ? 'interval' : 'of the liveliest intervals'}: shorter events, or events elsewhere, may be missed`,
    ...[...failures].map((failure) => `the model failed at times: ${failure}`),
  ];
  if (failures.size > 0 && findings === 0)
    return {
      text: search.text,
      status: 'not_looked_for',
      by: [],
      reason: `${name} failed: ${[...failures].join('; ')}`,
      findings: 0,
    };
  return { text: search.text, status: 'partly', by: [name], reason: limits.join('; '), findings };
}
