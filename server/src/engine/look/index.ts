import { notLookedFor } from '../describe/index.ts';
import type { Answer, Coverage, Finding } from '../index.ts';
import type { Observations } from '../observe/observations.ts';
import type { Plan, Search } from '../plan/index.ts';
import { type AskModel, createAskModel, type Picture, type Vision } from './model.ts';
import { checkQuestion, claimQuestion } from './questions.ts';
import { type Claims, claimsSchema, verdictSchema } from './schema.ts';
import { chooseWindows, FRAMES_PER_WINDOW, MOST_WINDOWS, WINDOW_S, type Window } from './windows.ts';

export type { Vision } from './model.ts';

/**
 * Look: where a vision-language model is configured, it is asked about what no observer knows. It sees a bounded number of frames, answers
 * in terms of numbered frames (models are bad at times; the times are ours), and every claim is checked in a second look before it is told.
 */
export interface Look {
  /**
   * Looks for the parts of a plan that nothing else can look for. `picture` gives the frame shown at a time as JPEG. A model that fails, talks
   * nonsense or is too slow is an outcome with a reason in `coverage`, not an error, and so is a frame that cannot be drawn; aborting rejects.
   */
  look(
    plan: Plan,
    observations: Observations,
    picture: (timeS: number) => Promise<Buffer>,
    options?: LookOptions,
  ): Promise<Looked>;
}

export type LookOptions = {
  signal?: AbortSignal;
  /** Fraction done, 0 to 1; not called when nothing is left to look for. */
  onProgress?: (fraction: number) => void;
};

export type Looked = { findings: Finding[]; coverage: Coverage[] };

const MOST_QUESTIONS = 8;
const MOST_CLAIMS = 12;
const SURE = 0.5;
/** Nobody waits longer than this for a model, however many questions there are. */
const LONGEST_MS = 5 * 60_000;
/** Share of the first look in the whole. */
const FIRST_LOOK = 0.6;
/** A model that is sure of itself is still a model. */
const MOST_CONFIDENCE = 0.8;

/** Null when no model is configured. `timeoutMs` bounds one question, `longestMs` all of them together. */
export function createLook(
  vision: Vision | null,
  { timeoutMs, longestMs = LONGEST_MS }: { timeoutMs?: number; longestMs?: number } = {},
): Look | null {
  if (vision === null) return null;
  const ask = createAskModel(vision, timeoutMs);
  const name = `look (${vision.model})`;
  return {
    async look(plan, observations, picture, { signal = new AbortController().signal, onProgress = () => {} } = {}) {
      const searches = lookFor(plan).slice(0, MOST_QUESTIONS);
      if (searches.length === 0) return { findings: [], coverage: [] };
      const until = performance.now() + longestMs;
      const failures = new Set<string>();
      const late = () => {
        if (performance.now() < until) return false;
        failures.add(`it was too slow: what it did not answer within ${longestMs / 1000} s was left out`);
        return true;
      };
      onProgress(0);

      const windows = chooseWindows(observations, rangeOf(plan, observations));
      const shown: Shown[] = [];
      const claims: Claim[] = [];
      for (const [i, window] of windows.entries()) {
        if (late()) break;
        const frames = await show(window, picture, signal);
        if (frames.length === 0) failures.add('frames could not be decoded to be shown');
        else {
          shown.push(frames);
          const reply = await ask(claimQuestion(searches, frames.length), labelled(frames), claimsSchema, signal);
          if ('failure' in reply) failures.add(reply.failure);
          else claims.push(...claimsOf(reply.value, searches, frames));
        }
        onProgress((FIRST_LOOK * (i + 1)) / windows.length);
      }

      const findings: { search: Search; finding: Finding }[] = [];
      const doubted = claims.toSorted((a, b) => b.confidence - a.confidence).slice(0, MOST_CLAIMS);
      for (const [i, claim] of doubted.entries()) {
        if (late()) break;
        const confirmed = await check(claim, ask, signal, failures);
        if (confirmed !== null)
          findings.push({ search: claim.search, finding: findingOf(claim, confirmed, observations, name) });
        onProgress(FIRST_LOOK + ((1 - FIRST_LOOK) * (i + 1)) / doubted.length);
      }
      return {
        findings: findings.map(({ finding }) => finding).toSorted((a, b) => a.startPts - b.startPts),
        coverage: searches.map((search) => coverageOf(search, findings, shown, observations, failures, name)),
      };
    },
  };
}

