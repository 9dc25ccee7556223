import { type Item, sense } from './items.ts';
import type { Plan } from './schema.ts';

type Window = NonNullable<Plan['window']>;

/**
 * Takes the words that say which part of the video is meant out of the items: "in the first 10 seconds", "between 0:30 and 1:10",
 * "after 20 s". What remains is what to look for.
 */
export function takeWindow(items: readonly Item[]): { items: Item[]; window: Window | null } {
  const rest: Item[] = [];
  let window: Window | null = null;
  for (let i = 0; i < items.length; ) {
    const found: ReturnType<typeof windowAt> = window === null ? windowAt(items, i) : null;
    if (found) {
      window = found.window;
      i += found.length;
    } else rest.push(items[i++]!);
  }
  return { items: rest, window };
}

function windowAt(items: readonly Item[], i: number): { window: Window; length: number } | null {
  const item = items[i]!;
  const edge = sense(item, 'window');
  if (edge) {
    const time = timeAt(items, i + 1) ?? unitAt(items, i + 1);
    if (!time) return null;
    const window = edge.window === 'first' ? { from: 0, to: time.seconds } : { from: -time.seconds, to: null };
    return { window, length: 1 + time.length };
  }
  const preposition = sense(item, 'preposition')?.preposition;
  if (preposition === 'from' || (preposition === 'between' && !sense(items[i - 1], 'preposition'))) {
    const from = timeAt(items, i + 1) ?? bareNumberAt(items, i + 1);
    if (!from) return null;
    const middle = items[i + 1 + from.length];
    const joins =
      sense(middle, 'preposition')?.preposition === 'to' ||
      sense(middle, 'join')?.join === 'and' ||
      sense(middle, 'join')?.join === 'before' ||
      middle?.text === '-';
    const to = joins ? timeAt(items, i + 2 + from.length) : null;
    if (!to) return null;
    const scale = from.bare ? to.factor : 1;
    return { window: { from: from.seconds * scale, to: to.seconds }, length: 2 + from.length + to.length };
  }
  const join = sense(item, 'join')?.join;
  if (join === 'after' || join === 'before') {
    const time = timeAt(items, i + 1);
    if (!time) return null;
    return {
      window: join === 'after' ? { from: time.seconds, to: null } : { from: 0, to: time.seconds },
      length: 1 + time.length,
    };
  }
  return null;
}

type Time = { seconds: number; length: number; factor: number; bare?: boolean };

/** "10 seconds", "1:30", "1 minute". */
function timeAt(items: readonly Item[], i: number): Time | null {
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
