import { hasContent, hasMeaning, type WordKinds } from './function-words.ts';
import type { Rewritings } from './response.ts';

/** A part of the prompt as the model sees it: rewritten, or left. `start` and `end` are its place in the prompt. */
export type AlignedPart = { from: string; to: string | null; start: number; end: number };

type Range = { start: number; end: number; to: string | null };

/**
 * Places the parts that a model names in the prompt, in their order. Parts that do not occur in it, or whose words name
 * nothing, are dropped; words that no part covers are left.
 */
export function alignParts(prompt: string, { sentences, left }: Rewritings, words: WordKinds): AlignedPart[] {
  const ranges: Range[] = [];
  const parts = [...sentences, ...left.map((from) => ({ from, to: null }))];
  for (const { from, to } of parts) {
    if (!hasContent(from, words)) continue;
    const range = findRange(prompt, from, ranges);
    if (range !== null) ranges.push({ ...range, to });
  }
  ranges.sort((a, b) => a.start - b.start);
  const aligned: AlignedPart[] = [];
  let at = 0;
  for (const { start, end, to } of [...ranges, { start: prompt.length, end: prompt.length, to: null }]) {
    const gap = trimmedRange(prompt, at, start);
    if (hasMeaning(prompt.slice(gap.start, gap.end), words)) aligned.push(partOf(prompt, { ...gap, to: null }));
    if (end > start) aligned.push(partOf(prompt, { start, end, to }));
    at = end;
  }
  return aligned;
}

const partOf = (prompt: string, range: Range): AlignedPart => ({
  from: prompt.slice(range.start, range.end),
  ...range,
});

/**
 * Joins parts that are not read with those beside them, unless a mark separates them: of "a man with a red hat",
 * "a man" alone would be another question.
 */
export function joinUnread<T extends { start: number; end: number }>(
  prompt: string,
  parts: readonly T[],
  isRead: (part: T) => boolean,
  join: (first: T, second: T) => T,
): T[] {
  const joined: T[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const isAttached =
      before !== undefined && isRead(before) !== isRead(part) && !MARK.test(prompt.slice(before.end, part.start));
    if (isAttached) joined[joined.length - 1] = join(before, part);
    else joined.push(part);
  }
  return joined;
}

/** Marks that end a sentence or an item of a list. */
const MARK = /[.,:;!?\n…。、，；：！？]/u;

/** The first occurrence that no other part covers, in any case of letters. */
function findRange(prompt: string, from: string, taken: readonly Range[]): { start: number; end: number } | null {
  const text = trimmed(from).toLowerCase();
  const within = prompt.toLowerCase();
  if (text === '' || within.length !== prompt.length) return null;
  for (let start = within.indexOf(text); start >= 0; start = within.indexOf(text, start + 1)) {
    const end = start + text.length;
    if (isWhole(within, start, end) && !taken.some((range) => range.start < end && range.end > start))
      return { start, end };
  }
  return null;
}

/** Not a part of a word: "car" does not occur in "carpet". Chinese has no spaces between words. */
function isWhole(text: string, start: number, end: number): boolean {
  const isInside = (a: string | undefined, b: string | undefined) =>
    /[\p{L}\p{N}]/u.test(a ?? '') &&
    /[\p{L}\p{N}]/u.test(b ?? '') &&
    !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(`${a}${b}`);
  return !isInside(text[start - 1], text[start]) && !isInside(text[end - 1], text[end]);
}

const trimmed = (text: string) => text.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '');

/** The range without spaces and marks around it. */
function trimmedRange(prompt: string, start: number, end: number): { start: number; end: number } {
  const text = prompt.slice(start, end);
  const lead = text.length - text.replace(/^[\s\p{P}]+/u, '').length;
  return { start: start + lead, end: start + lead + trimmed(text).length };
}
