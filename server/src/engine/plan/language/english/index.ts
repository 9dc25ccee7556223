import { type Grammar, indexRules } from '../../parse/chart.ts';
import type { Quoting } from '../../parse/quoting.ts';
import type { GrammarRule } from '../../parse/rules.ts';
import type { SplitWord } from '../../tokens/lexer.ts';
import type { Entry } from '../../tokens/senses.ts';
import { type Category, FUNCTION_WORDS } from './categories.ts';
import { splitContraction } from './clitics.ts';
import { createEnglishRules, GOAL } from './grammar.ts';
import { buildEnglishLexicon, type EnglishLexicon } from './lexicon.ts';
import { ENGLISH_QUOTING } from './quoted-words.ts';

/** A language that prompts are read in: its words and its rules. */
export type ReadLanguage = EnglishLexicon & {
  grammar: Grammar;
  rules: readonly GrammarRule[];
  /** The category of a whole prompt. */
  goal: string;
  /** True for a word without which a sentence says something else: "not", "how many". */
  isEssential(word: string): boolean;
  /** True for a word of greetings and thanks. */
  isPolite(word: string): boolean;
  /** Categories of words that say nothing by themselves. */
  functionWords: ReadonlySet<string>;
  /** Divides contractions. */
  split: SplitWord;
  /** True for a word that asks by itself: "when". */
  isQuestionWord(word: string): boolean;
  quoting: Quoting;
  /** True for words that continue the sentence before: "then". */
  startsContinuation(words: readonly string[]): boolean;
};

const ESSENTIAL = [
  'No',
  'Not',
  'Without',
  'Nobody',
  'BeNot',
  'DoNot',
  'HaveNot',
  'CanNot',
  'Neither',
  'Nor',
  'Except',
  'Questioned',
  'What',
  'Compare',
] as const satisfies readonly Category[];

/** English, with the vocabulary of the product. */
export function createEnglishGrammar(entries: readonly Entry[]): ReadLanguage {
  const rules = createEnglishRules();
  const lexicon = buildEnglishLexicon(entries);
  const isOf = (category: Category, words: readonly string[]) => {
    let isFound = false;
    lexicon.vocabulary.matchAll(words, 0, (_, lexeme) => {
      isFound ||= lexeme.category === category;
    });
    return isFound;
  };
  const wordsOf = (category: Category) =>
    new Set(
      [...lexicon.vocabulary.entries()].flatMap(({ phrase, lexeme }) => (lexeme.category === category ? [phrase] : [])),
    );
  const essential = new Set(
    ESSENTIAL.flatMap((category) => [...wordsOf(category)].flatMap((phrase) => phrase.split(' '))),
  );
  const polite = new Set([...wordsOf('Polite')].flatMap((phrase) => phrase.split(' ')));
  return {
    ...lexicon,
    isEssential: (word) => essential.has(word),
    isPolite: (word) => polite.has(word),
    rules,
    grammar: indexRules(rules),
    goal: GOAL,
    functionWords: FUNCTION_WORDS,
    split: splitContraction,
    isQuestionWord: (word) => isOf('Questioned', [word]),
    startsContinuation: (words) => isOf('Then', words) && !isOf('Before', words),
    quoting: ENGLISH_QUOTING,
  };
}
