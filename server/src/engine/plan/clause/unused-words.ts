import { type Item, isMark, sense } from '../tokens/lexer.ts';
import type { Preposition, Sense } from '../tokens/senses.ts';
import { actionOf, blocked, type Clause, type ClausePart, hasPart } from './syntax.ts';

/** Longest clause that is checked word by word; longer ones are prose that the grammar does not cut. */
const MAX_ITEMS = 80;
const UNUSED = 'this word does not fit into the rest; without it the rest would answer another question';
const CONTINUED = 'whether something continues is not checked';
const TOO_LONG = 'this is too long to be read as one event; write shorter sentences';

/**
 * Blocks a clause in which one word has no part. A word is used if the clause would be read differently without
 * it, if a remark reports it, or if its neighbors require it ("on" in "on the left").
 *
 * @param parse reads the clause from other items.
 */
export function blockUnused(clause: Clause, items: readonly Item[], parse: (items: readonly Item[]) => Clause): Clause {
  if (blocked(clause) || items.length < 2) return clause;
  if (items.length > MAX_ITEMS) return withRemark(clause, clause.text, TOO_LONG);
  const whole = meaningOf(clause);
  const unused = items.findIndex(
    (item, i) =>
      !item.lent &&
      hasContent(item) &&
      !isReported(clause, item) &&
      !isLicensed(clause, items, i) &&
      meaningOf(parse(items.toSpliced(i, 1))) === whole,
  );
  if (unused < 0) return clause;
  const { text } = items[unused]!;
  // "Drives on"
  const isParticle = unused === items.length - 1 && sense(items[unused - 1], 'action')?.weak === true;
  return isParticle && sense(items[unused], 'preposition')?.preposition === 'on'
    ? withRemark(clause, text, CONTINUED, false)
    : withRemark(clause, text, UNUSED);
}

const withRemark = (clause: Clause, text: string, reason: string, blocks = true): Clause => ({
  ...clause,
  unchecked: [...clause.unchecked, { text: text.slice(0, 200), reason, blocks }],
});

const hasContent = (item: Item) => !isMark(item) && item.senses.some(({ type }) => !EMPTY.has(type));
const EMPTY: ReadonlySet<Sense['type']> = new Set(['filler', 'join', 'control', 'per', 'average', 'identity']);

const isReported = ({ unchecked }: Clause, { text }: Item) => {
  const word = text.toLowerCase();
  return unchecked.some((each) => each.text.toLowerCase().includes(word));
};

/** The parts of a clause and its remarks, without the words that they quote. */
const meaningOf = ({ parts, unchecked }: Clause): string =>
  [
    ...parts
      .filter((part) => !isEmptyVerb(part))
      .map((part) =>
        JSON.stringify(part, (key, value: unknown) => (key === 'text' || key === 'verbFirst' ? undefined : value)),
      ),
    ...unchecked.map(({ text, blocks }) => `${blocks} ${text}`),
  ]
    .sort()
    .join('\n');

/** "Present", "there": adds nothing to an object. */
const isEmptyVerb = (part: ClausePart) =>
  part.kind === 'verb' && part.action.action === 'present' && part.action.weak === true && !part.action.relation;

/** True if the neighbors of a word require it, though it adds nothing. */
function isLicensed(clause: Clause, items: readonly Item[], i: number): boolean {
  const item = items[i]!;
  const place: Place = {
    clause,
    earlier: items.slice(0, i),
    item,
    isFirst: i > 0 && items.slice(0, i).every((each) => isA(each, 'filler')) && !sense(items[i - 1], 'filler')?.light,
    before: items.slice(0, i).findLast((each) => !isFiller(each)),
    after: items[i + 1],
    next: items.slice(i + 1).find((each) => !isFiller(each)),
    head: items.slice(i + 1).find((each) => !isFiller(each) && !isModifier(each)),
  };
  return item.senses.some((each) => LICENSES[each.type]?.(place, each as never) ?? false);
}

/** The neighbors of a word. */
type Place = {
  clause: Clause;
  item: Item;
  earlier: readonly Item[];
  isFirst: boolean;
  /** The nearest words with content. */
  before: Item | undefined;
  next: Item | undefined;
  /** The next word that is not a modifier of a noun. */
  head: Item | undefined;
  after: Item | undefined;
};
type Licenses = { [T in Sense['type']]?: (place: Place, sense: Extract<Sense, { type: T }>) => boolean };

