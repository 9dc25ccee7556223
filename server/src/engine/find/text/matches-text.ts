import { distance } from 'fastest-levenshtein';

/** Characters that look alike, which numbers and license plates are compared without. */
const ALIKE: Record<string, string> = { O: '0', Q: '0', D: '0', I: '1', L: '1', Z: '2', S: '5', B: '8' };
/** Words from these lengths on may differ from what was read by one and by two edits. */
const ONE_EDIT = 5;
const TWO_EDITS = 9;
/** Longest word that is not looked for inside another one. */
const MAX_WHOLE_WORD = 5;

/** Letters and digits of words, in capitals, without accents. A word ends at a number: "ROOM42". */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/['’]/g, '')
    .toUpperCase()
    .replaceAll(/(?<=\p{L}{2})(?=\p{N})|(?<=\p{N})(?=\p{L}{2})/gu, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

export const hasDigit = (text: string) => /\p{N}/u.test(text);

/**
 * True if a text contains the requested words, in this order and whole: "STOP" is not in "NONSTOP". Spaces do not
 * count, because they are read less reliably than letters. Of long words one or two letters may be misread. Numbers
 * have to be equal, except for letters and digits that look alike.
 */
export function matchesText(text: string, requested: string): boolean {
  const words = wordsOf(text);
  const parts = wordsOf(requested);
  const sought = parts.join('');
  if (sought === '') return false;
  const isNumber = hasDigit(sought);
  // A whole word is never missing.
  const shortest = Math.min(...parts.map(({ length }) => length));
  const edits = isNumber || sought.length < ONE_EDIT ? 0 : Math.min(shortest - 1, sought.length < TWO_EDITS ? 1 : 2);
  const isSame = (run: string) => (isNumber ? fold(run) === fold(sought) : isClose(run, sought, edits));
  for (let from = 0; from < words.length; from++) {
    let run = '';
    for (let to = from; to < words.length && run.length < sought.length + edits; to++) {
      run += words[to];
      if (isSame(run)) return true;
    }
  }
  // "NOPARKING": spaces between words were not read.
  return !isNumber && sought.length > MAX_WHOLE_WORD && words.join('').includes(sought);
}

const isClose = (run: string, sought: string, edits: number) =>
  run === sought || (edits > 0 && Math.abs(run.length - sought.length) <= edits && distance(run, sought) <= edits);

const fold = (word: string) => Array.from(word, (letter) => ALIKE[letter] ?? letter).join('');
