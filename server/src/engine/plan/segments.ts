import { type Item, isStop, sense } from './items.ts';
import type { JoinWord } from './lexicon.ts';

/** A stretch of the prompt that says one thing, and how it is tied to the stretch before it. */
export type Segment = {
  join: JoinWord | 'stop' | null;
  items: Item[];
  comma: boolean;
  /** How many of the items, the first ones, were said in the segment before. */
  borrowed?: number;
};

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

/** "Turns left or right", "from the top or the bottom": what was said once is said of each of the ways. */
export function spreadWays(segments: readonly Segment[]): Segment[] {
  const spread: Segment[] = [];
  for (const segment of segments) spread.push(withVerb(segment, spread.at(-1)));
  return spread;
}

function withVerb(segment: Segment, before: Segment | undefined): Segment {
  const { join, items } = segment;
  const isJoined = join === 'and' || join === 'or' || join === 'then';
  if (!before || !isJoined || wayAt(items) !== 0) return segment;
  const end = wayAt(before.items);
  if (end === null) return asVerb(segment);
  // Of a sequence it is the same one that does it: only the verb is said again.
  const start = join === 'then' ? Math.max(0, before.items.findIndex(isVerb)) : 0;
  const lead = before.items[end];
  const from = sense(lead, 'preposition') && !sense(items[0], 'preposition') ? [lead!] : [];
  const said = [...before.items.slice(Math.min(start, end), end), ...from];
  return said.length === 0 ? segment : { ...segment, items: [...said, ...items], borrowed: said.length };
}

/** "Enters and left": who goes no way has gone. */
function asVerb(segment: Segment): Segment {
  const [first, ...rest] = segment.items;
  const action = sense(first, 'action');
  if (!action || rest.some((item) => sense(item, 'part'))) return segment;
  return { ...segment, items: [{ ...first!, senses: [action] }, ...rest] };
}

/** Where the way begins that items end with: "from the left", "up", "in the right half". Null when they end with none. */
function wayAt(items: readonly Item[]): number | null {
  const at = items.findLastIndex(({ senses }) => !senses.some((s) => WAYS.has(s.type))) + 1;
  return items.slice(at).some((item) => sense(item, 'side') || sense(item, 'direction')) ? at : null;
}
const WAYS = new Set(['side', 'direction', 'part', 'preposition', 'filler']);
