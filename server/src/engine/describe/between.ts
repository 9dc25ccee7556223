import { type Found, type Hit, round } from '../find/index.ts';
import type { Told } from './answer.ts';
import { clock } from './words.ts';

type Pair = { from: number; to: number };

/** How long lies between two happenings: of one sequence, of two that were picked, or between each of a kind and the next. */
export function timeBetween(told: readonly Told[], startsOf: (told: Told) => number[]): string {
  const missing = told.find(({ findings }) => findings.length === 0);
  if (missing) return `Not known: "${missing.found.search.text}" was looked for and not found.`;
  const [a, b, ...others] = told;
  if (!a || others.length > 0) return 'Not known: a time is told between two happenings.';
  const [first, second] = [a.found.hits[0]!, b?.found.hits[0]];
  if (second?.start.pts === first.start.pts) return `Not known: both are the same, at ${clock(first.start.timeS)}.`;
  const pairs = second ? [{ from: momentOf(first), to: momentOf(second) }] : pairsOf(a.found, startsOf(a));
  if (pairs.length === 0) return `Not known: "${a.found.search.text}" was found once.`;
  const texts = pairs
    .slice(0, MOST)
    .map(({ from, to }) => `${round(Math.abs(to - from), 1)} s (${clock(from)} to ${clock(to)})`);
  const mean = pairs.reduce((sum, { from, to }) => sum + Math.abs(to - from), 0) / pairs.length;
  const average = pairs.length > 1 ? ` On average ${round(mean, 1)} s.` : '';
  const more = pairs.length > MOST ? ` and ${pairs.length - MOST} more` : '';
  const leaving = told.some(({ found }) => found.search.steps.some(({ what }) => isLeaving(what)));
  return `${texts.join(', ')}${more}.${average} Each counts from where it begins${leaving ? '; leaving, to where it is gone' : ''}.`;
}
const MOST = 10;

function pairsOf({ hits }: Found, starts: readonly number[]): Pair[] {
  if (hits.some(({ parts }) => parts.length > 0))
    return hits.map(({ parts }) => ({ from: momentOf(parts[0]!), to: momentOf(parts.at(-1)!) }));
  const inOrder = starts.toSorted((p, q) => p - q);
  return inOrder.slice(1).map((to, i) => ({ from: inOrder[i]!, to }));
}

const isLeaving = (what: Hit['what']) =>
  what.kind === 'object' && (what.action === 'leaves' || what.action === 'disappears');

/** When it happens: what leaves has left when it is gone. */
const momentOf = ({ what, start, end }: Hit) => (isLeaving(what) ? end : start).timeS;
