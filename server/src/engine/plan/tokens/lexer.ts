import { REASONS } from '../reasons.ts';
import { type Lexicon, MAX_PHRASE } from './lexicon.ts';
import type { Sense } from './senses.ts';
import { nearestWords } from './spelling.ts';
import type { Token } from './token.ts';
import { tokenize } from './tokenizer.ts';

/** A known phrase, number or mark, or an unknown word, with its senses and its position in the prompt. */
export type Item = {
  text: string;
  senses: readonly Sense[];
  start: number;
  end: number;
  time?: boolean;
  /** Copied from another clause: "a white and a black car". */
  lent?: true;
  /** For an unknown word: known ones that it may be a misspelling of. */
  nearest?: readonly string[];
};

/** Senses of the frame or the camera. */
const HEADED: ReadonlySet<Sense['type']> = new Set(['signal', 'camera', 'camera_move', 'sound']);
/** Senses that have no content of their own. */
const EMPTY: ReadonlySet<Sense['type']> = new Set(['filler', 'vague', 'color', 'beyond']);
const PICTURE: Sense = { type: 'vague', reason: REASONS.onlyWords };
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
  '=': { type: 'compare', compare: 'exact' },
};

/** The words of a prompt: those that are misspelled are the nearest known word. */
export type Words = {
  query: string;
  lexicon: Lexicon;
  tokens: readonly Token[];
  /** One for each token; empty for marks. */
  words: readonly string[];
  /** Known words that an unknown one may be a misspelling of. */
  doubtful: ReadonlyMap<string, readonly string[]>;
  corrected: { from: string; to: string }[];
  end: number;
};

/** Divides a word in two at a position: "there's" at 5. Null for a word that is whole. `clitic` is the second one. */
export type SplitWord = (word: string) => { at: number; clitic: string } | null;

/** Cuts a prompt into words and corrects their spelling. `split` divides contractions. */
export function readWords(query: string, lexicon: Lexicon, split?: SplitWord): Words {
  const { tokens: plain, end } = tokenize(query, lexicon);
  const named = lexicon.joinNames?.(query, plain) ?? plain;
  const tokens = split ? named.flatMap((token) => splitToken(token, query, split)) : named;
  const corrected = new Map<string, string>();
  const doubtful = new Map<string, string[]>();
  const isShouted = query === query.toUpperCase();
  // Short words in capitals are names, not slips: "AMR" is no arm.
  const isName = ({ start, end }: Token) =>
    !isShouted && end - start <= 4 && query.slice(start, end) === query.slice(start, end).toUpperCase();
  const words = tokens.map((token) => {
    if (token.kind !== 'word') return token.text === '&' ? lexicon.and : '';
    if (token.text.startsWith("'")) return token.text;
    if (isName(token)) return token.text;
    // "U-turn" is a word of its own.
    const isPart = query[token.end] === '-' || query[token.start - 1] === '-';
    return (isPart ? undefined : lexicon.abbreviations?.get(token.text)) ?? known(token.text);
  });
  return {
    query,
    lexicon,
    tokens,
    words,
    doubtful,
    end,
    corrected: [...corrected].map(([from, to]) => ({ from, to })),
  };

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

function splitToken(token: Token, query: string, split: SplitWord): Token[] {
  const { kind, start, end } = token;
  const word = query.slice(start, end).toLowerCase().replaceAll('’', "'");
  const parts = kind === 'word' && word.startsWith(token.text) ? split(word) : null;
  if (!parts) return [token];
  const { at, clitic } = parts;
  return [
    { ...token, text: word.slice(0, at), end: start + at },
    { ...token, text: clitic, start: start + at },
  ];
}

const isRelation = ({ senses }: { senses: readonly Sense[] }) => senses.some(({ type }) => type === 'relation');

/** The words without those between two positions of the prompt. */
export function withoutWords(read: Words, start: number, end: number): Words {
  const remains = read.tokens.map((token) => token.start < start || token.start >= end);
  const isOutside = (_: unknown, i: number) => remains[i]!;
  return { ...read, tokens: read.tokens.filter(isOutside), words: read.words.filter(isOutside) };
}

/** Matches the longest known phrases. */
export function matchItems({ query, lexicon, tokens, words, doubtful }: Words): Item[] {
  const items: Item[] = [];
  /** First and last word of the latest phrase about the frame. */
  let heads: string[] = [];
  for (let i = 0; i < tokens.length; ) {
    const token = tokens[i]!;
    const match = token.kind === 'word' ? (matchWithHead(i) ?? matchNamed(i)) : null;
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
    if (isStop(items.at(-1)!) || match?.senses.some((s) => s.type === 'noun')) heads = [];
    else if (
      match?.senses.some((s) => s.type === 'camera' || (length > 1 && (HEADED.has(s.type) || s.type === 'beyond')))
    )
      heads = [words[i]!, words[i + length - 1]!];
    i += length;
  }
  return items;

  /** "Wrist camera is covered": a phrase about the camera begins with the last word of its name. */
  function matchNamed(i: number) {
    const match = lexicon.match(words, i);
    if (!match || match.length < 2) return match;
    const inner = lexicon.match(words, i + match.length - 1);
    // "What is in front of the car"
    if (inner && inner.length > 1 && match.senses.every((s) => s.type === 'question') && isRelation(inner))
      return lexicon.match(words.slice(0, i + match.length - 1), i) ?? match;
    if (!match.senses.some((s) => s.type === 'camera')) return match;
    const isLonger = inner && inner.length > 1 && inner.senses.some((s) => s.type === 'signal');
    return isLonger ? { ...inner, length: match.length - 1 + inner.length } : match;
  }

  /** "Camera shakes or is covered", "lens dirty or blocked": the head of the phrase before is repeated. */
  function matchWithHead(i: number) {
    if (!items.at(-1)?.senses.some((s) => s.type === 'join')) return null;
    let says = i;
    if (lexicon.match(words, i)?.senses.some((s) => s.type === 'filler' && s.article === 'indefinite')) return null;
    while (lexicon.match(words, says)?.senses.some((s) => s.type === 'filler' && s.light)) says++;
    if (lexicon.match(words, says)?.senses.some((s) => !EMPTY.has(s.type) && s.type !== 'action')) return null;
    for (const head of heads) {
      const match = lexicon.match([head, ...words.slice(i, i + MAX_PHRASE)], 0);
      if (match && match.length > says - i + 1 && match.senses.some((s) => HEADED.has(s.type)))
        return { ...match, length: match.length - 1 };
    }
    return null;
  }
}

function sensesOf(token: Token): Sense[] {
  if (token.kind === 'number' || token.kind === 'time') return [{ type: 'number', value: token.value }];
  if (token.kind === 'picture') return [PICTURE];
  if (token.kind === 'mark') return MARKS[token.text] ? [MARKS[token.text]!] : [];
  return [];
}

export const isStop = ({ text }: Item) => text.length < 2 && '.;?!\n'.includes(text);
export const isMark = (item: Item) => !/[\p{L}\p{N}]/u.test(item.text);
export const isUnknown = (item: Item) => item.senses.length === 0 && !isMark(item);

/** The item's sense of a type, if it has one. */
export function sense<T extends Sense['type']>(item: Item | undefined, type: T): Extract<Sense, { type: T }> | null {
  return (item?.senses.find((s) => s.type === type) as Extract<Sense, { type: T }> | undefined) ?? null;
}
