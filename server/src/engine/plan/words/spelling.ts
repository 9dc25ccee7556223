import { distance } from 'fastest-levenshtein';
import type { WordList } from './word-list.ts';

/**
 * Known words that an unknown one may be a misspelling of: one if it is clear, several of the same distance, or none.
 * Correct words of the language are never changed ("rain" is not "train"). One edit is allowed from 6 letters, two
 * from 7; swapped neighbors count as one. Shorter words only allow typical slips, since one letter makes another
 * word ("Audi" is not "audio", "Lada" not "lady").
 */
export function nearestWords(word: string, list: WordList): string[] {
  const length = word.length;
  if (length === 3 && !list.isWord(word)) return swaps(word).filter(list.has).slice(0, 1);
  if (length < 4 || length > 24 || list.isWord(word) || !list.isSpelled(word)) return [];
  // A skateboarder is no skateboard.
  if (length > 7 && list.has(word.slice(0, -2))) return [];
  const single = word.replace(/(.)\1/u, '$1');
  if (single.length === 3 && list.has(single)) return [single];
  const allowed = length < 7 ? 1 : 2;
  let best: string[] = [];
  let bestDistance = allowed + 1;
  const letters = new Set([word[0]!, word[1]!]);
  for (const letter of letters) {
    for (const candidate of list.words.get(letter) ?? []) {
      if (candidate.length < 4 || Math.abs(candidate.length - length) > allowed) continue;
      const d = swapped(word, candidate) ? 1 : distance(word, candidate);
      if (Math.min(length, candidate.length) < 6 && !(d === 1 && isSlip(word, candidate))) continue;
      // Two edits only behind the same first letter: the first letter is rarely mistyped.
      if (d > allowed || (d > 1 && candidate[0] !== word[0])) continue;
      if (d < bestDistance) {
        best = [candidate];
        bestDistance = d;
      } else if (d === bestDistance && !best.some((b) => isSame(candidate, b, list))) best.push(candidate);
    }
  }
  // "Vehical" is rather a vehicle than vertical.
  const named = best.filter(list.hasContent);
  return named.length > 0 ? named : best;
}

/** Swapped neighbors, a letter doubled or not ("truk", "carrs"), or from four letters one missing inside ("camra"). */
const isSlip = (word: string, candidate: string) =>
  swapped(word, candidate) ||
  undoubled(word) === undoubled(candidate) ||
  (word.length > 3 && candidate.length > word.length && candidate.at(-1) === word.at(-1));

const undoubled = (word: string) => word.replace(/(.)\1|ck/gu, (pair) => pair.at(-1)!);

const swaps = ([a, b, c]: string) => [`${b}${a}${c}`, `${a}${c}${b}`];

/** "cra" and "car": the same letters with two neighbors swapped. */
function swapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2);
}

/** "vehicle" and "vehicles", "stopping" and "stopped": forms of one word, or words for the same, do not make a tie. */
const isSame = (a: string, b: string, list: WordList): boolean =>
  a.startsWith(b) || b.startsWith(a) || list.isSame(a, b);
