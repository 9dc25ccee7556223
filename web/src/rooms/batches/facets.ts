import type { QuestionSearch } from '#frame/search-params.ts';
import type { BatchEvent } from './queries.ts';

export type Facet = { value: string; count: number };
const FIELDS = ['label', 'severity', 'verdict', 'video'] as const;
type Field = (typeof FIELDS)[number];

const read: Record<Field, (event: BatchEvent) => string | null> = {
  label: (event) => event.label,
  severity: (event) => event.severity,
  verdict: (event) => event.approval,
  video: (event) => event.videoId,
};

const matches = (search: QuestionSearch, except?: Field) => (event: BatchEvent) =>
  event.confidence >= (search.confidence ?? 0) &&
  FIELDS.every((field) => field === except || search[field] === undefined || read[field](event) === search[field]);

/**
 * Values of a field with the number of events, most frequent first. Its own filter does not narrow it; events without a
 * value are left out.
 */
export function facet(events: readonly BatchEvent[], search: QuestionSearch, field: Field): Facet[] {
  const groups = Map.groupBy(events.filter(matches(search, field)), read[field]);
  return [...groups]
    .flatMap(([value, { length: count }]) => (value === null ? [] : { value, count }))
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value));
}

/** The events that pass the filters, in their own order. */
export const narrow = (events: readonly BatchEvent[], search: QuestionSearch): BatchEvent[] =>
  events.filter(matches(search));

/** The events that pass the filters, in the order of the search parameters. */
export function select(events: readonly BatchEvent[], search: QuestionSearch): BatchEvent[] {
  const found = narrow(events, search);
  switch (search.sort) {
    case 'confidence':
      return found.sort((a, b) => b.confidence - a.confidence);
    case 'rarest': {
      const counts = new Map(facet(events, {}, 'label').map(({ value, count }) => [value, count]));
      return found.sort((a, b) => counts.get(a.label)! - counts.get(b.label)! || b.confidence - a.confidence);
    }
    default:
      return found.sort((a, b) => a.videoId.localeCompare(b.videoId) || a.startS - b.startS);
  }
}
