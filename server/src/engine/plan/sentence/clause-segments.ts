import { type Item, isStop, sense } from '../tokens/lexer.ts';
import type { JoinWord } from '../tokens/senses.ts';

/** The items of one clause, and how it is joined to the clause before it. */
export type Segment = {
  join: JoinWord | 'stop' | null;
  items: Item[];
  comma: boolean;
  /** The word that joins it. */
  word?: Item;
  /** Number of leading items that are copied from the clause before. */
  borrowed?: number;
  /** It ends with "later": "leaves 10 seconds later". */
  isLater?: boolean;
};

/** Joining words, weakest first: of several in a row (", and then") the strongest counts. */
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

/** Cuts items into segments at joining words and marks, but not inside lists of colors or ranges of numbers. */
export function cutSegments(items: readonly Item[]): Segment[] {
  const segments: Segment[] = [{ join: null, items: [], comma: false }];
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    const current = segments.at(-1)!;
    const join = isStop(item) ? 'stop' : joinAt(items, i, current);
    if (isApart(items, i, current)) segments.push({ join: 'but', items: [], comma: false });
    if (join === null) segments.at(-1)!.items.push(item);
    else if (current.items.length === 0 && segments.length > 1) {
      if (stronger(join, current.join)) [current.join, current.word] = [join, item];
      current.comma &&= item.text === ',';
    } else segments.push({ join, word: item, items: [], comma: item.text === ',' });
  }
  const last = segments.at(-1)!;
  const filled = segments.filter((segment, i) => i === 0 || segment.items.length > 0);
  if (last.items.length === 0 && last.join === 'then' && filled.length > 1)
    filled.push({ ...filled.pop()!, join: 'then', isLater: true });
  return filled;
}

function joinAt(items: readonly Item[], i: number, { items: before }: Segment): JoinWord | null {
  const join = sense(items[i], 'join')?.join ?? null;
  if (join === null && isLimitOf(items, i)) return 'after';
  if (join === null || join === 'both' || isPlace(items, i)) return null;
  if (join === 'and' || join === 'or') {
    // "black and white", "a red or a blue car", "between 2 and 4"
    const next = items.slice(i + 1, i + 3).find((item) => !isArticle(item));
    // "A red and a blue car" are two.
    const isAnother = join === 'and' && next !== items[i + 1] && !before.some((item) => sense(item, 'noun'));
    if (sense(items[i - 1], 'color') && sense(next, 'color') && !isAnother) return null;
    if (sense(items[i - 1], 'number') && sense(items[i + 1], 'number')) return null;
  }
  // "At least 2 but no more than 4", "above 30 and below 50 km/h"
  const isRange = join === 'and' || join === 'but';
  const isAmount = sense(items[i - 1], 'number') || sense(items[i - 1], 'unit');
  if (isRange && isAmount && sense(items[i + 1], 'compare') && sense(items[i + 2], 'number')) return null;
  if (join === 'and' || join === 'or') {
    if (join === 'and' && isSameObject(items, i, before)) return null;
    // "A person and no dog": there at the same time.
    if (join === 'and' && isNegatedNoun(items.slice(i + 1, i + 8))) return 'but';
  }
  return join;
}

/** "A car that is red and is moving", "wears red and carries a bag": the same object, at the same time. */
function isSameObject(items: readonly Item[], i: number, before: readonly Item[]): boolean {
  const noun = before.findIndex((item) => sense(item, 'noun'));
  if (noun < 0 || items[i]!.text === ',') return false;
  const rest = items.slice(i + 1);
  const at = rest.findIndex((item) => !sense(item, 'filler')?.light && !sense(item, 'negation'));
  const lead = rest.slice(0, Math.max(0, at)).flatMap((item) => sense(item, 'filler') ?? []);
  const begins = lead.length > 0 && lead.every(({ article }) => !article);
  const end = rest.findIndex((item) => isStop(item) || sense(item, 'join'));
  const next = rest[at];
  if (!next || (end >= 0 && end <= at)) return false;
  const tail = rest.slice(at, end < 0 ? undefined : end);
  const hasNoun = tail.some((item) => sense(item, 'noun') || sense(item, 'garment'));
  if (sense(next, 'color')) return !hasNoun && (begins || !sense(next, 'signal'));
  const isDoing = before.slice(noun).some((item) => isVerb(item) && !sense(item, 'filler'));
  if (sense(next, 'state')) return !hasNoun && !isDoing;
  if (lead.some(({ owns }) => owns)) return hasNoun;
  const isWith = sense(next, 'action')?.relation === 'with' || sense(next, 'relation')?.relation === 'with';
  return (isWith && hasNoun) || sense(next, 'preposition')?.preposition === 'wearing';
}

