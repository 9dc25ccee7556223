import { describe, expect, it } from 'vitest';
import { grammar, wordList } from '../../fixtures/grammar.fixture.ts';
import { readWords } from '../../words/read-words.ts';

const wordsOf = (query: string) => {
  const { tokens, words } = readWords(query, wordList, grammar.split);
  return tokens.map(({ start, end }, i) => [words[i], query.slice(start, end)]);
};

describe('contractions', () => {
  it.each([
    ["there's", 'there', "'s"],
    ['There’s', 'There', '’s'],
    ["we're", 'we', "'re"],
    ["I've", 'I', "'ve"],
    ["they'd", 'they', "'d"],
    ["AMR's", 'AMR', "'s"],
    ['theres', 'there', 's'],
    ['im', 'i', 'm'],
  ])('%s is two words of the prompt', (word, first, second) => {
    expect(wordsOf(word).map(([, text]) => text)).toEqual([first, second]);
  });

  it.each(["O'Hara", "don't", "cars'", 'its', 'were'])('%s is one word', (word) => {
    expect(wordsOf(word)).toHaveLength(1);
  });

  it('are no misspelled words', () => {
    expect(readWords("we've seen what they're carrying", wordList, grammar.split).corrected).toEqual([]);
  });
});
