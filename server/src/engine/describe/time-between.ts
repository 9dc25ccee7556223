import { type IntervalMatch, round, type SearchMatches } from '../find/index.ts';
import type { SearchEvents } from './types.ts';
import { clock } from './words.ts';

type Pair = { from: number; to: number };

/** Time between two events: of one sequence, of two that were picked, or between each event of a kind and the next. */
export function timeBetween(searches: readonly SearchEvents[], startsOf: (search: SearchEvents) => number[]): string {
  const missing = searches.find(({ events }) => events.length === 0);
  if (missing) return `Not known: "${missing.result.search.text}" was looked for and not found.`;
  const [a, b, ...others] = searches;
  if (!a || others.length > 0) return 'Not known: name two events to get the time between them.';
  const [first, second] = [a.result.matches[0]!, b?.result.matches[0]];
  if (second?.start.pts === first.start.pts) return `Not known: both are the same, at ${clock(first.start.timeS)}.`;
  const pairs = second ? [{ from: eventTimeOf(first), to: eventTimeOf(second) }] : pairsOf(a.result, startsOf(a));
  if (pairs.length === 0) return `Not known: "${a.result.search.text}" was found once.`;
  const texts = pairs
    .slice(0, MAX_PAIRS)
    .map(({ from, to }) => `${round(Math.abs(to - from), 1)} s (${clock(from)} to ${clock(to)})`);
  const mean = pairs.reduce((sum, { from, to }) => sum + Math.abs(to - from), 0) / pairs.length;
  const average = pairs.length > 1 ? ` On average ${round(mean, 1)} s.` : '';
  const more = pairs.length > MAX_PAIRS ? ` and ${pairs.length - MAX_PAIRS} more` : '';
  const leaving = searches.some(({ result }) => result.search.steps.some(({ what }) => isLeaving(what)));
  return `${texts.join(', ')}${more}.${average} Each counts from where it begins${leaving ? '; leaving counts to the end' : ''}.`;
}
const MAX_PAIRS = 10;

function pairsOf({ matches }: SearchMatches, starts: readonly number[]): Pair[] {
  if (matches.some(({ stepMatches }) => stepMatches.length > 0))
    return matches.map(({ stepMatches }) => ({
      from: eventTimeOf(stepMatches[0]!),
      to: eventTimeOf(stepMatches.at(-1)!),
    }));
  const inOrder = starts.toSorted((p, q) => p - q);
  return inOrder.slice(1).map((to, i) => ({ from: inOrder[i]!, to }));
}

const isLeaving = (what: IntervalMatch['what']) =>
  what.kind === 'object' && (what.action === 'leaves' || what.action === 'disappears');

/** An object that leaves has left at the end of the event. */
const eventTimeOf = ({ what, start, end }: IntervalMatch) => (isLeaving(what) ? end : start).timeS;
