import type { Entry, Language, Sense } from '../meaning/senses.ts';
import type { Token } from './token.ts';

/** The words of a language as they are spelled, with the names that a prompt may contain besides. */
export type WordList = {
  has(word: string): boolean;
  /** Every known word, by first letter. */
  words: ReadonlyMap<string, readonly string[]>;
  /** True if a word is written in the letters of this language. */
  isSpelled(word: string): boolean;
  /** True for a word that names something: no word that only connects others. */
  hasContent(word: string): boolean;
  /** True for words that are listed together: they mean the same. */
  isSame(word: string, other: string): boolean;
  /** Meanings of the word that stands for the name of a zone. */
  namesOf?(word: string): readonly Sense[] | undefined;
  /** Joins the tokens of each name of a zone to one word of this list. */
  joinNames?(query: string, tokens: readonly Token[]): readonly Token[];
} & Omit<Language, 'entries' | 'inflect'>;

/** Lists the words of the phrases of a language. `closed`: phrases of words that connect others. */
export function buildWordList(language: Language, closed: readonly string[]): WordList {
  /** Words, with the entries that list them alone. */
  const known = new Map<string, Set<object>>();
  const add = (phrase: string, entry: object | null) => {
    const words = phrase.split(' ');
    for (const word of words) if (!known.has(word)) known.set(word, new Set());
    if (words.length === 1 && entry) known.get(phrase)!.add(entry);
  };
  for (const entry of language.entries)
    if (!entry.isUnlisted) for (const phrase of phrasesOf(entry, language)) add(phrase, entry);
  const content = new Set(known.keys());
  for (const phrase of closed) add(phrase, null);
  const letters = new Set([...known.keys()].join(''));
  const byLetter = new Map<string, string[]>();
  for (const word of [...known.keys()].sort()) {
    const list = byLetter.get(word[0]!);
    if (list) list.push(word);
    else byLetter.set(word[0]!, [word]);
  }
  return {
    has: (word) => known.has(word),
    words: byLetter,
    isSpelled: (word) => [...word].every((letter) => letters.has(letter)),
    hasContent: (word) => content.has(word),
    isSame: (word, other) => known.get(word)?.isDisjointFrom(known.get(other) ?? new Set()) === false,
    isWord: language.isWord,
    trim: language.trim,
    decimal: language.decimal,
    and: language.and,
    ...(language.abbreviations ? { abbreviations: language.abbreviations } : {}),
    ...(language.slips ? { slips: language.slips } : {}),
  };
}

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
