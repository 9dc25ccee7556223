import { REASONS } from '../reasons.ts';
import type { Plan } from '../schema.ts';
import { type Item, sense } from '../tokens/lexer.ts';
import type { Sense } from '../tokens/senses.ts';

type Window = NonNullable<Plan['window']>;

/** Reason why a time of day is not used. */
export const BY_THE_CLOCK = REASONS.clock;

/** "At 3 am", "between 10 and 11 pm": one remark in place of the time and its preposition. */
export function takeClock(items: readonly Item[]): Item[] {
  const rest: Item[] = [];
  for (let i = 0; i < items.length; ) {
    const length = clockAt(items, i);
    if (length === 0) rest.push(items[i++]!);
    else {
      if (rest.at(-1)?.senses.some(({ type }) => TIES.has(type))) rest.pop();
      const text = textOf(items.slice(i, i + length));
      const { end } = items[i + length - 1]!;
      rest.push({ ...items[i]!, end, text, senses: [{ type: 'vague', reason: BY_THE_CLOCK }] });
      i += length;
    }
  }
  return rest;
}
const TIES: ReadonlySet<string> = new Set(['preposition', 'join', 'relation']);

/** Number of items of a time of day, or of a range of them; 0 for none. */
function clockAt(items: readonly Item[], i: number): number {
  const oneAt = (k: number) => (sense(items[k], 'number') && sense(items[k + 1], 'clock') ? 2 : 0);
  const from = oneAt(i) || (sense(items[i], 'number') ? 1 : 0);
  const to = from > 0 && isTo(items[i + from]) ? oneAt(i + from + 1) : 0;
  return to > 0 ? from + 1 + to : oneAt(i);
}

const isUntil = (item: Item | undefined) => /^(?:until|till)$/i.test(item?.text ?? '');
const isTo = (item: Item | undefined) =>
  sense(item, 'preposition')?.preposition === 'to' ||
  sense(item, 'join')?.join === 'and' ||
  isUntil(item) ||
  item?.text === '-';

/**
 * Separates the words that name a part of the video from the rest: "in the first 10 seconds", "between 0:30 and 1:10",
 * "after 20 s", "at 1:23", "at the end".
 */
export function takeWindow(items: readonly Item[]): { items: Item[]; window: Window | null } {
  const rest: Item[] = [];
  let window: Window | null = null;
  /** Where in the rest the part was named that was named last. */
  let last: number | null = null;
  for (let i = 0; i < items.length; ) {
    const found: ReturnType<typeof windowAt> = windowAt(items, i);
    if (!found) rest.push(items[i++]!);
    else {
      const both: Window | null =
        window && last !== null && isBeside(rest.slice(last)) ? overlap(window, found.window) : null;
      if (both) rest.splice(last!);
      if (window === null || both) window = both ?? found.window;
      else rest.push({ ...items[i]!, text: textOf(items.slice(i, i + found.length)), senses: [ANOTHER] });
      // "For the last 30 seconds"
      if (isTie(rest.at(-1))) rest.pop();
      i += found.length;
      last = rest.length;
    }
  }
  return { items: rest, window };
}

const isTie = (item: Item | undefined) =>
  ['for', 'in', 'within'].includes(sense(item, 'preposition')?.preposition ?? '') && item?.senses.length === 1;

/** "After 2:30 and before 3:00": nothing but a joining word between them. */
const isBeside = (between: readonly Item[]) => between.every((item) => sense(item, 'join'));

/** Intersection of two open windows; null when it is empty, or one of them has both ends. */
function overlap(a: Window, b: Window): Window | null {
  const [later, earlier] = a.to === null ? [a, b] : [b, a];
  const isOpen = later.to === null && earlier.from === 0 && earlier.to !== null && later.from > 0;
  return isOpen && later.from < earlier.to! ? { from: later.from, to: earlier.to } : null;
}

const ANOTHER: Sense = {
  type: 'beyond',
  reason: 'a prompt can name one part of the video; use a second prompt for the other',
};
const textOf = (items: readonly Item[]) => items.map(({ text }) => text).join(' ');

