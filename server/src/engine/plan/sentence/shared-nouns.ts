import { isImmobile } from '../clause/index.ts';
import { type Item, isUnknown, sense } from '../tokens/lexer.ts';
import { DETERMINERS, type Segment } from './clause-segments.ts';

/** Nouns of lists, before clauses are parsed: a noun written once for several, and places beside other places. */

/**
 * "A white and a black car", "the first and the last car", "two bowls, one red and one blue": repeats the noun for
 * each.
 */
export function lendNouns(segments: readonly Segment[]): Segment[] {
  const lent = [...segments];
  for (const [i, { items }] of segments.entries())
    if (isListed(segments[i + 1]) && isNounless(items)) lent[i] = lendTo(segments[i]!, nounAfter(segments, i));
  for (let i = 1; i < lent.length; i++)
    if (isListed(lent[i]) && isNounless(lent[i]!.items)) lent[i] = lendTo(lent[i]!, onlyNoun(lent[i - 1]!));
  return lent;
}

const isListed = (segment: Segment | undefined) => segment?.join === 'and' || segment?.join === 'or';

/** "A white", "the first", "one red", "one on the left": a noun phrase without its noun. */
function isNounless(items: readonly Item[]): boolean {
  const [first] = items;
  const begins = sense(first, 'pick') || sense(first, 'number') || sense(first, 'filler')?.article;
  const head = headOf(items);
  const hasAttribute = head.some(({ senses }) => senses.some((s) => ATTRIBUTES.has(s.type)));
  const isOne = head.length === 1 && head.length < items.length && sense(first, 'number') !== null;
  return (
    Boolean(begins) && (head.length === items.length ? hasAttribute : isOne && sense(items[1], 'preposition') !== null)
  );
}
const ATTRIBUTES: ReadonlySet<string> = new Set(['color', 'state', 'vague', 'pick']);

/** The leading items that may precede a noun. */
function headOf(items: readonly Item[]): readonly Item[] {
  const end = items.findIndex((item) => !describes(item));
  return end < 0 ? items : items.slice(0, end);
}

const describes = (item: Item) =>
  !sense(item, 'noun') && item.senses.some(({ type }) => DETERMINERS.has(type) || type === 'pick');

/** The noun at the head of the next clause that has one. */
function nounAfter(segments: readonly Segment[], at: number): Item | undefined {
  const { items } = segments.slice(at + 1).find((segment) => !isNounless(segment.items)) ?? { items: [] };
  return items.find((item, i) => sense(item, 'noun') && items.slice(0, i).every(describes));
}

function onlyNoun({ items }: Segment): Item | undefined {
  const [noun, ...others] = items.filter((item) => sense(item, 'noun'));
  return others.length === 0 ? noun : undefined;
}

function lendTo(segment: Segment, noun: Item | undefined): Segment {
  if (!noun) return segment;
  const head = headOf(segment.items);
  const { end } = head.at(-1)!;
  return { ...segment, items: segment.items.toSpliced(head.length, 0, { ...noun, start: end, end, lent: true }) };
}

/** "Traffic light and pedestrian crossing": beside street furniture, a crossing is a place, not an action. */
export function resolvePlaces(segments: readonly Segment[]): Segment[] {
  return segments.map((segment, i) => {
    const beside = [
      ...(isListed(segment) ? [segments[i - 1]] : []),
      ...(isListed(segments[i + 1]) ? [segments[i + 1]] : []),
    ];
    const place = placeIn(segment);
    return place && beside.some(isStreetFurniture) ? { ...segment, items: [place] } : segment;
  });
}

/** A noun and a verb that together may name a place. */
function placeIn(segment: Segment): Item | null {
  const [noun, verb, ...more] = contentOf(segment);
  if (!noun || !verb || more.length > 0 || !sense(verb, 'action')) return null;
  const setting = sense(verb, 'setting');
  const nounSense = sense(noun, 'noun');
  if (!setting?.noun || !nounSense || nounSense.plural) return null;
  return { ...noun, text: `${noun.text} ${verb.text}`, end: verb.end, senses: [setting] };
}

const contentOf = ({ items }: Segment) =>
  items.filter((item) => isUnknown(item) || !item.senses.every((s) => s.type === 'filler'));

function isStreetFurniture(segment: Segment | undefined): boolean {
  const [item, ...more] = segment ? contentOf(segment) : [];
  if (!item || more.length > 0) return false;
  return isImmobile(sense(item, 'noun')?.classes ?? []) || sense(item, 'setting')?.noun === true;
}
