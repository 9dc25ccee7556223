import { chinese } from '../chinese/index.ts';
import { french } from '../french/index.ts';
import { german } from '../german/index.ts';
import type { RewrittenPrompt } from '../plan-rewritten.ts';
import { spanish } from '../spanish/index.ts';
import { createClauseSplitter } from './clauses.ts';
import { detectLanguage, nameLanguage } from './detect.ts';
import { translateFact } from './facts.ts';
import { buildForeignLexicon, type ForeignLexicon, MAX_TOKENS } from './lexicon.ts';
import { translateNouns } from './noun-patterns.ts';
import { translateSpeech } from './speech.ts';
import { translatePrompt } from './translate.ts';
import { appendPhrase, createWindowSplitter } from './windows.ts';

/**
 * A reading of a prompt in another language by the lexicons. `isSure` is false where it may as well be English;
 * `isGuess` is true where no lexicon knows any word of it.
 */
export type ForeignReading = RewrittenPrompt & { isSure: boolean; isGuess: boolean };

/** Reads prompts in other languages by their lexicons. Returns null for English prompts. */
export type ReadForeign = (query: string) => ForeignReading | null;

/** Longest prompt in which another language is looked for. */
const MAX_LENGTH = 10_000;

/** The languages that are read without a language model, besides English. */
export const FOREIGN_LANGUAGES = [german, spanish, french, chinese] as const;

const splitClause = createClauseSplitter(FOREIGN_LANGUAGES);
const splitWindow = createWindowSplitter(FOREIGN_LANGUAGES);

const FUNCTION_WORDS = new Set(
  FOREIGN_LANGUAGES.flatMap(({ roles: { filler, join, article, relative } }) =>
    [filler?.please, join?.and, join?.or, article?.the, article?.a, article?.all, relative?.who].flatMap(
      (forms) => forms?.split(',').map((form) => form.trim()) ?? [],
    ),
  ),
);

/** Single words without a meaning of their own: articles, "and", polite words. */
export const isForeignFunctionWord = (word: string): boolean => FUNCTION_WORDS.has(word);

/** Builds the lexicons once. `isEnglish` knows the words of the English vocabulary and common English words. */
export function createForeignReader(isEnglish: (word: string) => boolean): ReadForeign {
  const lexicons = FOREIGN_LANGUAGES.map(buildForeignLexicon);
  return (query) => {
    const windowed = splitWindow(query);
    const rest = windowed && singlePart(readClauses(windowed.rest, query));
    return rest ? rewritten(rest, query, appendPhrase(rest.to, windowed.window)) : readClauses(query, query);
  };

  /** Reads a prompt, and one with an adverb or a conjunction by its parts if it is not read as it is. */
  function readClauses(query: string, whole: string): ForeignReading | null {
    const plain = read(query, whole);
    const split = singlePart(plain) === null ? splitClause(query) : null;
    if (split?.kind === 'adverb') {
      const rest = singlePart(read(split.rest, whole));
      if (rest) return rewritten(rest, query, appendPhrase(rest.to, split.phrase));
    }
    if (split?.kind === 'conjunction') {
      const [first, second] = split.clauses.map((clause) => singlePart(read(clause, whole)));
      if (first && second) return rewritten(first, query, appendPhrase(first.to, `${split.word} ${second.to}`));
    }
    return plain;
  }

  /** Reads a prompt, or what is left of it, in the language of the whole. */
  function read(query: string, whole: string): ForeignReading | null {
    const text = query.slice(0, MAX_LENGTH);
    const prompt = translateFact(text) ?? translateSpeech(text) ?? translateNouns(text, lexicons);
    if (prompt !== null)
      return {
        query,
        language: prompt.language,
        reader: 'lexicon',
        isSure: true,
        isGuess: false,
        parts: [{ from: query.trim(), to: prompt.to }],
      };
    const found = detectLanguage(whole.slice(0, MAX_LENGTH), lexicons, isEnglish);
    if (found === null) return null;
    const { name, lexicon, isTie } = found;
    const refuse = (language: string): ForeignReading => ({
      query,
      language,
      reader: 'lexicon',
      isSure: !isTie,
      isGuess: lexicon === null,
      parts: [{ from: query.trim(), words: query.trim(), reason: notRead(language) }],
    });
    if (lexicon === null) return refuse(name);
    const parts = lexicon.tokenize(text).length < MAX_TOKENS ? translatePrompt(text, lexicon) : [];
    if (parts.some((part) => 'to' in part))
      return {
        query,
        language: name,
        reader: 'lexicon',
        isSure: !isTie,
        isGuess: lexicon === null,
        parts: parts.map((part) => withLanguage(part, lexicon)),
      };
    // A language that shares words with those that are read: Portuguese looks like Spanish.
    const actual = isTie ? null : nameLanguage(text);
    const isOther = actual !== null && actual !== 'English' && !lexicons.some((each) => each.language.name === actual);
    if (isOther && unknownShare(text, lexicon) >= 0.3) return refuse(actual);
    return parts.length === 0
      ? refuse(name)
      : {
          query,
          language: name,
          reader: 'lexicon',
          isSure: !isTie,
          isGuess: lexicon === null,
          parts: parts.map((part) => withLanguage(part, lexicon)),
        };
  }
}

/** A reading that is one part in English; null for any other. */
function singlePart(reading: ForeignReading | null): { reading: ForeignReading; to: string } | null {
  const [part, ...others] = reading?.parts ?? [];
  return reading && part && 'to' in part && others.length === 0 ? { reading, to: part.to } : null;
}

const rewritten = ({ reading }: { reading: ForeignReading }, query: string, to: string): ForeignReading => ({
  ...reading,
  query,
  parts: [{ from: query.trim(), to }],
});

const notRead = (language: string) =>
  `this prompt seems to be in ${language}, which is not read without a language model`;

/** Reasons name the language, so that the user knows how the prompt was read. */
function withLanguage<T extends { from: string }>(part: T, { language }: ForeignLexicon): T {
  if (!('reason' in part)) return part;
  return { ...part, reason: `${part.reason}, of a prompt that seems to be in ${language.name}` };
}

function unknownShare(text: string, lexicon: ForeignLexicon): number {
  const words = lexicon.tokenize(text).filter((token) => /\p{L}/u.test(token.text));
  return words.filter(({ text: word }) => !lexicon.has(word)).length / Math.max(1, words.length);
}