/** The answer with what the look added: its findings in order, its coverage in place of "not looked for". */
export function withLook(plan: Plan, answer: Answer, looked: Looked): Answer {
  if (looked.coverage.length === 0) return answer;
  const byText = new Map(looked.coverage.map((row) => [row.text, row]));
  const replaced = answer.coverage.map((row) => byText.get(row.text) ?? row);
  const kept = new Set(replaced);
  const told = looked.coverage
    .map((row) => `${row.status === 'not_looked_for' ? 'no answer' : row.findings || 'nothing'} for "${row.text}"`)
    .join(', ');
  const sentence = `A vision-language model was asked as well: ${told}.`;
  const coverage = [...replaced, ...looked.coverage.filter((row) => !kept.has(row))];
  // What the model saw comes before what nobody looked for, and that is less now.
  const [missed, missing] = [notLookedFor(plan, answer.coverage), notLookedFor(plan, coverage)];
  const found = answer.summary.replace(missed, '').trim();
  return {
    ...answer,
    findings: [...answer.findings, ...looked.findings].toSorted(
      (a, b) => a.startPts - b.startPts || a.endPts - b.endPts,
    ),
    coverage,
    answer: answer.answer === null ? null : `${answer.answer} ${sentence}`,
    summary: [found, sentence, missing].filter((text) => text !== '').join(' '),
  };
}

/** Searches in which something blocks that eyes could see. */
function lookFor(plan: Plan): Search[] {
  return plan.searches.filter((search) =>
    search.steps.some((step) => step.what.kind === 'unknown' || step.unchecked.some((u) => u.blocks)),
  );
}

function rangeOf(plan: Plan, { video }: Observations): { from: number; to: number } {
  const place = (t: number) => Math.min(video.durationS, t < 0 ? Math.max(0, video.durationS + t) : t);
  return { from: place(plan.window?.from ?? 0), to: place(plan.window?.to ?? video.durationS) };
}

/** What of a window the model saw: its frames that could be drawn, in order. */
type Shown = { timeS: number; pts: number; jpeg: Buffer }[];

async function show(window: Window, picture: (timeS: number) => Promise<Buffer>, signal: AbortSignal): Promise<Shown> {
  const shown: Shown = [];
  for (const { timeS, pts } of window.frames) {
    try {
      shown.push({ timeS, pts, jpeg: await picture(timeS) });
    } catch {
      // A video may be damaged at one place and fine at the next.
      signal.throwIfAborted();
    }
  }
  return shown;
}

const labelled = (frames: Shown): Picture[] => frames.map(({ jpeg }, i) => ({ label: `Frame ${i + 1}:`, jpeg }));

type Claim = {
  search: Search;
  label: string;
  confidence: number;
  frames: Shown;
};

/** Claims about frames and questions that there are, in order. */
function claimsOf({ events }: Claims, searches: readonly Search[], shown: Shown): Claim[] {
  return events.flatMap((event) => {
    const search = searches[event.question - 1];
    const [from, to] = [event.first_frame - 1, event.last_frame];
    if (!search || from >= shown.length || to > shown.length || to <= from || event.confidence < SURE) return [];
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

/** The second look: the same frames, one claim. Returns the model's confidence, or null when it does not stand by the claim. */
async function check(claim: Claim, ask: AskModel, signal: AbortSignal, failures: Set<string>): Promise<number | null> {
  const reply = await ask(checkQuestion(claim.search.text, claim.label), labelled(claim.frames), verdictSchema, signal);
  if ('failure' in reply) {
    failures.add(reply.failure);
    return null;
  }
  return reply.value.shown && reply.value.confidence >= SURE ? reply.value.confidence : null;
}

function findingOf(claim: Claim, confirmed: number, { video }: Observations, name: string): Finding {
  const first = claim.frames[0]!;
  const final = claim.frames.at(-1)!;
  const best = claim.frames[claim.frames.length >> 1]!;
  const moments = [
    ['first', first],
    ['best', best],
    ['last', final],
  ] as const;
  const frames = moments.filter(([role, m]) => role === 'best' || m.pts !== best.pts);
  const confidence = Math.round(Math.min(MOST_CONFIDENCE, claim.confidence * confirmed) * 1000) / 1000;
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
    explanation: `${name} said so of ${claim.frames.length} of the frames it was shown (${claim.confidence.toFixed(2)}) and stood by it in a second look (${confirmed.toFixed(2)}). The edges are those of the frames shown.`,
    evidence: {
      frames: frames.map(([role, m]) => ({ role, timeS: m.timeS, pts: m.pts, boxes: [] })),
      tracks: [],
      signals: [{ name, value: confidence, threshold: SURE * SURE, unit: 'confidence' }],
    },
  };
}

function coverageOf(
  search: Search,
  found: readonly { search: Search }[],
  shown: readonly Shown[],
  { video }: Observations,
  failures: ReadonlySet<string>,
  name: string,
): Coverage {
  const findings = found.filter((f) => f.search === search).length;
  const frames = shown.reduce((n, window) => n + window.length, 0);
  const all = video.durationS <= MOST_WINDOWS * WINDOW_S;
  const limits = [
    `${frames} frames were shown, ${FRAMES_PER_WINDOW} of each ${all ? 'stretch' : 'of the liveliest stretches'}: what is shorter or elsewhere may be missed`,
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
