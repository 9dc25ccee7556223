import { nearestWords } from './spelling.ts';
import type { Token } from './token.ts';
import { tokenize } from './tokenizer.ts';
import type { WordList } from './word-list.ts';

/** The words of a prompt: those that are misspelled are the nearest known word. */
export type Words = {
  query: string;
  list: WordList;
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
export function readWords(query: string, list: WordList, split?: SplitWord): Words {
  const { tokens: plain, end } = tokenize(query, list);
  const named = list.joinNames?.(query, plain) ?? plain;
  const tokens = split ? named.flatMap((token) => splitToken(token, query, split)) : named;
  const corrected = new Map<string, string>();
  const slipped = new Map<string, string>();
  const doubtful = new Map<string, string[]>();
  const isShouted = query === query.toUpperCase();
  // Short words in capitals are names, not slips: "AMR" is no arm.
  const isName = ({ start, end }: Token) =>
    !isShouted && end - start <= 4 && query.slice(start, end) === query.slice(start, end).toUpperCase();
  const slipAt = ({ text, kind }: Token, at: number): string | null => {
    const slip = kind === 'word' ? list.slips?.get(text) : undefined;
    if (!slip?.before.has(tokens[at + 1]?.text ?? '')) return null;
    slipped.set(text, slip.is);
    return slip.is;
  };
  const words = tokens.map((token, at) => {
    if (token.kind !== 'word') return token.text === '&' ? list.and : '';
    if (token.text.startsWith("'")) return token.text;
    if (isName(token)) return token.text;
    // "U-turn" is a word of its own.
    const isPart = query[token.end] === '-' || query[token.start - 1] === '-';
    const own = isPart ? undefined : (slipAt(token, at) ?? list.abbreviations?.get(token.text));
    return own ?? known(token.text);
  });
  return {
    query,
    list,
    tokens,
    words,
    doubtful,
    end,
    corrected: [...corrected, ...slipped].map(([from, to]) => ({ from, to })),
  };

  function known(word: string): string {
    if (list.has(word)) return word;
    const earlier = corrected.get(word);
    if (earlier !== undefined) return earlier;
    if (doubtful.has(word)) return word;
    const nearest = nearestWords(word, list);
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
