import { distance } from 'fastest-levenshtein';

/** Names that interfaces give to the same parameter. Of those that are known, the first one is meant. */
const SYNONYMS = [
  ['q', 'query', 'name', 'word', 'words', 'text', 'search', 'term', 'terms', 'keyword', 'keywords', 'prompt'],
  ['limit', 'count', 'size', 'page_size', 'per_page', 'max_results', 'top', 'n', 'first'],
  ['cursor', 'page', 'page_token', 'next', 'next_cursor', 'starting_after', 'offset', 'skip', 'after'],
  ['created_after', 'from', 'since', 'start', 'after', 'date_from', 'start_time'],
  ['created_before', 'to', 'until', 'end', 'before', 'date_to', 'end_time'],
  ['sort', 'order', 'order_by', 'sort_by', 'ordering'],
];

/** Words that say little about what a name stands for. */
const FILLERS = new Set(['id', 'ids', 'is', 'has', 'by', 'the', 's']);

/**
 * The known name that an unknown one stands for: another spelling, a typing error, a part of it (`folder` of
 * `folder_id`) or a synonym. Null if none is near.
 */
export function nearestName(unknown: string, known: readonly string[]): string | null {
  const name = normalize(unknown);
  const spelled = known.find((each) => normalize(each) === name);
  if (spelled !== undefined) return spelled;
  const errors = (each: string) => distance(name, each);
  const typed = nearestBy(known, errors);
  if (typed !== null && errors(typed) <= Math.max(1, Math.floor(typed.length / 4)) && typed.length > 2) return typed;
  const parts = partsOf(name);
  const shared = (each: string) => partsOf(normalize(each)).filter((part) => parts.includes(part)).length;
  const related = nearestBy(known, (each) => each.length / 100 - shared(each));
  if (related !== null && shared(related) > 0) return related;
  // `id` is the only id.
  const ids = known.filter((each) => each.endsWith('_id'));
  if (name === 'id' && ids.length === 1) return ids[0]!;
  const meant = SYNONYMS.filter((group) => group.includes(name)).flat();
  return meant.find((each) => known.includes(each)) ?? null;
}

const nearestBy = (names: readonly string[], cost: (name: string) => number): string | null =>
  names.reduce<string | null>((best, each) => (best !== null && cost(best) <= cost(each) ? best : each), null);

/** `folderId`, `folder-id` and `folder_id[]` are `folder_id`. */
const normalize = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();

const partsOf = (name: string): string[] => name.split('_').filter((part) => !FILLERS.has(part));
