import { NO_PLACES, REASONS } from '../reasons.ts';
import type { Quantity, Range } from '../schema.ts';
import { type Item, sense } from '../tokens/lexer.ts';
import type { Compare, Dimension, SenseOf } from '../tokens/senses.ts';
import { block, caveat, intersect, note, put, type Reader } from './reader.ts';
import { partOf } from './syntax.ts';

/** An amount as written: "at least 5 to 10 km/h". */
type Amount = {
  item: Item;
  text: string;
  value: number;
  /** The second number of a range. */
  upper: number | null;
  unit: SenseOf<'unit'> | null;
  compare: Compare | null;
  /** The item behind it. */
  next: Item | undefined;
};

/** "Fewer than 3", "at most 2": from none at all on. */
export const NONE = 0;
/** "0 km/h": the speed that receivers report at rest, in m/s. */
const AT_REST = 0.5;
/** "10 seconds after": a fifth either way. */
const GAP_TOLERANCE = 0.2;
/** "At 80 km/h", "exactly 80": five percent either way. */
const QUANTITY_TOLERANCE = 0.05;

const NOT_IN = 'a speed or acceleration is "at" or "above" an amount';

const DIMENSIONS: Record<Quantity, Dimension> = {
  speed: 'speed',
  acceleration: 'acceleration',
  deceleration: 'acceleration',
  lateral_acceleration: 'acceleration',
  yaw_rate: 'angular_rate',
};

/**
 * Reads a number (or "a few", "half a") with its unit and comparison: a count, a duration, a time limit or a quantity.
 * Returns how many items were read besides it.
 */
export function takeNumber(r: Reader, i: number): number {
  const { amount, used } = amountAt(r, i);
  const { item, unit, compare, text } = amount;
  if (item.time) caveat(r, item, REASONS.clock);
  // "Gate 2"
  else if (!unit && compare === null && sense(r.items[i - 1], 'setting')) caveat(r, item, NO_PLACES);
  else if (!unit) takeCount(r, amount);
  else if (unit.dimension === 'time') takeTime(r, amount, unit.factor);
  else if (unit.dimension === 'times') note(r, text, REASONS.frequency);
  else if (unit.dimension === 'beyond') block(r, text, 'distances, angles and levels in this unit are not measured');
  else {
    takeQuantityLimit(r, amount, unit);
    r.preposition = null;
  }
  return used;
}

function amountAt(r: Reader, i: number): { amount: Amount; used: number } {
  const { items } = r;
  const item = items[i]!;
  const own = sense(item, 'unit');
  const value = sense(item, 'number')?.value ?? sense(item, 'count')?.min ?? 1;
  let used = 0;
  let upper: number | null = null;
  const middle = items[i + 1];
  const isRange =
    middle?.text === '-' || sense(middle, 'join') !== null || sense(middle, 'preposition')?.preposition === 'to';
  const second = isRange ? sense(items[i + 2], 'number') : null;
  if (second) {
    upper = second.value;
    used = 2;
  }
  const unit = own ?? sense(items[i + used + 1], 'unit');
  if (unit && unit !== own) used++;
  const trailing = sense(items[i + used + 1], 'compare')?.compare;
  if (trailing === 'or_more' || trailing === 'or_less') {
    r.compare = trailing;
    used++;
  }
  const { compare } = r;
  r.compare = null;
  const text = r.query.slice(item.start, items[i + used]!.end);
  // "Below 20 and 30 mph"
  const isAnd = second !== null && sense(middle, 'join')?.join === 'and';
  const isOfTwo = isAnd && r.preposition === 'of' && sense(items[i + used], 'unit') !== null;
  if (isOfTwo || (isAnd && compare !== null)) block(r, text, 'one limit is compared with two numbers');
  return { amount: { item, text, value, upper, unit, compare, next: items[i + used + 1] }, used };
}

const toSi = (value: number, factor: number) => Math.round(value * factor * 1e6) / 1e6;

function limitsOf({ value, upper, compare }: Amount, factor: number): Range {
  const limit = toSi(value, factor);
  if (upper !== null) return { min: limit, max: toSi(upper, factor) };
  if (compare === 'max' || compare === 'below' || compare === 'or_less') return { min: null, max: limit };
  return { min: limit, max: compare === 'exact' ? limit : null };
}

