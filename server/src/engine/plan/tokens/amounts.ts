import { type Item, isMark, sense } from './lexer.ts';

/**
 * Joins amounts of several words ("1 minute 30 seconds"), and gives both limits of a range their unit ("above 30 and
 * below 50 km/h").
 */
export function joinAmounts(items: readonly Item[], query: string): Item[] {
  const joined: Item[] = [];
  for (let i = 0; i < items.length; ) {
    const time = compoundAt(items, i, query);
    joined.push(...(time?.items ?? limitAt(items, i) ?? withUnit(items, i)));
    i += time?.length ?? 1;
  }
  return joined;
}

/** "1 minute 30 seconds", "2 hours and 5 minutes": as many of the smaller unit. */
function compoundAt(items: readonly Item[], i: number, query: string): { items: Item[]; length: number } | null {
  const [large, small] = [timeAt(items, i), timeAt(items, i + 2)];
  const isTied = !small && sense(items[i + 2], 'join')?.join === 'and' && !isMark(items[i + 2]!);
  const rest = small ?? (isTied ? timeAt(items, i + 3) : null);
  const length = isTied ? 5 : 4;
  // "For 2 minutes and 30 seconds later": two amounts.
  if (!large || !rest || (isTied && sense(items[i + length], 'join'))) return null;
  if (rest.value * rest.factor >= large.factor) return null;
  const [first, last] = [items[i]!, items[i + length - 2]!];
  const value = (large.value * large.factor) / rest.factor + rest.value;
  const number: Item = {
    ...first,
    text: query.slice(first.start, last.end),
    end: last.end,
    senses: [{ type: 'number', value }],
  };
  return { items: [number, items[i + length - 1]!], length };
}

function timeAt(items: readonly Item[], i: number) {
  const number = sense(items[i], 'number');
  const unit = sense(items[i + 1], 'unit');
  return number && !items[i]!.time && unit?.dimension === 'time' ? { value: number.value, factor: unit.factor } : null;
}

/** "Above 30 and below 50 km/h": the unit is that of both. */
function withUnit(items: readonly Item[], i: number): Item[] {
  const number = items[i]!;
  const [join, compare, next, unit] = items.slice(i + 1, i + 5);
  const isShared = sense(join, 'join') && sense(compare, 'compare') && sense(next, 'number') && sense(unit, 'unit');
  if (!sense(number, 'number') || number.time || !unit || !isShared) return [number];
  return [number, { ...unit, start: number.end, end: number.end, lent: true }];
}

/** "Or below" before a number starts another limit; behind a number it is the comparison of that number. */
function limitAt(items: readonly Item[], i: number): Item[] | null {
  const item = items[i]!;
  const compare = sense(item, 'compare')?.compare;
  if ((compare !== 'or_less' && compare !== 'or_more') || !sense(items[i + 1], 'number')) return null;
  return [
    { ...item, end: item.start, senses: [{ type: 'join', join: 'or' }] },
    { ...item, senses: [{ type: 'compare', compare: compare === 'or_less' ? 'below' : 'above' }] },
  ];
}
