import type { Entry, Sense } from '../../meaning/senses.ts';
import type { Query, Statement } from '../../meaning/types.ts';
import { type Grammar, indexRules } from '../../parse/chart.ts';
import type { Quoting } from '../../parse/quoting.ts';
import type { GrammarRule } from '../../parse/rules.ts';
import type { SplitWord } from '../../words/read-words.ts';
import { type Category, FUNCTION_WORDS } from './categories.ts';
import { splitContraction, writeOut } from './clitics.ts';
import { CLOSED_CLASSES } from './closed-classes.ts';
import { referQuery } from './grammar/discourse.ts';
import { createEnglishRules, GOAL } from './grammar.ts';
import { buildEnglishLexicon, type EnglishLexicon } from './lexicon.ts';
import { ENGLISH_QUOTING } from './quoted-words.ts';

/** A language that prompts are read in: its words and its rules. */
export type ReadLanguage = EnglishLexicon & {
  grammar: Grammar;
  rules: readonly GrammarRule[];
  /** The category of a whole prompt. */
  goal: string;
  /** True if a sentence says something else without these words: "not", "except". */
  negates(words: readonly string[]): boolean;
  /** True if a sentence asks something else without these words: "how many". */
  asks(words: readonly string[]): boolean;
  /** True for a word that joins two parts of a sentence: "and". */
  joins(word: string): boolean;
  /** True for a word that says something by itself, unlike "the" and "does". */
  isContent(word: string): boolean;
  /** True for words that only surround a request: greetings, thanks, "give me the times". */
  isSurrounding(words: readonly string[]): boolean;
  /** True for words behind a sentence that belong to it: "yes or no". */
  isTag(words: readonly string[]): boolean;
  /** True for words that begin a sentence about the one who asks, or about the recording. */
  startsContext(words: readonly string[]): boolean;
  /** True for a word that stands for what was named before. */
  isPronoun(word: string): boolean;
  /** True for a word that carries no meaning between the parts of a prompt: "please", "and". */
  isEmpty(word: string): boolean;
  /** True for a word that names nothing: an article, a preposition, a pronoun, a conjunction. */
  isOfClosedClass(word: string): boolean;
  /** Categories of words that say nothing by themselves. */
  functionWords: ReadonlySet<string>;
  /** The sentence about what an earlier one names; null if it does not refer to it. */
  refer(sentence: Query, before: Statement): Query | null;
  /** Divides contractions. */
  split: SplitWord;
  /** True for a word that asks by itself: "when". */
  isQuestionWord(word: string): boolean;
  quoting: Quoting;
  /** True for words that continue the sentence before: "then". */
  startsContinuation(words: readonly string[]): boolean;
  /** True for words that begin a question, and no clause: "is", "how many", but not "when". */
  startsQuestion(words: readonly string[]): boolean;
  /** True for words that add a question to another: "and", but not "or", which asks for one of both. */
  adds(word: string): boolean;
};

const NEGATIONS: readonly Category[] = [
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
];
const QUESTIONS: readonly Category[] = ['Questioned', 'What', 'Compare'];
/** Words that questions begin with. */
const INTERROGATIVES: readonly Category[] = [
  'Questioned',
  'What',
  'Which',
  'Who',
  'Be',
  'BeNot',
  'Do',
  'DoNot',
  'Have',
  'HaveNot',
  'Can',
  'CanNot',
];

const SURROUNDING: ReadonlySet<string> = new Set<Category>(['Polite', 'Opener', 'Softener', 'Aside', 'Reply']);
const TAGS: ReadonlySet<string> = new Set<Category>(['YesOrNo', 'Polite', 'Softener']);

/** Words whose omission changes the meaning of a sentence. */
const ESSENTIAL: ReadonlySet<string> = new Set([...NEGATIONS, ...QUESTIONS]);

/** Phrases of words that connect others. */
export const CLOSED_PHRASES = CLOSED_CLASSES.flatMap(({ phrases }) => phrases.split(', ').map(writeOut)).filter(
  (phrase) => /\p{L}/u.test(phrase),
);

