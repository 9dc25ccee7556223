import { type CalculatedValue, compareValues, type GroupValue, round } from '../find/index.ts';
import { type PlannedCalculation, SIGNAL_NAMES, type SoundName, signalOf } from '../plan/index.ts';
import { listed, pluralOf, SOUNDS, timeOf } from './words.ts';

type Groups = Extract<CalculatedValue, { kind: 'groups' }>;
type Planned = Pick<PlannedCalculation, 'by' | 'rank' | 'compare'> & {
  readonly measure: PlannedCalculation['values'][number]['measure'];
};
/** Writes the value of a group. */
type ValueText = (value: GroupValue['value']) => string;

/** Most groups of an answer. */
const MOST_LISTED = 12;

/** States the values of groups: "3 cars (75 %) and 1 bus (25 %)", "rain, 12 s in all", "in 2 of 3 shots". */
export function groupsText(value: Groups, planned: Planned, valueText: ValueText): string {
  const { groups } = value;
  if (groups.length === 0) return value.isOpen ? NOT_FOUND : 'None: it was looked for and not found.';
  if (planned.compare === 'every' || planned.compare === 'occurs') return whereText(value, planned);
  // Where something was found, none is the answer to where there is least.
  const isNone = planned.rank?.order === 'least' && value.total > 0;
  if (!isNone && groups.every((group) => group.value.value === 0)) return NOT_FOUND;
  const isNamed = planned.by === 'kind' || planned.by === 'color';
  const shown = (isNamed && !planned.rank ? byValue(groups) : groups).slice(0, MOST_LISTED);
  const isCounted = isNamed && planned.measure === 'count';
  const total = groups.length > 1 || planned.rank ? value.total : 0;
  const parts = shown.map((group) =>
    isCounted ? countText(group, planned, total) : `${nameOf(group, planned)}, ${valueText(group.value)}`,
  );
  const more = groups.length > shown.length ? `${isCounted ? ',' : ';'} and ${groups.length - shown.length} more` : '';
  const text = `${isCounted && more === '' ? listed(parts) : parts.join(isCounted ? ', ' : '; ')}${more}`;
  return planned.rank ? rankedText(value, text, planned, valueText) : `${capital(text)}.`;
}

const NOT_FOUND = 'Not certain: it was looked for and not found.';
const byValue = (groups: readonly GroupValue[]) => groups.toSorted((a, b) => b.value.value - a.value.value);

/** A ranking, unless the first group behind it may be as great. */
function rankedText({ groups, next }: Groups, text: string, planned: Planned, valueText: ValueText): string {
  const last = groups.at(-1)!;
  const order = next && compareValues(last.value, next.value, false);
  if (!next || order === 'greater' || order === 'smaller') return `${capital(text)}.`;
  const other = `${nameOf(next, planned)}, ${valueText(next.value)}`;
  const same = order === 'equal' ? `As many: ${other}.` : `Not certain, it is about the same: ${other}.`;
  return `${capital(text)}. ${same}`;
}

/** "3 cars (75 %)" */
function countText(group: GroupValue, planned: Planned, total: number): string {
  const { value } = group.value;
  const name = nameOf(group, planned);
  const noun = planned.by === 'color' || value === 1 ? name : pluralOf(name);
  return `${value} ${noun}${total > 0 ? ` (${Math.round((100 * value) / total)} %)` : ''}`;
}

/** Names the kinds of which there are more or fewer than before: "1 more dog (0, then 1)". */
export function differencesText(now: Groups, before: Groups): string {
  const planned = { by: 'kind', rank: undefined, compare: null, measure: 'count' } as const;
  const none = { kind: 'number', value: 0, high: 0, from: 0 } as const;
  const valueIn = ({ groups }: Groups, name: string) => groups.find((group) => group.name === name)?.value ?? none;
  const of = ({ groups }: Groups) =>
    groups.flatMap(({ name, value }) => (name !== null && value.value > 0 ? [name] : []));
  const differing = [...new Set([...of(now), ...of(before)])].flatMap((name) => {
    const [value, earlier] = [valueIn(now, name), valueIn(before, name)];
    const order = compareValues(value, earlier, false);
    if (value.value === earlier.value) return [];
    const count = Math.abs(value.value - earlier.value);
    const noun = nameOf({ name, range: now.groups[0]?.range ?? before.groups[0]!.range, value }, planned);
    const how = value.value > earlier.value ? 'more' : 'fewer';
    const text = `${count} ${how} ${count === 1 ? noun : pluralOf(noun)} (${earlier.value}, then ${value.value})`;
    return [{ text, isOpen: order === 'open' }];
  });
  const [sure, open] = [differing.filter(({ isOpen }) => !isOpen), differing.filter(({ isOpen }) => isOpen)];
  const list = (some: typeof differing) => listed(some.slice(0, MOST_LISTED).map(({ text }) => text));
  if (differing.length === 0) return 'None was found among the objects that are recognized.';
  if (sure.length === 0) return `Not certain: ${list(open)}.`;
  return `${capital(list(sure))}.${open.length > 0 ? ` Not certain: ${list(open)}.` : ''}`;
}

/** In which parts of the video it is so. */
function whereText({ groups, isOpen }: Groups, { compare, by }: Planned): string {
  const [one, several] = by === 'shot' ? ['shot', 'shots'] : ['period', 'periods'];
  const named = groups.map((group, i) => ({ ...group, text: `${one} ${i + 1} (${timeOf(timesOf(group))})` }));
  const [found, missing] = [
    named.filter(({ value }) => value.value > 0),
    named.filter(({ value }) => value.value === 0),
  ];
  const list = (some: typeof named) =>
    some.length > MOST_LISTED ? `${some.length} of them` : listed(some.map(({ text }) => text));
  const share = `in ${found.length} of ${groups.length} ${groups.length === 1 ? one : several}`;
  if (compare === 'occurs') {
    if (found.length === 0) return isOpen ? NOT_FOUND : `In none of ${groups.length} ${several}.`;
    return `${isOpen && missing.length > 0 ? 'At least ' : ''}${isOpen && missing.length > 0 ? share : capital(share)}: ${list(found)}.`;
  }
  if (missing.length === 0) return `Yes: ${share}.`;
  const text =
    found.length === 0 ? `not found in any of ${groups.length} ${several}` : `${share}, and not in ${list(missing)}`;
  return isOpen ? `Not certain: found ${text.replace(/^not found /, 'not ')}.` : `No: ${text}.`;
}

const timesOf = ({ range }: GroupValue) => ({ startS: round(range.from, 3), endS: round(range.to, 3) });

function nameOf(group: GroupValue, { by }: Planned): string {
  const { name } = group;
  if (name === null) return timeOf(timesOf(group));
  if (by === 'color') return name;
  if (name in SOUNDS) return SOUNDS[name as SoundName][0];
  const signal = SIGNAL_NAMES.find((each) => each === name);
  return signal ? signalOf(signal).said[0] : name.replaceAll('_', ' ');
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
