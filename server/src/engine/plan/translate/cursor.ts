import type { ForeignItem, Meaning, WordRole } from './types.ts';

/** Position in the items of a clause. */
export type Cursor = {
  at: number;
  /** The item at the cursor, or one `ahead` of it. */
  next(ahead?: number): ForeignItem | undefined;
  /** Moves past the next item if it has this role. */
  take(role: WordRole): Meaning | null;
};

export function createCursor(items: readonly ForeignItem[]): Cursor {
  const cursor: Cursor = {
    at: 0,
    next: (ahead = 0) => items[cursor.at + ahead],
    take(role) {
      const meaning = meaningOf(items[cursor.at], role);
      if (meaning !== null) cursor.at++;
      return meaning;
    },
  };
  return cursor;
}

export const meaningOf = (item: ForeignItem | undefined, role: WordRole): Meaning | null =>
  item?.meanings.find((meaning) => meaning.role === role) ?? null;

/** The value of a number in words or digits, or null. */
export function numberOf(item: ForeignItem | undefined): number | null {
  if (item === undefined) return null;
  if (/^\d+([.,]\d+)?$/.test(item.text)) return Number(item.text.replace(',', '.'));
  const word = meaningOf(item, 'number');
  return word === null ? null : Number(word.english);
}
