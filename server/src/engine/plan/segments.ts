import { type Item, isStop, sense } from './items.ts';
import type { JoinWord } from './lexicon.ts';

/** A stretch of the prompt that says one thing, and how it is tied to the stretch before it. */
export type Segment = { join: JoinWord | 'stop' | null; items: Item[]; comma: boolean };

/** Joining words, the weakest first: of several in a row (", and then") the strongest counts. */
const BY_STRENGTH: readonly (JoinWord | 'stop')[] = [
  'both',
  'and',
  'or',
  'stop',
  'but',
  'while',
  'before',
  'after',
  'then',
];
const stronger = (a: JoinWord | 'stop', b: JoinWord | 'stop' | null) =>
  b === null || BY_STRENGTH.indexOf(a) > BY_STRENGTH.indexOf(b);

/** Cuts items into segments at joining words and marks, but not inside lists of colours or ranges of numbers. */
export function cutSegments(items: readonly Item[]): Segment[] {
  const segments: Segment[] = [{ join: null, items: [], comma: false }];
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    const join = isStop(item) ? 'stop' : joinAt(items, i);
    const current = segments.at(-1)!;
    if (join === null) current.items.push(item);
    else if (current.items.length === 0 && segments.length > 1) {
      if (stronger(join, current.join)) current.join = join;
      current.comma &&= item.text === ',';
    } else segments.push({ join, items: [], comma: item.text === ',' });
  }
  return segments.filter((segment, i) => i === 0 || segment.items.length > 0);
}

function joinAt(items: readonly Item[], i: number): JoinWord | null {
  const join = sense(items[i], 'join')?.join ?? null;
  if (join === null || join === 'both') return null;
  if (join === 'and' || join === 'or') {
    // "black and white", "a red or a blue car", "between 2 and 4"
    const next = items.slice(i + 1, i + 3).find((item) => !isArticle(item));
    if (sense(items[i - 1], 'color') && sense(next, 'color')) return null;
    if (sense(items[i - 1], 'number') && sense(items[i + 1], 'number')) return null;
  }
  return join;
}

const isArticle = (item: Item) => item.senses.length > 0 && item.senses.every((s) => s.type === 'filler' && s.light);

/** "After a car stops a person appears": where the main clause begins when no comma says so. Null when there is only one. */
export function mainClauseAt(items: readonly Item[]): number | null {
  const lastVerb = items.findLastIndex(isVerb);
  let verb = false;
  for (let i = 0; i < lastVerb; i++) {
    if (verb && begins(items, i)) return nounPhraseAt(items, i);
    verb ||= isVerb(items[i]!);
  }
  return null;
}

const isVerb = ({ senses }: Item) => senses.some((s) => VERBS.has(s.type));
const VERBS = new Set(['action', 'camera_move', 'signal', 'state']);
const DETERMINERS = new Set(['filler', 'color', 'count', 'number', 'compare', 'state', 'vague', 'negation']);

/** A thing, or the camera, that no preposition or relation ties to what stands before it. */
function begins(items: readonly Item[], i: number): boolean {
  if (!sense(items[i], 'thing') && !sense(items[i], 'camera')) return false;
  const before = items[nounPhraseAt(items, i) - 1];
  return !sense(before, 'preposition') && !sense(before, 'relation');
}

function nounPhraseAt(items: readonly Item[], noun: number): number {
  let i = noun;
  while (i > 0 && !isVerb(items[i - 1]!) && items[i - 1]!.senses.some((s) => DETERMINERS.has(s.type))) i--;
  return i;
}
