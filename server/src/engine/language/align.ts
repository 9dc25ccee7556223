import type { Rewritings } from './response.ts';

/** A part of the prompt as the model sees it: rewritten, or left. */
export type AlignedPart = { from: string; to: string | null };

type Range = { start: number; end: number; to: string | null };

/**
 * Places the parts that a model names in the prompt, in their order. Parts that do not occur in it are dropped; words
 * that no part covers are left. `isEmpty` knows words that carry no meaning between parts.
 */
export function alignParts(
  prompt: string,
  { sentences, left }: Rewritings,
  isEmpty: (word: string) => boolean,
): AlignedPart[] {
  const ranges: Range[] = [];
  const parts = [...sentences, ...left.map((from) => ({ from, to: null }))];
  for (const { from, to } of parts) {
    const range = findRange(prompt, from, ranges);
    if (range !== null) ranges.push({ ...range, to });
  }
  ranges.sort((a, b) => a.start - b.start);
  const aligned: AlignedPart[] = [];
  let at = 0;
  for (const { start, end, to } of [...ranges, { start: prompt.length, end: prompt.length, to: null }]) {
    const gap = prompt.slice(at, start);
    if (hasMeaning(gap, isEmpty)) aligned.push({ from: trimmed(gap), to: null });
    if (end > start) aligned.push({ from: prompt.slice(start, end), to });
    at = end;
  }
  return aligned;
}

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

const hasMeaning = (text: string, isEmpty: (word: string) => boolean) =>
  [...text.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}]+/gu)].some(([word]) => !isEmpty(word));
