import type { SplitWord } from '../../words/read-words.ts';

/**
 * Short forms at the end of a word, with the words that they stand for: "us" in "let's". A genitive has the same form
 * as "is".
 */
const CLITICS: ReadonlyMap<string, readonly string[]> = new Map([
  ["'s", ['is', 'has', 'us']],
  ["'re", ['are']],
  ["'m", ['am']],
  ["'ve", ['have']],
  ["'d", ['would', 'had']],
  ["'ll", ['will']],
]);

/** Contractions without their apostrophe that are no other words, by the length of their first word. */
const CLOSED_UP: ReadonlyMap<string, number> = new Map(
  Object.entries({
    im: 1,
    ive: 1,
    hes: 2,
    shes: 3,
    weve: 2,
    youre: 3,
    youve: 3,
    theyre: 4,
    theyve: 4,
    theres: 5,
    heres: 4,
    thats: 4,
    whats: 4,
    whos: 3,
    wheres: 5,
    whens: 4,
    hows: 3,
  }),
);

/** Divides a contraction: "there's", "theres". */
export const splitContraction: SplitWord = (word) => {
  const closed = CLOSED_UP.get(word);
  if (closed !== undefined) return { at: closed, clitic: `'${word.slice(closed)}` };
  const at = word.indexOf("'", 1);
  const clitic = word.slice(at);
  return at > 0 && CLITICS.has(clitic) ? { at, clitic } : null;
};

/** The words that a clitic may stand for. */
export const fullWordsOf = (word: string): readonly string[] | undefined => CLITICS.get(word);

/** A phrase with its contractions written out: "what is" for "what's". */
export const writeOut = (phrase: string): string => phrase.split(' ').map(writeOutWord).join(' ');

function writeOutWord(word: string): string {
  const parts = splitContraction(word);
  return parts ? `${word.slice(0, parts.at)} ${CLITICS.get(parts.clitic)![0]!}` : word;
}