/** Categories of phrases that only make a request: each of their words is empty. */
const REQUESTING = ['Polite', 'Wish', 'Command', 'Watch', 'WhatHappens'] as const satisfies readonly Category[];
const REQUESTS: ReadonlySet<Category> = new Set(REQUESTING);
/** Categories of words that carry no meaning between the parts of a prompt. */
const EMPTY: ReadonlySet<string> = new Set<Category>([
  'Determiner',
  'Possessive',
  'Be',
  'Get',
  'Do',
  'Can',
  'Make',
  'There',
  'Here',
  'And',
  'If',
  'Adverb',
  'Degree',
  'InVideo',
  'InAll',
  'Picture',
  'Occasion',
  'Moment',
  'Stretch',
  'Filmer',
  'Recipient',
  ...REQUESTING,
]);
/** Categories of words that connect others, and of pronouns. */
const CONNECTING: readonly Category[] = [
  'Pronoun',
  'Expletive',
  'Who',
  'Particle',
  'To',
  'From',
  'Of',
  'For',
  'By',
  'With',
  'In',
  'Into',
  'Out',
  'Past',
  'Across',
  'Towards',
  'Wearing',
  'Between',
  'Within',
  'During',
  'Then',
  'After',
  'Before',
  'While',
  'Until',
  'Or',
  'Nor',
  'But',
  'Later',
  'AtOnce',
];
const CONNECTS: ReadonlySet<string> = new Set(CONNECTING);

/** English, with the vocabulary of the product. */
export function createEnglishGrammar(entries: readonly Entry[]): ReadLanguage {
  const rules = createEnglishRules();
  const lexicon = buildEnglishLexicon(entries);
  const isOf = (category: Category, words: readonly string[], at = 0) => {
    let isFound = false;
    lexicon.vocabulary.matchAll(words, at, (_, lexeme) => {
      isFound ||= lexeme.category === category;
    });
    return isFound;
  };
  const hasOneOf = (categories: readonly Category[], words: readonly string[]) =>
    words.some((_, at) => categories.some((category) => isOf(category, words, at)));
  /** True if phrases of these categories cover all words. */
  const areOf = (categories: ReadonlySet<string>, words: readonly string[]): boolean => {
    const isReached = [true];
    for (let at = 0; at < words.length; at++)
      if (isReached[at])
        lexicon.vocabulary.matchAll(words, at, (length, { category }) => {
          if (categories.has(category)) isReached[at + length] = true;
        });
    return words.length > 0 && isReached[words.length] === true;
  };
  const requesting = new Set(
    CLOSED_CLASSES.filter(({ category }) => REQUESTS.has(category)).flatMap(({ phrases }) =>
      phrases.split(', ').flatMap((phrase) => writeOut(phrase).split(' ')),
    ),
  );
  /** True for a word that names nothing and that has one of these categories, if it stands for itself. */
  const isUnnamed = (word: string, isIncluded: (category: string) => boolean) => {
    let isEmpty = requesting.has(word);
    let isAlone = false;
    let isNamed = false;
    lexicon.vocabulary.matchAll([word], 0, (_, { category, features }) => {
      isEmpty = (isAlone && isEmpty) || isIncluded(category);
      isAlone = true;
      const sense = 'sense' in features ? (features.sense as Sense) : null;
      // "I" is who carries the camera.
      isNamed ||= ESSENTIAL.has(category) || (sense !== null && sense.type !== 'camera');
    });
    return isEmpty && !isNamed;
  };
  return {
    ...lexicon,
    negates: (words) => hasOneOf(NEGATIONS, words),
    asks: (words) => hasOneOf(QUESTIONS, words),
    joins: (word) => hasOneOf(['And', 'Or', 'But'], [word]),
    isContent(word) {
      let isContent = true;
      lexicon.vocabulary.matchAll([word], 0, (_, { category }) => {
        isContent &&= !FUNCTION_WORDS.has(category);
      });
      return isContent;
    },
    isSurrounding: (words) => areOf(SURROUNDING, words),
    isTag: (words) => areOf(TAGS, words),
    startsContext: (words) => isOf('Context', words),
    isPronoun: (word) => isOf('Pronoun', [word]),
    isEmpty: (word) => !hasOneOf(CONNECTING, [word]) && isUnnamed(word, (category) => EMPTY.has(category)),
    isOfClosedClass: (word) => isUnnamed(word, (category) => EMPTY.has(category) || CONNECTS.has(category)),
    rules,
    grammar: indexRules(rules),
    goal: GOAL,
    functionWords: FUNCTION_WORDS,
    refer: referQuery,
    split: splitContraction,
    isQuestionWord: (word) => isOf('Questioned', [word]),
    startsContinuation: (words) => isOf('Then', words) && !isOf('Before', words),
    startsQuestion: (words) => INTERROGATIVES.some((each) => isOf(each, words)) && !isOf('While', words),
    adds: (word) => hasOneOf(['And'], [word]),
    quoting: ENGLISH_QUOTING,
  };
}
