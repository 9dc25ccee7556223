import { findRelatedWords, isBlocked, MOST_RELATED_WORDS, type Plan, type RelatedWord } from '../../plan/index.ts';
import { meaningOfPlan } from '../meaning.ts';

/** English words with those outside the vocabulary replaced by related ones, and which these are. */
export type EnglishReading = { text: string; replaced: (RelatedWord & { phrase: string })[] };

/** Sentences that are tried for one part of a prompt. */
const MOST_TRIED = 64;

/**
 * Reads English words back: replaces those that are outside the vocabulary by words that a dictionary relates to them,
 * and returns the sentence that the rules read as they read the rewriting of a model. So every word of the prompt is in
 * what is searched, and nothing else. Null if no such sentence exists: the rewriting has another meaning.
 */
export function readEnglishBack(from: string, to: string, planEnglish: (text: string) => Plan): EnglishReading | null {
  const meaning = meaningOfPlan(planEnglish(to));
  let tried = 0;
  for (const reading of readingsOf(from)) {
    if (++tried > MOST_TRIED) return null;
    const plan = planEnglish(reading.text);
    const isRead = plan.corrected.length === 0 && !plan.searches.some(isBlocked);
    if (isRead && meaningOfPlan(plan) === meaning) return reading;
  }
  return null;
}

type Word = { text: string; start: number; end: number };

/** All sentences of related words, those with the most replaced first. */
function* readingsOf(from: string): Generator<EnglishReading> {
  const words = [...from.matchAll(/[\p{L}\p{M}\p{N}'’]+/gu)].map(
    ({ 0: text, index }): Word => ({ text, start: index, end: index + text.length }),
  );
  yield* readFrom(0, 0);

  function* readFrom(at: number, position: number): Generator<EnglishReading> {
    const word = words[at];
    if (word === undefined) {
      yield { text: from.slice(position), replaced: [] };
      return;
    }
    for (let length = Math.min(MOST_RELATED_WORDS, words.length - at); length > 0; length--) {
      const last = words[at + length - 1]!;
      const phrase = from.slice(word.start, last.end);
      // Hyphens join the words of a phrase; other marks end it.
      if (/[^\p{L}\p{M}\p{N}'’\s-]/u.test(phrase)) continue;
      for (const replacement of findRelatedWords(phrase.replaceAll(/[\s-]+/g, ' ')))
        for (const { text, replaced } of readFrom(at + length, last.end))
          yield {
            text: `${from.slice(position, word.start)}${replacement.word}${text}`,
            replaced: [{ ...replacement, phrase }, ...replaced],
          };
    }
    for (const { text, replaced } of readFrom(at + 1, word.end))
      yield { text: `${from.slice(position, word.end)}${text}`, replaced };
  }
}
