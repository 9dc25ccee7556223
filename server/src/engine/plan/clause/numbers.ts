import { sense } from '../items.ts';
import type { Compare, Dimension } from '../lexicon.ts';
import type { Quantity, Range } from '../schema.ts';
import { BY_THE_CLOCK } from '../window.ts';
import { block, caveat, note, type Reader } from './state.ts';

/** A number (or "a few", "half a") with what surrounds it: a count, a duration, a limit of time, or a quantity. Returns how many items were read besides it. */
export function takeNumber(r: Reader, i: number): number {
  let used = 0;
  const own = sense(r.items[i], 'unit');
  const value = sense(r.items[i], 'number')?.value ?? sense(r.items[i], 'count')?.min ?? 1;
  let upper: number | null = null;
  const mid = r.items[i + 1];
  const ranged = mid?.text === '-' || sense(mid, 'join') !== null || sense(mid, 'preposition')?.preposition === 'to';
  if (ranged && sense(r.items[i + 2], 'number')) {
    upper = sense(r.items[i + 2], 'number')!.value;
    used = 2;
  }
  const unit = own ?? sense(r.items[i + used + 1], 'unit');
  if (unit && unit !== own) used++;
  const trailing = sense(r.items[i + used + 1], 'compare')?.compare;
  if (trailing === 'or_more' || trailing === 'or_less') {
    r.compare = trailing;
    used++;
  }
  const how = r.compare;
  r.compare = null;
  const inSi = (amount: number) => Math.round(amount * (unit?.factor ?? 1) * 1e6) / 1e6;
  const limits = upper === null ? limit(inSi(value), how) : { min: inSi(value), max: inSi(upper) };
  if (r.items[i]!.time) {
    caveat(r, r.items[i]!, BY_THE_CLOCK);
    return used;
  }
  // "Gate 2"
  if (!unit && how === null && sense(r.items[i - 1], 'setting')) {
    caveat(r, r.items[i]!, 'nothing here recognises places such as this one');
    return used;
  }
  if (!unit) {
    countLimits(r, value, upper, how);
    r.pending.said ??= r.items[i]!;
    return used;
  }
  const text = r.query.slice(r.items[i]!.start, r.items[i + used]!.end);
  const beside = unit.dimension === 'time' ? sense(r.items[i + used + 1], 'relation')?.relation : undefined;
  if (beside === 'behind' || beside === 'in_front_of') block(r, text, 'how far behind one is in time is not measured');
  else if (unit.dimension === 'time') {
    if (r.preposition === 'within' || r.preposition === 'in') r.clause.within = limits.min ?? limits.max;
    else {
      const isBare = how === null && upper === null;
      const about = { min: inSi(value * (1 - ABOUT)), max: inSi(value * (1 + ABOUT)) };
      r.clause.duration = both(r.clause.duration, isBare ? { min: inSi(value), max: null } : limits);
      r.clause.gap = r.preposition === 'for' ? null : isBare ? about : limits;
    }
    r.preposition = null;
  } else if (unit.dimension === 'times')
    note(r, text, 'how often something happens is told, not asked for; the rest was looked for without it');
  else if (unit.dimension === 'beyond') block(r, text, 'distances, angles and levels in this unit are not measured');
  else {
    const braking = r.clause.cameraMove?.move === 'brakes' || r.clause.quantity === 'deceleration';
    const lateral = r.clause.quantity === 'lateral_acceleration';
    const quantity: Quantity =
      unit.dimension === 'speed'
        ? 'speed'
        : unit.dimension === 'angular_rate'
          ? 'yaw_rate'
          : braking
            ? 'deceleration'
            : lateral
              ? 'lateral_acceleration'
              : 'acceleration';
    if (r.clause.subject && !r.clause.plainSubject)
      block(r, text, 'the speed of things in the picture is not measured');
    else if (r.clause.quantity && DIMENSIONS[r.clause.quantity] !== unit.dimension)
      block(r, text, 'this is not a unit of what it is said of');
    else if (upper !== null && upper < value) block(r, text, 'a change from one value to another is not measured');
    else {
      // "Above 30 and below 50 km/h"
      const said = r.clause.quantity && !r.assumed ? r.clause.range : null;
      r.clause.quantity = quantity;
      r.assumed = null;
      // "at 80 km/h", "exactly 80": five percent either way.
      r.clause.range =
        upper === null && (how === 'exact' || (how === null && r.preposition === 'at'))
          ? { min: inSi(value * 0.95), max: inSi(value * 1.05) }
          : how === null && upper === null
            ? { min: inSi(value), max: value === 0 ? AT_REST : null }
            : both(said, limits);
      const { min, max } = r.clause.range;
      if (min !== null && max !== null && min > max) block(r, text, 'these limits leave nothing between them');
    }
    r.preposition = null;
  }
  return used;
}

/** "0 km/h": what receivers at rest tell, in m/s. */
const AT_REST = 0.5;

/** "Longer than 1 s but shorter than 3 s" */
const both = (said: Range | null, { min, max }: Range): Range => ({
  min: min ?? said?.min ?? null,
  max: max ?? (min === null ? null : (said?.max ?? null)),
});

/** "10 seconds after": a fifth either way. */
const ABOUT = 0.2;

/** "Fewer than 3", "at most 2": from none at all on. */
export const NONE = 0;

function countLimits(r: Reader, value: number, upper: number | null, how: Compare | null) {
  const n = Math.max(0, Math.min(10_000, Math.round(value)));
  const least = r.pending.count?.min ?? NONE;
  const min = how === 'above' ? n + 1 : how === 'below' || how === 'max' || how === 'or_less' ? least : n;
  const max =
    upper !== null
      ? Math.min(10_000, Math.round(upper))
      : how === 'below'
        ? n - 1
        : how === 'max' || how === 'or_less' || how === 'exact'
          ? n
          : (r.pending.count?.max ?? null);
  if (n === 0 && upper === null && how !== 'above') r.negation = true;
  const from = min === NONE && n > 0 ? NONE : Math.max(1, min);
  r.pending.count = { min: from, max: max === null ? null : Math.max(from, max) };
}

const DIMENSIONS: Record<Quantity, Dimension> = {
  speed: 'speed',
  acceleration: 'acceleration',
  deceleration: 'acceleration',
  lateral_acceleration: 'acceleration',
  yaw_rate: 'angular_rate',
};

function limit(value: number, how: Compare | null): Range {
  if (how === 'max' || how === 'below' || how === 'or_less') return { min: null, max: value };
  if (how === 'exact') return { min: value, max: value };
  return { min: value, max: null };
}