const isFiller = (item: Item) => item.senses.length > 0 && item.senses.every(({ type }) => type === 'filler');
const isModifier = (item: Item) => !sense(item, 'noun') && item.senses.some(({ type }) => MODIFIERS.has(type));
const MODIFIERS: ReadonlySet<Sense['type']> = new Set([
  ...(['color', 'count', 'number', 'state', 'vague', 'compare', 'empty', 'negation'] as const),
]);
const isA = (item: Item | undefined, ...types: readonly Sense['type'][]) =>
  item?.senses.some(({ type }) => types.includes(type)) ?? false;
/** A line of the video, which is crossed by going over it. */
const isDrawn = (item: Item | undefined) => typeof (sense(item, 'line')?.line ?? '') === 'object';
const isAmount = (item: Item | undefined) => isA(item, 'number', 'unit', 'count');
const endsWith = (item: Item | undefined, word: string) => item?.text.toLowerCase().endsWith(` ${word}`) ?? false;
const actionOfItem = (item: Item | undefined) => sense(item, 'action')?.action ?? null;

const LICENSES: Licenses = {
  preposition: (place, { preposition }) => {
    const { clause, isFirst, before, after, next, head } = place;
    // "At all", "at any point", "in total"
    if (next === undefined) return after !== undefined && isFiller(after) && OF_FRAME.has(preposition);
    if (isA(head, 'setting') || isA(next, 'window', 'pronoun')) return true;
    if (isDrawn(head)) return preposition === 'across' || preposition === 'past';
    const isMeasured = hasPart(clause, 'quantity');
    if (isA(next, 'unit', 'compare')) return (isMeasured ? OF_AMOUNTS : OF_TIMES).has(preposition);
    if (preposition === 'of' && (endsWith(before, 'out') || isA(before, 'unit', 'part', 'side'))) return true;
    if (preposition === 'between' && (isA(next, 'number') || endsWith(before, 'from'))) return true;
    if (isA(next, 'number') && (preposition === 'for' || (isA(before, 'quantity') && OF_AMOUNTS.has(preposition))))
      return true;
    if (preposition === 'for' && isA(head, 'noun') && isA(before, 'setting')) return true;
    if (after?.text.toLowerCase() === 'which') return true;
    if (isFirst) return LEADING.has(preposition);
    if (isA(next, 'side', 'part')) return OF_SIDES.has(preposition);
    if (isA(next, 'direction', 'relation')) return preposition === 'from';
    if (isA(next, 'action') && preposition === 'to') return hasPart(clause, 'camera');
    if (isA(next, 'camera')) return OF_CAMERA.has(preposition);
    if (isA(head, 'garment')) return preposition === 'in' || preposition === 'wearing';
    if (isColorAlone(next, head)) return preposition === 'wearing' || (preposition === 'in' && isPerson(before));
    // "We stop at a traffic light": the noun is reported when the step is built.
    return isA(head, 'noun') && hasPart(clause, 'camera', 'camera_move') && OF_CAUSES.has(preposition);
  },
  relation: ({ clause, next, head, item, before, isFirst }, { relation }) =>
    (isA(next, 'camera') && before !== undefined) ||
    (next === undefined && actionOf(clause)?.action === 'left_behind') ||
    (item.text.toLowerCase() === 'by' && hasPart(clause, 'quantity') && isA(next, 'compare', 'number')) ||
    (sense(before, 'action')?.relation === relation && isA(head, 'noun')) ||
    isA(head, 'setting') ||
    (isDrawn(head) && relation === 'above') ||
    (isA(head, 'noun') && (hasPart(clause, 'camera', 'camera_move') || isA(next, 'negation'))) ||
    (isFirst && relation === 'with') ||
    (relation === 'with' && isA(head, 'garment')) ||
    (item.text.toLowerCase() === 'by' && isA(head, 'noun') && actionOf(clause)?.action === 'left_behind'),
  camera: ({ before, next, after }) =>
    isA(before, 'preposition', 'relation', 'direction') ||
    isA(next, 'signal') ||
    sense(next, 'action')?.passive === true ||
    TRANSITIVE.has(actionOfItem(before) ?? '') ||
    (after !== undefined && PICTURES.has(after.text.toLowerCase())),
  compare: ({ next, before, item }, { compare }) =>
    isAmount(next) || isAmount(before) || compare === 'exact' || (next === undefined && item.text.includes(' ')),
  color: ({ after }) => isA(after, 'join'),
  garment: ({ before }) => isA(before, 'color'),
  question: ({ earlier }) => earlier.every((each) => isFiller(each) || isA(each, 'question')),
  unit: ({ item, earlier, after }) =>
    isA(item, 'filler') && earlier.every(isFiller) && isA(after, 'filler', 'preposition', 'camera', 'noun'),
  // "Can you ..."
  beyond: ({ item, after, next }) => item.text.toLowerCase() === 'can' && (isA(after, 'filler') || isA(next, 'action')),
  number: ({ next, before, item }) =>
    item.time === true ||
    isA(next, 'noun', 'unit', 'compare') ||
    isA(before, 'compare', 'number') ||
    item.text.toLowerCase() === 'one',
  count: ({ next }) => isA(next, 'noun', 'number', 'compare'),
  noun: ({ before, earlier }) =>
    before?.text.toLowerCase() === 'by' ||
    (isA(before, 'count', 'number') && earlier.some((each) => isA(each, 'count') && isA(each, 'noun'))),
  quantity: ({ next, before }) => isA(next, 'compare', 'number', 'preposition') || isA(before, 'compare', 'unit'),
  side: ({ next, before }) => isA(next, 'part', 'side') || isA(before, 'preposition', 'side', 'action'),
  part: ({ after, earlier }) =>
    [after, earlier.at(-1)].some(
      (each) =>
        isA(each, 'side', 'part') ||
        sense(each, 'preposition')?.preposition === 'of' ||
        (isA(each, 'direction') && /(?:left|right|top|bottom)$/i.test(each!.text)),
    ),
  state: ({ before, next, after, earlier }, { yet }) =>
    sense(before, 'state')?.yet === true ||
    (yet
      ? (isA(next, 'state', 'noun', 'setting', 'relation') || /^(?:there|here)$/i.test(next?.text ?? '')) &&
        earlier.length > 0 &&
        (isA(earlier.at(-1), 'noun') || isA(earlier.at(-1), 'filler'))
      : isA(before, 'action') && isA(after, 'side', 'direction')),
  action: ({ clause, next, item, earlier }, { action, weak }) => {
    // "We wait for a pedestrian": blocked when the step is built.
    if (hasPart(clause, 'camera') && sense(next, 'preposition')?.preposition === 'for') return true;
    if (!weak) return false;
    if (action === 'moves') return ['to', 'towards'].includes(sense(next, 'preposition')?.preposition ?? '');
    if (action !== 'present') return false;
    if (item.text.includes(' ')) return true;
    const isPredicate = sense(earlier.at(-1), 'filler')?.light === true && !sense(earlier.at(-1), 'filler')?.article;
    if (item.text.toLowerCase() === 'there' && earlier.every(isFiller)) return true;
    const isSecond = isA(earlier.at(-1), 'state', 'action');
    if (hasPart(clause, 'duration') && !isSecond && isA(next, 'preposition', 'compare', 'number')) return true;
    const isLast = next === undefined || isA(next, 'preposition', 'relation', 'setting', 'unit', 'vague');
    return isLast && (isPredicate || isA(earlier.at(-1), 'noun', 'negation', 'throughout'));
  },
};
/** "In red": the color of clothes. */
const isColorAlone = (next: Item | undefined, head: Item | undefined) =>
  isA(next, 'color') && !isA(head, 'noun', 'setting', 'signal');
const isPerson = (item: Item | undefined) => sense(item, 'noun')?.classes.includes('person') === true;
const OF_AMOUNTS: ReadonlySet<Preposition> = new Set(['of', 'at', 'from', 'to']);
const OF_TIMES: ReadonlySet<Preposition> = new Set(['for', 'in', 'within', 'of']);
const LEADING: ReadonlySet<Preposition> = new Set(['of', 'for', 'in', 'on', 'from']);
const OF_SIDES: ReadonlySet<Preposition> = new Set(['on', 'in', 'at', 'from', 'to', 'of', 'into']);
const OF_CAMERA: ReadonlySet<Preposition> = new Set(['from', 'to', 'towards', 'of', 'in', 'at']);
const OF_FRAME: ReadonlySet<Preposition> = new Set(['at', 'in', 'of']);
const OF_CAUSES: ReadonlySet<Preposition> = new Set(['at', 'for', 'on', 'to']);
const TRANSITIVE: ReadonlySet<string> = new Set([
  'overtakes',
  'passes',
  'follows',
  'approaches',
  'collides',
  'cuts_in',
]);
const PICTURES: ReadonlySet<string> = new Set(['footage', 'video', 'picture', 'image', 'view', 'frame']);
