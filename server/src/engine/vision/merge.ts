import { notLookedFor } from '../describe/index.ts';
import type { Plan } from '../plan/index.ts';
import type { Answer, Coverage, VideoEvent, VisionModelUsage } from '../types.ts';
import { IN_WORDS, VERIFICATION } from './coverage.ts';
import { isLeftToModel } from './plan/questions.ts';
import type { VisionResult } from './types.ts';

/**
 * Merges the result into the answer of the observers: adds its events, and replaces all rows of coverage of the
 * searches that it made. An answer in words replaces the one that observers could not give.
 */
export function mergeVisionResult(plan: Plan, answer: Answer, result: VisionResult): Answer {
  const coverage = mergeCoverage(plan, answer.coverage, result.coverage);
  const results = result.coverage
    .filter(({ text }) => text !== IN_WORDS && text !== VERIFICATION)
    .map((row) => `${row.status === 'not_looked_for' ? 'no answer' : row.findings || 'nothing'} for "${row.text}"`)
    .join(', ');
  const sentence = results === '' ? '' : `A vision-language model also searched: ${results}.`;
  // The sentence about the model goes before the parts that were not searched, which are fewer now.
  const [missed, missing] = [notLookedFor(plan, answer.coverage), notLookedFor(plan, coverage)];
  const found = answer.summary.replace(missed, '').trim();
  const words = result.answer?.text ?? null;
  const isUnanswered = words !== null && plan.searches.every(isLeftToModel);
  const base = isUnanswered ? null : answer.answer;
  const written = joinSentences(words ?? '', base ?? '', sentence);
  return {
    ...answer,
    events: inOrder([...answer.events, ...result.events]),
    candidates: inOrder([...answer.candidates, ...result.candidates]),
    coverage,
    answer: answer.answer === null && words === null ? null : written,
    summary: joinSentences(words ?? '', found, sentence, missing),
    ...(result.answer ? { citations: result.answer.citations } : {}),
    vision: result.usage,
  };
}

/** Rows of one search are replaced together, never beside each other. */
function mergeCoverage(plan: Plan, rows: readonly Coverage[], searched: readonly Coverage[]): Coverage[] {
  const replacement = new Map<string, Coverage>();
  for (const row of searched) {
    replacement.set(row.text, row);
    const search = plan.searches.find(({ text }) => text === row.text);
    for (const step of search?.steps ?? [])
      for (const { text } of [step, ...step.unchecked]) replacement.set(text, row);
  }
  const merged = rows.map((row) => replacement.get(row.text) ?? row);
  return [...new Set([...merged, ...searched])];
}

/** Sum of two uses of one model. The share of the video that was shown is that of the first. */
export function addUsage(first: VisionModelUsage | undefined, second: VisionModelUsage): VisionModelUsage {
  if (!first) return second;
  const sum = (field: 'calls' | 'cachedCalls' | 'inputTokens' | 'outputTokens' | 'cost') =>
    first[field] + second[field];
  return {
    ...first,
    calls: sum('calls'),
    cachedCalls: sum('cachedCalls'),
    cost: sum('cost'),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
  };
}

const joinSentences = (...sentences: string[]) => sentences.filter((text) => text !== '').join(' ');
const inOrder = (events: readonly VideoEvent[]) =>
  events.toSorted((a, b) => a.startPts - b.startPts || a.endPts - b.endPts);
