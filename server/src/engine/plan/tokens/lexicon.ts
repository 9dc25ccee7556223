import type { Entry, Language, Sense } from './senses.ts';
import type { Token } from './token.ts';

type Node = { next: Map<string, Node>; senses: Sense[] | null };

/** The phrases of a language, ready to be matched against text. */
export type Lexicon = {
  /** The longest known phrase at `start`; articles and auxiliaries inside a phrase are passed over. */
  match(words: readonly string[], start: number): { length: number; senses: readonly Sense[] } | null;
  has(word: string): boolean;
  /** Every known single word, by first letter. */
  words: ReadonlyMap<string, readonly string[]>;
  /** True if a word is written in the letters of this language. */
  isSpelled(word: string): boolean;
  /** Meanings of the word that stands for the name of a zone. */
  namesOf?(word: string): readonly Sense[] | undefined;
  /** Joins the tokens of each name of a zone to one word of this lexicon. */
  joinNames?(query: string, tokens: readonly Token[]): readonly Token[];
} & Omit<Language, 'entries' | 'inflect'>;

export const MAX_PHRASE = 9;

/** Builds the matcher: a trie over words, so that the longest phrase is found in one walk. */
export function buildLexicon(language: Language): Lexicon {
  const root: Node = { next: new Map(), senses: null };
  const known = new Set<string>();
  const between = new Set<string>();
  const articles = new Set<string>();
  const particles = new Set<string>();
  const entries = [...language.entries.filter((e) => !e.idiom), ...language.entries.filter((e) => e.idiom)];
  for (const entry of entries) {
    const plural = entry.inflection === 'noun' ? pluralSenses(entry.senses) : entry.senses;
    const singular = new Set(entry.phrases.split(',').map((p) => p.trim()));
    for (const phrase of phrasesOf(entry, language)) {
      const words = phrase.split(' ');
      const node = nodeOf(root, words);
      if (!entry.idiom) for (const word of words) known.add(word);
      else if (node.senses) continue;
      node.senses = [...(node.senses ?? []), ...(singular.has(phrase) ? entry.senses : plural)];
      if (words.length === 1 && entry.senses.some((s) => s.type === 'filler' && s.light)) between.add(phrase);
      if (words.length === 1) {
        if (entry.senses.some((s) => s.type === 'filler' && s.article)) articles.add(phrase);
        if (entry.senses.some((s) => s.type === 'preposition' || s.type === 'relation' || s.type === 'control'))
          particles.add(phrase);
      }
    }
  }
  const letters = new Set([...known].join(''));
  const byLetter = new Map<string, string[]>();
  for (const word of [...known].sort()) {
    const list = byLetter.get(word[0]!);
    if (list) list.push(word);
    else byLetter.set(word[0]!, [word]);
  }

  return {
    match(words, start) {
      let best: { length: number; senses: Sense[] } | null = null;
      walk(root, start, false);
      return best;

      /** The phrase itself, and the phrase with an article of the text passed over: few words, so few ways. */
      function walk(node: Node, i: number, hasGap: boolean) {
        const word = words[i];
        if (word === undefined || i >= start + MAX_PHRASE) return;
        const next = node.next.get(word);
        if (next) {
          // "A dog pale is black": no shade of black.
          const isPhrase = next.senses && !(hasGap && next.senses.every(({ type }) => type === 'color'));
          if (isPhrase && i + 1 - start > (best?.length ?? 0)) best = { length: i + 1 - start, senses: next.senses! };
          walk(next, i + 1, hasGap);
        }
        // "At the about door": an article is followed by its noun.
        const following = words[i + 1] ?? '';
        const isApart = articles.has(word)
          ? particles.has(following) || following === 'there'
          : particles.has(words[start]!);
        if (i > start && between.has(word) && !isApart) walk(node, i + 1, true);
      }
    },
    has: (word) => known.has(word),
    words: byLetter,
    isSpelled: (word) => [...word].every((letter) => letters.has(letter)),
    isWord: language.isWord,
    trim: language.trim,
    decimal: language.decimal,
    and: language.and,
    ...(language.abbreviations ? { abbreviations: language.abbreviations } : {}),
  };
}

function nodeOf(root: Node, words: readonly string[]): Node {
  let node = root;
  for (const word of words) {
    let next = node.next.get(word);
    if (!next) {
      next = { next: new Map(), senses: null };
      node.next.set(word, next);
    }
    node = next;
  }
  return node;
}

const pluralSenses = (senses: readonly Sense[]): Sense[] =>
  senses.map((s) => (s.type === 'noun' ? { ...s, plural: true } : s));

/** Every form of every phrase of an entry. */
export function phrasesOf(entry: Entry, language: Pick<Language, 'inflect'>): string[] {
  return entry.phrases
    .split(',')
    .map((p) => p.trim())
    .filter((p) => p !== '')
    .flatMap((phrase) => {
      const words = phrase.split(' ');
      if (entry.inflection === 'none') return [phrase];
      const at = entry.inflection === 'verb' ? 0 : words.length - 1;
      return language
        .inflect(words[at]!, entry.inflection)
        .map((form) => words.map((w, i) => (i === at ? form : w)).join(' '));
    });
}
