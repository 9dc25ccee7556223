import { type Item, isStop, sense } from '../tokens/lexer.ts';
import type { Sense } from '../tokens/senses.ts';

/** Items that replace the `length` items at a position. */
export type Replacement = { items: readonly Item[]; length: number };
/** A rule for the words at position `i`; null where it does not apply. */
export type Rule = (items: readonly Item[], i: number, query: string) => Replacement | null;

/** Replaces items by one that blocks their part of the prompt. */
export const block = (
  items: readonly Item[],
  i: number,
  length: number,
  query: string,
  reason: string,
): Replacement => {
  const [first, last] = [items[i]!, items[i + length - 1]!];
  const senses: Sense[] = [{ type: 'beyond', reason, verb: true }];
  return { items: [{ ...first, text: query.slice(first.start, last.end), end: last.end, senses }], length };
};
export const only = (item: Item, ...senses: Sense[]): Replacement => ({ items: [{ ...item, senses }], length: 1 });

export const isEnd = (item: Item | undefined) => !item || isStop(item) || sense(item, 'join') !== null;
export const isFiller = (item: Item | undefined) =>
  item !== undefined && item.senses.length > 0 && item.senses.every((s) => s.type === 'filler');
export const isVerb = (item: Item | undefined) =>
  item !== undefined &&
  !sense(item, 'noun') &&
  item.senses.some((s) => VERBS.has(s.type) || (s.type === 'beyond' && s.verb === true));
const VERBS: ReadonlySet<string> = new Set(['action', 'camera_move', 'state']);
export const isAuxiliary = (item: Item | undefined) => {
  const filler = sense(item, 'filler');
  return filler?.light === true && !filler.article && !filler.owns;
};
export const startOfClause = (items: readonly Item[], i: number): number => boundsOf(items).starts[i] ?? i;
export const endOfClause = (items: readonly Item[], i: number): number => boundsOf(items).ends[i] ?? i;

type Bounds = { starts: Uint32Array; ends: Uint32Array };
const known = new WeakMap<readonly Item[], Bounds>();

/** Start and end of the clause of each position. Many rules need them at each word, and clauses may be long. */
function boundsOf(items: readonly Item[]): Bounds {
  const earlier = known.get(items);
  if (earlier?.starts.length === items.length + 1) return earlier;
  const [starts, ends] = [new Uint32Array(items.length + 1), new Uint32Array(items.length + 1)];
  for (let i = 1; i <= items.length; i++) starts[i] = isEnd(items[i - 1]) ? i : starts[i - 1]!;
  ends[items.length] = items.length;
  for (let i = items.length - 1; i >= 0; i--) ends[i] = isEnd(items[i]) ? i : ends[i + 1]!;
  known.set(items, { starts, ends });
  return { starts, ends };
}
export const hasNounBefore = (items: readonly Item[], i: number) =>
  items.slice(startOfClause(items, i), i).some((item) => sense(item, 'noun') || sense(item, 'pronoun'));
export const wordOf = (item: Item | undefined) => item?.text.toLowerCase() ?? '';