function windowAt(items: readonly Item[], i: number): { window: Window; length: number } | null {
  const item = items[i]!;
  const join = sense(item, 'join')?.join;
  // "2 minutes into the video", "10 seconds before the end"
  const here = timeAt(items, i);
  const end = here ? sense(items[i + here.length], 'window') : null;
  if (here && end?.from && !sense(items[i - 1], 'compare')) {
    const from = end.window === 'first' ? here.seconds : -here.seconds;
    return { window: { from, to: from === -1 ? null : from + 1 }, length: here.length + 1 };
  }
  const edge = sense(item, 'window');
  if (join === 'after' || join === 'before') {
    const lead = sense(items[i + 1], 'window') ? windowAt(items, i + 1) : null;
    if (lead) {
      const { from, to } = lead.window;
      const window =
        join === 'after' ? (to === null ? null : { from: to, to: null }) : from < 0 ? { from: 0, to: from } : null;
      return window && { window, length: 1 + lead.length };
    }
  }
  if (edge) {
    const time = timeAt(items, i + 1) ?? unitAt(items, i + 1);
    if (!time)
      return edge.seconds === undefined || isOf(items[i + 1])
        ? null
        : { window: { ...at(edge, edge.seconds), edge: true }, length: 1 };
    return { window: at(edge, time.seconds), length: 1 + time.length };
  }
  const preposition = sense(item, 'preposition')?.preposition;
  const spot = timeAt(items, i + 1);
  if (spot && preposition === 'at')
    return { window: { from: spot.seconds, to: spot.seconds + 1 }, length: 1 + spot.length };
  if (spot && items[i + 1]!.time && sense(item, 'compare')?.compare === 'max')
    return { window: { from: 0, to: spot.seconds }, length: 1 + spot.length };
  if (spot && items[i + 1]!.time && sense(item, 'relation')?.relation === 'near')
    return {
      window: { from: Math.max(0, spot.seconds - AROUND_S), to: spot.seconds + AROUND_S },
      length: 1 + spot.length,
    };
  const isBetween = preposition === 'between' && !sense(items[i - 1], 'preposition');
  // "1:10 to 1:20"
  const isRange = isTo(items[i + 1]) && !sense(items[i + 1], 'join');
  const bare = item.time && (isRange || isUntil(items[i + 1])) && items[i + 2]?.time ? 0 : 1;
  if (preposition === 'from' || isBetween || bare === 0) {
    const from = timeAt(items, i + bare) ?? bareNumberAt(items, i + bare);
    if (!from) return null;
    const middle = items[i + bare + from.length];
    const isOther = preposition === 'from' && sense(middle, 'join')?.join === 'and';
    const to = isTo(middle) && !isOther ? timeAt(items, i + bare + 1 + from.length) : null;
    // "From 0:10 before the end"
    const last = sense(middle, 'window');
    if (!to && last?.from && last.window === 'last')
      return { window: { from: -from.seconds, to: null }, length: 2 + from.length };
    if (!to) {
      const isOpen = preposition === 'from' && !from.bare;
      const end = sense(middle, 'window');
      const toEnd = end?.window === 'last' && end.seconds === undefined ? 1 : 0;
      return isOpen ? { window: { from: from.seconds, to: null }, length: 1 + from.length + toEnd } : null;
    }
    const scale = from.bare ? to.factor : 1;
    const length = 1 + bare + from.length + to.length;
    // "Between 22:00 and 06:00" is a time of day.
    if (to.seconds <= from.seconds * scale) return null;
    if (isBetween && !items[i + 1]!.time && isLength(items[i - 1], items[i + length])) return null;
    return { window: { from: from.seconds * scale, to: to.seconds }, length };
  }
  if (join === 'after' || join === 'before') {
    const time = timeAt(items, i + 1);
    if (!time || isOf(items[i + 1 + time.length])) return null;
    return {
      window: join === 'after' ? { from: time.seconds, to: null } : { from: 0, to: time.seconds },
      length: 1 + time.length,
    };
  }
  return null;
}

/**
 * "Stopped between 2 and 5 minutes", "between 10 and 20 seconds after": a range of durations or of distances in time.
 */
function isLength(before: Item | undefined, after: Item | undefined): boolean {
  const join = sense(after, 'join')?.join;
  const verb = sense(before, 'action')?.action;
  return join === 'after' || join === 'before' || (verb !== undefined && RESTS.has(verb)) || isAtRest(before);
}
const isAtRest = (item: Item | undefined) => sense(item, 'state')?.state === 'stationary';
const RESTS: ReadonlySet<string> = new Set(['stands', 'stops', 'loiters']);

/** "Around 0:15", either way. */
const AROUND_S = 5;
const at = ({ window }: { window: 'first' | 'last' }, seconds: number): Window =>
  window === 'first' ? { from: 0, to: seconds } : { from: -seconds, to: null };
/** "At the end of the road", "after 10 seconds of silence" are no times of the video. */
const isOf = (item: Item | undefined) => sense(item, 'preposition')?.preposition === 'of';

type Time = { seconds: number; length: number; factor: number; bare?: boolean };

/** "10 seconds", "1:30", "1 minute". */
function timeAt(items: readonly Item[], i: number): Time | null {
  const own = sense(items[i], 'unit');
  if (own?.dimension === 'time' && own.counted) return { seconds: own.factor, length: 1, factor: 1 };
  const number = sense(items[i], 'number');
  if (!number) return null;
  if (items[i]!.time) return { seconds: number.value, length: 1, factor: 1 };
  const unit = sense(items[i + 1], 'unit');
  if (unit?.dimension !== 'time') return null;
  return { seconds: number.value * unit.factor, length: 2, factor: unit.factor };
}

/** "the first minute": a unit alone is one of it. */
function unitAt(items: readonly Item[], i: number): Time | null {
  const unit = sense(items[i], 'unit');
  return unit?.dimension === 'time' ? { seconds: unit.factor, length: 1, factor: unit.factor } : null;
}

function bareNumberAt(items: readonly Item[], i: number): Time | null {
  const number = sense(items[i], 'number');
  return number ? { seconds: number.value, length: 1, factor: 1, bare: true } : null;
}