/** "Within 5 s of somebody leaving": the word that ties them. */
function isLimitOf(items: readonly Item[], i: number): boolean {
  if (sense(items[i], 'preposition')?.preposition !== 'of' || sense(items[i - 1], 'unit')?.dimension !== 'time')
    return false;
  const number = sense(items[i - 2], 'number') ? 3 : 2;
  return sense(items[i - number], 'preposition')?.preposition === 'within';
}

/** "At the till" is no "until". */
function isPlace(items: readonly Item[], i: number): boolean {
  if (!sense(items[i], 'setting')) return false;
  const before = items.slice(0, i).findLast((item) => !isArticle(item));
  return before === undefined || sense(before, 'preposition') !== null || sense(before, 'relation') !== null;
}

/** "The camera pans without anyone in view": "nobody in view" is a condition at the same time. */
function isApart(items: readonly Item[], i: number, { items: before }: Segment): boolean {
  const begins = sense(items[i], 'negation')?.without || sense(items[i], 'noun')?.negated;
  if (!begins || !isNegatedNoun(items.slice(i, i + 8))) return false;
  const hasNoun = before.some((item) => sense(item, 'noun'));
  return before.some((item) => {
    // "A slow car"
    if (sense(item, 'camera_move') && !sense(item, 'vague')) return true;
    return item.senses.some(({ type }) => type === 'quantity' || (!hasNoun && OF_PICTURE.has(type)));
  });
}
const OF_PICTURE = new Set(['camera', 'signal', 'sound', 'motion']);

/** "No dog", "nobody". */
function isNegatedNoun(items: readonly Item[]): boolean {
  const noun = items.findIndex(({ senses }) => !senses.some((s) => DETERMINERS.has(s.type)));
  const nounSense = sense(items[noun], 'noun');
  return (
    nounSense !== null && (nounSense.negated === true || items.slice(0, noun).some((item) => sense(item, 'negation')))
  );
}

const isArticle = (item: Item) => item.senses.length > 0 && item.senses.every((s) => s.type === 'filler' && s.light);

/**
 * "After a car stops a person appears": index of the main clause without a comma before it. Null if there is only one
 * clause.
 */
export function mainClauseAt(items: readonly Item[]): number | null {
  const lastVerb = items.findLastIndex(isVerb);
  let verb = false;
  for (let i = 0; i < lastVerb; i++) {
    if (verb && begins(items, i)) return nounPhraseAt(items, i);
    verb ||= isVerb(items[i]!);
  }
  return null;
}

export const isVerb = ({ senses }: Item) => senses.some((s) => VERBS.has(s.type));
const VERBS = new Set(['action', 'camera_move', 'signal', 'state']);
/** Senses of words that may precede a noun. */
export const DETERMINERS: ReadonlySet<string> = new Set([
  'filler',
  'color',
  'count',
  'number',
  'compare',
  'state',
  'vague',
  'negation',
]);

/** True if a noun, or the camera, is without a preposition or relation before it. */
function begins(items: readonly Item[], i: number): boolean {
  if (!sense(items[i], 'noun') && !sense(items[i], 'camera')) return false;
  const before = items[nounPhraseAt(items, i) - 1];
  return !sense(before, 'preposition') && !sense(before, 'relation');
}

function nounPhraseAt(items: readonly Item[], noun: number): number {
  let i = noun;
  while (i > 0 && !isVerb(items[i - 1]!) && items[i - 1]!.senses.some((s) => DETERMINERS.has(s.type))) i--;
  return i;
}

