import type { Lexicon, Sense } from './lexicon.ts';
import { nearestWords } from './spelling.ts';
import { type Token, tokenize } from './tokens.ts';

/** A known phrase, number or mark, or an unknown word, with its senses and where it stands in the prompt. */
export type Item = {
  text: string;
  senses: readonly Sense[];
  start: number;
  end: number;
  time?: boolean;
  /** For an unknown word: known ones that it may be a misspelling of. */
  nearest?: readonly string[];
};

export type Reading = {
  items: Item[];
  corrected: { from: string; to: string }[];
  /** Where reading stopped, when the prompt has more words than are read; otherwise its length. */
  end: number;
};

const PICTURE: Sense = { type: 'vague', reason: 'only words are read' };
const MARKS: Record<string, Sense> = {
  ',': { type: 'join', join: 'and' },
  '/': { type: 'join', join: 'or' },
  '+': { type: 'join', join: 'and' },
  '→': { type: 'join', join: 'then' },
  '&': { type: 'join', join: 'and' },
  '>': { type: 'compare', compare: 'above' },
  '<': { type: 'compare', compare: 'below' },
  '≥': { type: 'compare', compare: 'min' },
  '≤': { type: 'compare', compare: 'max' },
};

/** Reads a prompt into items: longest known phrases first, spelling met with the nearest known word. */
export function readItems(query: string, lexicon: Lexicon): Reading {
  const { tokens, end } = tokenize(query, lexicon);
  const corrected = new Map<string, string>();
  const doubtful = new Map<string, string[]>();
  const words = tokens.map((token) => (token.kind === 'word' ? known(token.text) : ''));
  const items: Item[] = [];
  for (let i = 0; i < tokens.length; ) {
    const token = tokens[i]!;
    const match = token.kind === 'word' ? lexicon.match(words, i) : null;
    const length = match?.length ?? 1;
    const stop = tokens[i + length - 1]!.end;
    items.push({
      text: query.slice(token.start, stop),
      senses: match?.senses ?? sensesOf(token),
      start: token.start,
      end: stop,
      ...(token.kind === 'time' ? { time: true } : {}),
      ...(match === null && doubtful.has(token.text) ? { nearest: doubtful.get(token.text)! } : {}),
    });
    i += length;
  }
  return { items, corrected: [...corrected].map(([from, to]) => ({ from, to })), end };

  function known(word: string): string {
    if (lexicon.has(word)) return word;
    const earlier = corrected.get(word);
    if (earlier !== undefined) return earlier;
    if (doubtful.has(word)) return word;
    const nearest = nearestWords(word, lexicon);
    if (nearest.length === 1) corrected.set(word, nearest[0]!);
    else doubtful.set(word, nearest.slice(0, 3));
    return corrected.get(word) ?? word;
  }
}

function sensesOf(token: Token): Sense[] {
  if (token.kind === 'number' || token.kind === 'time') return [{ type: 'number', value: token.value }];
  if (token.kind === 'picture') return [PICTURE];
  if (token.kind === 'mark') return MARKS[token.text] ? [MARKS[token.text]!] : [];
  return [];
}

export const isStop = (item: Item) => '.;?!\n'.includes(item.text);
export const isMark = (item: Item) => !/[\p{L}\p{N}]/u.test(item.text);
export const isUnknown = (item: Item) => item.senses.length === 0 && !isMark(item);

/** The item's sense of a type, if it has one. */
export function sense<T extends Sense['type']>(item: Item | undefined, type: T): Extract<Sense, { type: T }> | null {
  return (item?.senses.find((s) => s.type === type) as Extract<Sense, { type: T }> | undefined) ?? null;
}
