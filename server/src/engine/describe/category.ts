import type { IntervalMatch } from '../find/index.ts';
import { signalOf } from '../plan/index.ts';

/** Category of the event, for filters and charts. */
export function categoryOf(match: IntervalMatch): string {
  if (match.stepMatches.length > 0) return 'sequence';
  const { what } = match;
  if (what.kind === 'object') return what.relation ? 'interaction' : 'object';
  if (what.kind !== 'signal') return what.kind;
  return signalOf(what.signal).category;
}
