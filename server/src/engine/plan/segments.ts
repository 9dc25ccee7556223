import { type Item, isStop, sense } from './items.ts';
import type { JoinWord } from './lexicon.ts';

/** A stretch of the prompt that says one thing, and how it is tied to the stretch before it. */
export type Segment = { join: JoinWord | 'stop' | null; items: Item[]; comma: boolean };

/** Joining words, the weakest first: of several in a row (", and then") the strongest counts. */
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

/** Cuts items into segments at joining words and marks, but not inside lists of colours or ranges of numbers. */
export function cutSegments(items: readonly Item[]): Segment[] {
  const segments: Segment[] = [{ join: null, items: [], comma: false }];
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    const join = isStop(item) ? 'stop' : joinAt(items, i);
    const current = segments.at(-1)!;
    if (join === null) current.items.push(item);
    else if (current.items.length === 0 && segments.length > 1) {
      if (stronger(join, current.join)) current.join = join;
      current.comma &&= item.text === ',';
    } else segments.push({ join, items: [], comma: item.text === ',' });
  }
  return segments.filter((segment, i) => i === 0 || segment.items.length > 0);
}

function joinAt(items: readonly Item[], i: number): JoinWord | null {
  const join = sense(items[i], 'join')?.join ?? null;
  if (join === null || join === 'both') return null;
  if (join === 'and' || join === 'or') {
    const previous = items[i - 1];
    const next = items[i + 1];
    // "black and white", "red or blue car", "between 2 and 4", "left or right"
    if (sense(previous, 'color') && sense(next, 'color')) return null;
    if (sense(previous, 'number') && sense(next, 'number')) return null;
  }
  return join;
}
