import type { QuestionSearch } from '#frame/search-params.ts';
import type { BatchEvent } from './queries.ts';

/** Events of two questions. `both` has those of the first that overlap one of the second. */
export type Comparison = { onlyA: BatchEvent[]; onlyB: BatchEvent[]; both: BatchEvent[] };

/** The part that is shown: the chosen one, or the first that has events. */
export function shownPart({ part }: Pick<QuestionSearch, 'part'>, compared: Comparison | null): 'a' | 'b' | 'both' {
  if (part) return part;
  if (!compared || compared.onlyA.length > 0) return 'a';
  return compared.onlyB.length > 0 ? 'b' : 'both';
}

/** Events this close in time are the same, in seconds: two questions may see different edges of one event. */
const TOLERANCE_S = 0.5;

const overlap = (a: BatchEvent, b: BatchEvent): boolean =>
  a.startS <= b.endS + TOLERANCE_S && b.startS <= a.endS + TOLERANCE_S;

function byVideo(events: readonly BatchEvent[]): Map<string, BatchEvent[]> {
  return Map.groupBy(events, (event) => event.videoId);
}

/** Compares the events of two questions on the same videos by their times. */
export function compareEvents(a: readonly BatchEvent[], b: readonly BatchEvent[]): Comparison {
  const [inA, inB] = [byVideo(a), byVideo(b)];
  const isIn = (others: Map<string, BatchEvent[]>) => (event: BatchEvent) =>
    (others.get(event.videoId) ?? []).some((other) => overlap(event, other));
  const [isInA, isInB] = [isIn(inA), isIn(inB)];
  return { both: a.filter(isInB), onlyA: a.filter((e) => !isInB(e)), onlyB: b.filter((e) => !isInA(e)) };
}
