import type { ChartItem } from './chart.ts';
import { type LatticeToken, WORD_COST } from './lattice.ts';
import type { TokenSpan } from './rules.ts';

/** The way in which a language quotes words that are taken as they are. */
export type Quoting = {
  /** The category of quoted words. */
  readonly category: string;
  /** True for a word that may be one of several quoted ones without quotation marks: others may belong to the rest. */
  isPlain(word: string): boolean;
};

/** Quoted words of a part of a prompt. `isExact`: in quotation marks or in capitals. */
export type QuotedWords = TokenSpan & {
  readonly words: string;
  readonly isExact: boolean;
  readonly isQuoted: boolean;
  /** It is not certain that all of the words are quoted. */
  readonly isUnsure: boolean;
};

/** A word that words of any kind follow or precede: at most so many. */
type Introduction = { readonly opens?: number; readonly closes?: number };

/** Most words that are quoted without certainty. */
const MOST_UNSURE = 8;
const COMMA = ',';
/** Cost of quoted words that may belong to the rest of the prompt. */
const UNSURE = 5;

/** Quoted words beside those that introduce them, by the words of a part of a prompt. */
export function findIntroduced(
  items: readonly ChartItem[],
  tokens: readonly LatticeToken[],
  { isPlain }: Quoting,
  textOf: (span: TokenSpan) => string,
  exact: readonly QuotedWords[],
): QuotedWords[] {
  const found = new Map<string, QuotedWords>();
  const isApart = (from: number, to: number) =>
    exact.every((each) => !each.isQuoted || each.to <= from || to <= each.from);
  const add = (from: number, to: number, isUnsure: boolean) => {
    if (!isUnsure && !isApart(from, to)) return;
    const words = textOf({ from, to });
    found.set(`${from}.${to}`, { from, to, words, isExact: false, isQuoted: false, isUnsure });
  };
  const isWord = (at: number) => at >= 0 && at < tokens.length && tokens[at]!.kind !== 'mark';
  const isQuotable = (at: number) => isWord(at) && isPlain(tokens[at]!.word);
  for (const { meaning, from, to } of items) {
    const { opens = 0, closes = 0 } = meaning as Introduction;
    let end = to;
    while (end - to < opens && isQuotable(end)) add(to, ++end, false);
    let last = to;
    while (last - to < MOST_UNSURE && (isWord(last) || (tokens[last]?.word === COMMA && isWord(last + 1)))) last++;
    if (opens > 1 && last > end && tokens.slice(last).every(({ kind }) => kind === 'mark')) add(to, last, true);
    for (let start = from; from - start < closes && isQuotable(start - 1); ) add(--start, from, false);
  }
  return [...found.values()];
}

/** Quoted words as parts of a prompt. */
export function toItems(
  quoted: readonly QuotedWords[],
  tokens: readonly LatticeToken[],
  { category }: Quoting,
  firstId: number,
): ChartItem[] {
  return quoted.map(({ from, to, ...features }, at) => {
    const span = { from, to };
    const text = tokens
      .slice(from, to)
      .map((token) => token.text)
      .join(' ');
    return {
      category,
      from,
      to,
      meaning: { ...features, span, text, id: firstId - at },
      cost: features.isUnsure ? WORD_COST * (to - from) + UNSURE : WORD_COST,
      rule: null,
      parts: [],
    };
  });
}
