import type { Token } from './token.ts';

/** Tokens whose words are taken as they are: "STOP". `to` is behind the last token. */
export type QuotedTokens = {
  readonly from: number;
  readonly to: number;
  readonly words: string;
  /** In quotation marks; otherwise in capitals and digits, which the rest of the prompt is not. */
  readonly isQuoted: boolean;
};

/** Most quotations of a prompt. */
const MOST_QUOTATIONS = 20;
const QUOTED =
  /["“”„«]([^"“”„«»\n]{1,100})["“”»]|(?<![\p{L}\p{N}])['‘]((?:[^'’\n]|['’](?=\p{L})){1,100}?)['’](?![\p{L}\p{N}])/gu;
const CAPITALS = /^[\p{Lu}\p{N}]+$/u;
const JOINT = /^[ .:/-]?$/;

/** Finds the words of a prompt between quotation marks, or in capitals and digits. */
export function findQuotations(query: string, tokens: readonly Token[]): QuotedTokens[] {
  const quoted: QuotedTokens[] = [];
  for (const { 0: whole, 1: double, 2: single, index } of query.matchAll(QUOTED)) {
    const end = index + whole.length;
    const from = tokens.findIndex((token) => token.start >= index);
    const to = tokens.findLastIndex((token) => token.end <= end) + 1;
    const words = (double ?? single)!.trim();
    if (from >= 0 && to > from && words !== '') quoted.push({ from, to, words, isQuoted: true });
    if (quoted.length === MOST_QUOTATIONS) break;
  }
  return query === query.toUpperCase() ? quoted : [...quoted, ...findCapitals(query, tokens)];
}

function findCapitals(query: string, tokens: readonly Token[]): QuotedTokens[] {
  const runs: QuotedTokens[] = [];
  const textOf = (from: number, to: number) => query.slice(tokens[from]!.start, tokens[to - 1]!.end);
  const isCapital = (at: number) => at < tokens.length && CAPITALS.test(textOf(at, at + 1).replaceAll(':', ''));
  for (let from = 0; from < tokens.length && runs.length < MOST_QUOTATIONS; from++) {
    if (!isCapital(from)) continue;
    let to = from + 1;
    while (isCapital(to) && JOINT.test(query.slice(tokens[to - 1]!.end, tokens[to]!.start))) to++;
    runs.push({ from, to, words: textOf(from, to), isQuoted: false });
    from = to;
  }
  return runs;
}
