import { isImmobile } from './clause/index.ts';
import { type Item, sense } from './items.ts';
import { DETERMINERS, type Segment } from './segments.ts';

/** Nouns of lists, before their parts are read: what was said once for several, and what is a place beside another. */

/** "A white and a black car", "the first and the last car", "two bowls, one red and one blue": the noun goes with each. */
export function lendNouns(segments: readonly Segment[]): Segment[] {
  const lent = [...segments];
  for (const [i, { items }] of segments.entries())
    if (isListed(segments[i + 1]) && isNounless(items)) lent[i] = lendTo(segments[i]!, nounAfter(segments, i));
  for (let i = 1; i < lent.length; i++)
    if (isListed(lent[i]) && isNounless(lent[i]!.items)) lent[i] = lendTo(lent[i]!, onlyNoun(lent[i - 1]!));
  return lent;
}

const isListed = (segment: Segment | undefined) => segment?.join === 'and' || segment?.join === 'or';

/** "A white", "the first", "one red", "one on the left": it begins as a noun would, and says of something what it is like or where. */
function isNounless(items: readonly Item[]): boolean {
  const [first] = items;
  const begins = sense(first, 'pick') || sense(first, 'number') || sense(first, 'filler')?.article;
  const head = headOf(items);
  const isLike = head.some(({ senses }) => senses.some((s) => LIKENESS.has(s.type)));
  const isOne = head.length === 1 && head.length < items.length && sense(first, 'number') !== null;
  return Boolean(begins) && (head.length === items.length ? isLike : isOne && sense(items[1], 'preposition') !== null);
}
const LIKENESS: ReadonlySet<string> = new Set(['color', 'state', 'vague', 'pick']);

/** What may stand before a noun, as far as it goes. */
function headOf(items: readonly Item[]): readonly Item[] {
  const end = items.findIndex((item) => !describes(item));
  return end < 0 ? items : items.slice(0, end);
}

const describes = (item: Item) =>
  !sense(item, 'thing') && item.senses.some(({ type }) => DETERMINERS.has(type) || type === 'pick');

/** The noun of the first of the parts after one that has its own: it begins with it, behind what is said of it. */
function nounAfter(segments: readonly Segment[], at: number): Item | undefined {
  const { items } = segments.slice(at + 1).find((segment) => !isNounless(segment.items)) ?? { items: [] };
  return items.find((item, i) => sense(item, 'thing') && items.slice(0, i).every(describes));
}

function onlyNoun({ items }: Segment): Item | undefined {
  const [noun, ...others] = items.filter((item) => sense(item, 'thing'));
  return others.length === 0 ? noun : undefined;
}

function lendTo(segment: Segment, noun: Item | undefined): Segment {
  if (!noun) return segment;
  const head = headOf(segment.items);
  const { end } = head.at(-1)!;
  return { ...segment, items: segment.items.toSpliced(head.length, 0, { ...noun, start: end, end, lent: true }) };
}

/** "Traffic light and pedestrian crossing": beside what stands in the street, a crossing is a place, and nobody who crosses. */
export function placesOfLists(segments: readonly Segment[]): Segment[] {
  return segments.map((segment, i) => {
    const beside = [
      ...(isListed(segment) ? [segments[i - 1]] : []),
      ...(isListed(segments[i + 1]) ? [segments[i + 1]] : []),
    ];
    const place = placeIn(segment);
    return place && beside.some(standsInTheStreet) ? { ...segment, items: [place] } : segment;
  });
}

/** A thing and what it does, which together may also be called a place. */
function placeIn(segment: Segment): Item | null {
  const [noun, verb, ...more] = telling(segment);
  if (!noun || !verb || more.length > 0 || !sense(verb, 'action')) return null;
  const setting = sense(verb, 'setting');
  const thing = sense(noun, 'thing');
  if (!setting?.noun || !thing || thing.plural) return null;
  return { ...noun, text: `${noun.text} ${verb.text}`, end: verb.end, senses: [setting] };
}

const telling = ({ items }: Segment) => items.filter(({ senses }) => !senses.every((s) => s.type === 'filler'));

function standsInTheStreet(segment: Segment | undefined): boolean {
  const [item, ...more] = segment ? telling(segment) : [];
  if (!item || more.length > 0) return false;
  return isImmobile(sense(item, 'thing')?.classes ?? []) || sense(item, 'setting')?.noun === true;
}
