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
  return {
    ...lexicon,
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
