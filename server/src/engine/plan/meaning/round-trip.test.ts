import { describe, expect, it } from 'vitest';
import { grammar, read, wordList } from '../fixtures/grammar.fixture.ts';
import { createPlanner } from '../index.ts';
import { createGenerator, type GeneratedSentence } from '../parse/generate.fixture.ts';
import { readWords } from '../words/read-words.ts';
import { describeMeaning } from './describe.fixture.ts';
import type { Query } from './types.ts';

const SENTENCES = 300;
const MOST_WORDS = 14;

const toWords = (text: string) => {
  const { tokens, words, corrected } = readWords(text, wordList, grammar.split);
  return corrected.length > 0 ? null : words.map((word, at) => (word === '' ? tokens[at]!.text : word)).join(' ');
};

/** Short sentences of the grammar whose words are read one by one as they were put together. */
function generate(): GeneratedSentence[] {
  const next = createGenerator(grammar.rules, grammar.vocabulary, grammar.goal, (phrase) => toWords(phrase) === phrase);
  const sentences: GeneratedSentence[] = [];
  for (let tries = 0; sentences.length < SENTENCES && tries < 20 * SENTENCES; tries++) {
    const sentence = next();
    if (!sentence || sentence.text.split(' ').length > MOST_WORDS || /[.;?!] |\n/.test(sentence.text)) continue;
    if (toWords(sentence.text) === sentence.text) sentences.push(sentence);
  }
  return sentences;
}

describe('sentences that the grammar makes', () => {
  const sentences = generate();
  const readings = sentences.map(({ text }) => read(text).read[0]?.readings ?? []);

  it('are read as a whole, at no greater cost', () => {
    expect(sentences).toHaveLength(SENTENCES);
    const costly = sentences.filter(({ cost }, at) => !(readings[at]![0] && readings[at]![0].cost <= cost + 1e-6));
    expect(costly.map(({ text }) => text)).toEqual([]);
  });

  it('mean what they were made from, unless another reading is likelier', () => {
    const same = sentences.filter(({ meaning }, at) => {
      const expected = describeMeaning(meaning as Query);
      return readings[at]!.some((item) => describeMeaning(item.meaning as Query) === expected);
    });
    expect(same.length / sentences.length).toBeGreaterThan(0.85);
    const other = sentences.filter(({ meaning, cost }, at) => {
      const best = readings[at]!.filter((item) => item.cost <= cost + 1e-6);
      const expected = describeMeaning(meaning as Query);
      return (
        best.length === 1 && best[0]!.cost > cost - 1e-6 && describeMeaning(best[0]!.meaning as Query) !== expected
      );
    });
    expect(other.map(({ text }) => text)).toEqual([]);
  });

  it('have valid plans', () => {
    const planner = createPlanner();
    for (const { text } of sentences) {
      const plan = planner.planEnglish(text);
      expect(planner.checkPlan(plan)).toBe(plan);
    }
  });
});
