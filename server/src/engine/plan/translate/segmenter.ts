import { meaningOf } from './cursor.ts';
import type { ForeignItem, WordRole } from './types.ts';

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** Roles of content words; other words attach to them. */
const CONTENT: readonly WordRole[] = ['noun', 'color', 'action', 'state', 'setting'];

/**
 * A word of the dictionary that the lexicon has only in parts: a bus stop (车站) is not a vehicle (车) that stands (站).
 * Null if there is none.
 */
export function findCompound(text: string, items: readonly ForeignItem[]): { words: string; reason: string } | null {
  const first = items[0]!.start;
  for (const { segment, index } of segmenter.segment(text)) {
    const start = first + index;
    const end = start + segment.length;
    const inside = items.filter((item) => item.start < end && item.end > start);
    const content = inside.filter((item) => CONTENT.some((role) => meaningOf(item, role) !== null));
    const isWhole = inside.some((item) => item.start <= start && item.end >= end);
    // "White cat" may be one word of the dictionary.
    const isColored =
      content.length === 2 && meaningOf(content[0], 'color') !== null && meaningOf(content[1], 'noun') !== null;
    if (isWhole || content.length === 0 || (isColored && inside.length === 2)) continue;
    const attached = inside.filter((item) => !content.includes(item));
    const isFree = content.length === 1 && attached.every((item) => item.meanings.length > 0);
    if (!isFree) return { words: segment, reason: 'it is not among the words that are read' };
  }
  return null;
}