function takeTime(r: Reader, amount: Amount, factor: number) {
  const beside = sense(amount.next, 'relation')?.relation;
  if (beside === 'behind' || beside === 'in_front_of')
    return block(r, amount.text, 'how far behind one is in time is not measured');
  const limits = limitsOf(amount, factor);
  if (r.preposition === 'within' || r.preposition === 'in')
    put(r, { kind: 'within', seconds: (limits.min ?? limits.max)! });
  else {
    const isBare = amount.compare === null && amount.upper === null;
    const { value } = amount;
    const about = {
      min: toSi(value * (1 - GAP_TOLERANCE), factor),
      max: toSi(value * (1 + GAP_TOLERANCE), factor),
    };
    const earlier = partOf(r.clause, 'duration')?.range ?? null;
    const own = isBare ? { min: toSi(value, factor), max: null } : limits;
    put(r, { kind: 'duration', range: intersect(earlier, own) });
    if (r.preposition === 'for') r.clause = { ...r.clause, parts: r.clause.parts.filter((p) => p.kind !== 'gap') };
    else put(r, { kind: 'gap', range: isBare ? about : limits });
  }
  r.preposition = null;
}

/** The quantity that a unit belongs to beside what the clause already names. */
function quantityOf(r: Reader, dimension: Dimension): Quantity {
  if (dimension === 'speed') return 'speed';
  if (dimension === 'angular_rate') return 'yaw_rate';
  const quantity = partOf(r.clause, 'quantity')?.quantity;
  if (partOf(r.clause, 'camera_move')?.move.move === 'brakes' || quantity === 'deceleration') return 'deceleration';
  return quantity === 'lateral_acceleration' ? quantity : 'acceleration';
}

function takeQuantityLimit(r: Reader, amount: Amount, { dimension, factor }: SenseOf<'unit'>) {
  const { text, value, upper, compare } = amount;
  const current = partOf(r.clause, 'quantity');
  const subject = partOf(r.clause, 'subject');
  const isOther = subject !== null && subject.noun.classes.length > 0 && !subject.noun.classes.includes('car');
  if (subject && (!subject.plain || isOther))
    return block(r, text, 'the speed of objects in the frame is not measured');
  if (current && DIMENSIONS[current.quantity] !== dimension)
    return block(r, text, 'this unit does not fit the quantity');
  if (r.preposition === 'in') return block(r, text, NOT_IN);
  if (upper !== null && upper < value) return block(r, text, 'a change from one value to another is not measured');
  // "Above 30 and below 50 km/h"
  const earlier = current && !r.assumed ? current.range : null;
  r.assumed = null;
  const inSi = (factored: number) => toSi(factored, factor);
  const isExact = upper === null && (compare === 'exact' || (compare === null && r.preposition === 'at'));
  const range = isExact
    ? { min: inSi(value * (1 - QUANTITY_TOLERANCE)), max: inSi(value * (1 + QUANTITY_TOLERANCE)) }
    : compare === null && upper === null
      ? { min: inSi(value), max: value === 0 ? AT_REST : null }
      : intersect(earlier, limitsOf(amount, factor));
  put(r, { kind: 'quantity', quantity: quantityOf(r, dimension), range });
  const { min, max } = range;
  if (min !== null && max !== null && min > max) block(r, text, 'these limits leave nothing between them');
}

function takeCount(r: Reader, { item, value, upper, compare }: Amount) {
  const n = Math.max(0, Math.min(10_000, Math.round(value)));
  const known = r.pending.count;
  const isAtMost = compare === 'max' || compare === 'or_less';
  const min = compare === 'above' ? n + 1 : compare === 'below' || isAtMost ? (known?.min ?? NONE) : n;
  const last = compare === 'below' ? n - 1 : isAtMost || compare === 'exact' ? n : (known?.max ?? null);
  const max = upper === null ? last : Math.min(10_000, Math.round(upper));
  if (n === 0 && upper === null && compare !== 'above') r.negation = true;
  const from = min === NONE && n > 0 ? NONE : Math.max(1, min);
  r.pending = {
    ...r.pending,
    count: { min: from, max: max === null ? null : Math.max(from, max) },
    first: r.pending.first ?? item,
  };
}
