import { type Budget, type ChartItem, type Grammar, parse } from './chart.ts';
import type { TokenSpan } from './rules.ts';

/** A part of a prompt between two marks that end a sentence, with its words and its readings, the best first. */
export type Fragment = TokenSpan & { readonly readings: readonly ChartItem[] };

/** The fragments of a prompt that were read, and the spans that were not. */
export type Fragments = { readonly read: readonly Fragment[]; readonly unread: readonly TokenSpan[] };

/** Longest fragment that is read, in tokens. Real sentences are far shorter. */
const MAX_FRAGMENT = 48;
/**
 * Work for a whole prompt, in parts that are tried. Ordinary prompts need 200 to 3,000, the hardest fixtures 14,000;
 * this many take about 20 ms.
 */
export const BUDGET = 30_000;

/** Spans between tokens that end a sentence; the last of these tokens belongs to its sentence. */
export function splitAt(length: number, isEnd: (at: number) => boolean): TokenSpan[] {
  const spans: TokenSpan[] = [];
  let from = 0;
  for (let at = 0; at < length; at++) {
    if (!isEnd(at) || isEnd(at + 1)) continue;
    spans.push({ from, to: at + 1 });
    from = at + 1;
  }
  if (from < length) spans.push({ from, to: length });
  return spans;
}

/**
 * Reads each fragment by itself. `latticeOf` gives the words of a span, counted from its start: first with their usual
 * meanings, and with all of them where those have no reading. What is too long, what no rules derive and what the
 * budget does not reach is unread.
 */
export function readFragments(
  spans: readonly TokenSpan[],
  grammar: Grammar,
  goal: string,
  latticeOf: (span: TokenSpan, isLastResort: boolean) => readonly ChartItem[],
  budget: Budget,
): Fragments {
  const read: Fragment[] = [];
  const unread: TokenSpan[] = [];
  for (const span of spans) {
    const readings = span.to - span.from <= MAX_FRAGMENT ? readFragment(span) : [];
    if (readings.length === 0) unread.push(span);
    else read.push({ ...span, readings });
  }
  return { read, unread };

  function readFragment(span: TokenSpan): readonly ChartItem[] {
    for (const isLastResort of [false, true]) {
      if (budget.left <= 0) break;
      const readings = parse(grammar, latticeOf(span, isLastResort), span.to - span.from, goal, budget);
      if (readings === null || readings.length > 0) return readings ?? [];
    }
    return [];
  }
}

/** The shorter spans of a fragment that are whole fragments by themselves, the longest first. */
export function findParts(grammar: Grammar, lattice: readonly ChartItem[], length: number, goal: string): TokenSpan[] {
  const parts: TokenSpan[] = [];
  if (length <= MAX_FRAGMENT) parse(grammar, lattice, length, goal, { left: BUDGET }, (span) => parts.push(span));
  return parts.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
}
