import { type Found, round } from '../find/index.ts';
import type { Told } from './answer.ts';
import { clock } from './words.ts';

type Pair = { from: number; to: number };

/** How long lies between two happenings, each from its beginning: of one sequence, of two that were picked, or between each of a kind and the next. */
export function timeBetween(told: readonly Told[], startsOf: (told: Told) => number[]): string {
  const missing = told.find(({ findings }) => findings.length === 0);
  if (missing) return `Not known: "${missing.found.search.text}" was looked for and not found.`;
  const [a, b, ...others] = told;
  if (!a || others.length > 0) return 'Not known: a time is told between two happenings.';
  const pairs = b ? [{ from: a.findings[0]!.startS, to: b.findings[0]!.startS }] : pairsOf(a.found, startsOf(a));
  if (b && a.findings[0]!.startPts === b.findings[0]!.startPts)
    return `Not known: both are the same, at ${clock(a.findings[0]!.startS)}.`;
  if (pairs.length === 0) return `Not known: "${a.found.search.text}" was found once.`;
  const texts = pairs
    .slice(0, MOST)
    .map(({ from, to }) => `${round(Math.abs(to - from), 1)} s (${clock(from)} to ${clock(to)})`);
  const more = pairs.length > MOST ? ` and ${pairs.length - MOST} more` : '';
  return `${texts.join(', ')}${more}. Each counts from where it begins.`;
}
const MOST = 10;

function pairsOf({ hits }: Found, starts: readonly number[]): Pair[] {
  if (hits.some(({ parts }) => parts.length > 0))
    return hits.map(({ parts }) => ({ from: parts[0]!.start.timeS, to: parts.at(-1)!.start.timeS }));
  const inOrder = starts.toSorted((p, q) => p - q);
  return inOrder.slice(1).map((to, i) => ({ from: inOrder[i]!, to }));
}
