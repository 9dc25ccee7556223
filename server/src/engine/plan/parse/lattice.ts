import type { ChartItem } from './chart.ts';

/** A meaning of a word or phrase: its category in the grammar, and what rules and plans need to know of it. */
export type Lexeme = {
  readonly category: string;
  readonly cost: number;
  readonly features: object;
  /** No words may stand inside the phrase. */
  readonly isRigid?: boolean;
};

type Node = { readonly next: Map<string, Node>; readonly lexemes: (Lexeme & { id: number })[] };

const createNode = (): Node => ({ next: new Map(), lexemes: [] });

/** Words and phrases with all of their meanings. */
export type Vocabulary = {
  add(phrase: string, lexeme: Lexeme): void;
  /** True if a word says nothing by itself: it may stand inside a phrase, as articles do. */
  isSilent(word: string): boolean;
  /** Every phrase with each of its meanings. */
  entries(): Iterable<{ phrase: string; lexeme: Lexeme; id: number }>;
  /** Every phrase at a position, with all of its meanings. */
  matchAll(words: readonly string[], start: number, report: (length: number, lexeme: Lexeme, id: number) => void): void;
};

/**
 * Creates an empty vocabulary. `isPassedOver` names words that may stand inside a phrase without being a part of it,
 * given the first word of the phrase; `isSilent` those that say nothing by themselves; `fullWordsOf` gives the words
 * that a shortened one may stand for.
 */
export function createVocabulary(
  isPassedOver: (word: string, first: string) => boolean,
  isSilent: (word: string) => boolean,
  fullWordsOf: (word: string) => readonly string[] | undefined,
): Vocabulary {
  const root = createNode();
  let count = 0;
  return {
    add(phrase, lexeme) {
      let node = root;
      for (const word of phrase.split(' ')) {
        let next = node.next.get(word);
        if (!next) {
          next = createNode();
          node.next.set(word, next);
        }
        node = next;
      }
      node.lexemes.push({ ...lexeme, id: count++ });
    },
    isSilent: (word) => isSilent(word),
    entries: () => entriesOf(root, ''),
    matchAll(words, start, report) {
      walk(root, start, false);

      function walk(node: Node, at: number, hasGap: boolean) {
        const word = words[at];
        if (word === undefined || at - start > MAX_LENGTH) return;
        step(word);
        for (const full of fullWordsOf(word) ?? []) step(full);
        if (at > start && node.next.size > 0 && isPassedOver(word, words[start]!)) walk(node, at + 1, true);

        function step(form: string) {
          const next = node.next.get(form);
          if (!next) return;
          for (const lexeme of next.lexemes) if (!hasGap || !lexeme.isRigid) report(at + 1 - start, lexeme, lexeme.id);
          walk(next, at + 1, hasGap);
        }
      }
    },
  };
}

function* entriesOf(node: Node, phrase: string): Generator<{ phrase: string; lexeme: Lexeme; id: number }> {
  for (const { id, ...lexeme } of node.lexemes) yield { phrase, lexeme, id };
  for (const [word, next] of node.next) yield* entriesOf(next, phrase === '' ? word : `${phrase} ${word}`);
}

/** Longest phrase, in words. */
const MAX_LENGTH = 10;
/** Cost of a word, so that one phrase is cheaper than its words one by one. */
export const WORD_COST = 1;

/** A token of a prompt: its word as the vocabulary has it, its text, and the value of a number or time. */
export type LatticeToken = {
  readonly kind: 'word' | 'number' | 'time' | 'mark' | 'pause' | 'picture';
  readonly word: string;
  readonly text: string;
  readonly value: number;
  /** Meanings of a name that the prompt's context gives, in place of those of its word. */
  readonly named?: readonly object[];
};

/** All meanings of all words and phrases of a part of a prompt. `lexemesOf` gives those that are in no vocabulary. */
export function buildLattice(
  tokens: readonly LatticeToken[],
  vocabulary: Vocabulary,
  lexemesOf: (token: LatticeToken, isKnown: boolean) => readonly Lexeme[],
): ChartItem[] {
  const items: ChartItem[] = [];
  const words = tokens.map(({ word }) => word);
  let unknown = -1;
  const add = (from: number, to: number, { category, cost, features }: Lexeme, id: number) => {
    const text = tokens
      .slice(from, to)
      .map((token, i) => (i === 0 || token.word.startsWith("'") ? token.text : ` ${token.text}`))
      .join('');
    const item: ChartItem = {
      category,
      from,
      to,
      meaning: { ...features, span: { from, to }, text, id },
      cost: WORD_COST + cost,
      rule: null,
      parts: [],
    };
    items.push(item);
    // A colon or a bracket may separate parts, as a comma does, or nothing.
    const isBehindPause = from === 1 && tokens[0]!.kind === 'pause';
    if (isBehindPause) items.push({ ...item, from: 0 });
    if (tokens[to]?.kind !== 'pause') return;
    items.push({ ...item, to: to + 1 });
    if (isBehindPause) items.push({ ...item, from: 0, to: to + 1 });
  };
  for (const [from, token] of tokens.entries()) {
    let isKnown = false;
    vocabulary.matchAll(words, from, (length, lexeme, id) => {
      isKnown ||= length === 1;
      add(from, from + length, lexeme, id);
    });
    for (const lexeme of lexemesOf(token, isKnown)) add(from, from + 1, lexeme, unknown--);
  }
  return items;
}