/** "Goes in and out": each on its own. */
export const splitAlternatives = (segments: readonly Segment[]): Segment[] =>
  segments.flatMap((segment) => {
    const at = segment.items.findIndex((item) => sense(item, 'action')?.or);
    const item = segment.items[at];
    const action = sense(item, 'action');
    if (!item || !action?.or) return [segment];
    const { or, ...one } = action;
    const doing = (each: typeof one, span: Pick<Item, 'start' | 'end'>) =>
      segment.items.with(at, { ...item, ...span, senses: [each] });
    // "Come", and "go", of "come and go": each is called by its own words.
    const words = item.text.split(' ');
    const [first, last] = [words.slice(0, -2).join(' '), words.at(-1)!];
    const both = [
      doing(one, { start: item.start, end: item.start + first.length }),
      doing({ ...one, action: or }, { start: item.end - last.length, end: item.end }),
    ] as const;
    return [
      { ...segment, items: both[0] },
      { join: 'or', comma: false, items: both[1], borrowed: Math.max(1, at) },
    ];
  });

/**
 * "Turns left or right", "from the top or the bottom", "behind or beside a car": copies the shared words to each
 * alternative.
 */
export function spreadDirections(segments: readonly Segment[]): Segment[] {
  const spread: Segment[] = [];
  for (const each of segments) {
    const before = spread.at(-1);
    const segment = before && sense(each.items[0], 'negation') ? asVerb(each) : each;
    const isJoined = segment.join === 'and' || segment.join === 'or' || segment.join === 'then';
    if (!before || !isJoined) spread.push(segment);
    else spread.splice(-1, 1, ...(withRelation(before, segment) ?? withVerb(before, segment)));
  }
  return spread;
}

function withVerb(before: Segment, segment: Segment): Segment[] {
  const { join, items } = segment;
  const lead = items.findIndex(({ senses }) => !senses.some((s) => WAYS.has(s.type)));
  const path = lead < 0 ? items : items.slice(0, lead);
  const tail = items.slice(path.length);
  const next = tail.find((item) => !isArticle(item));
  // "On the left or right stop": both do. "... of the street" is not an object.
  const isPlace = tail.every((item) => isArticle(item) || sense(item, 'setting'));
  const isShared = isPlace || (join !== 'then' && next !== undefined && isVerb(next));
  if (!hasPath(path) || !isShared) return [before, segment];
  const end = wayAt(before.items);
  if (end === null) return [before, tail.length === 0 ? asVerb(segment) : segment];
  // In a sequence the subject stays the same: only the verb is copied.
  const start = join === 'then' ? Math.max(0, before.items.findIndex(isVerb)) : 0;
  const first = before.items[end];
  const from = sense(first, 'preposition') && !sense(items[0], 'preposition') ? [first!] : [];
  const shared = [...before.items.slice(Math.min(start, end), end), ...from];
  if (shared.length === 0) return [before, segment];
  return [
    { ...before, items: [...before.items, ...tail] },
    { ...segment, items: [...shared, ...items], borrowed: shared.length },
  ];
}

/** "A truck behind or in front of a car". */
function withRelation(before: Segment, { join, items, comma }: Segment): Segment[] | null {
  const shared = before.items.slice(0, -1);
  if (shared.length === 0 || join === 'then' || !sense(before.items.at(-1), 'relation') || !sense(items[0], 'relation'))
    return null;
  return [
    { ...before, items: [...before.items, ...items.slice(1)] },
    { join, comma, items: [...shared, ...items], borrowed: shared.length },
  ];
}

/** "Enters and left", "came but never left": without a direction, the object has left. */
function asVerb(segment: Segment): Segment {
  const at = segment.items.findIndex((item) => !sense(item, 'negation'));
  const action = sense(segment.items[at], 'action');
  if (!action || !sense(segment.items[at], 'side') || segment.items.slice(at + 1).some((item) => sense(item, 'part')))
    return segment;
  return { ...segment, items: segment.items.with(at, { ...segment.items[at]!, senses: [action] }) };
}

/**
 * Start of the direction at the end of the items: "from the left", "up", "in the right half". Null if there is none.
 */
function wayAt(items: readonly Item[]): number | null {
  const at = items.findLastIndex(({ senses }) => !senses.some((s) => WAYS.has(s.type))) + 1;
  return hasPath(items.slice(at)) ? at : null;
}
const hasPath = (items: readonly Item[]) =>
  items.some((item) => sense(item, 'side') !== null || sense(item, 'direction') !== null);
const WAYS = new Set(['side', 'direction', 'part', 'preposition', 'filler']);
