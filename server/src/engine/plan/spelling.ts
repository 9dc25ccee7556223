import { distance } from 'fastest-levenshtein';
import type { Lexicon } from './lexicon.ts';

/**
 * The known word that an unknown one most likely is, or null. Words that are correct English stay as they are ("rain" is not "train"); short
 * words stay too. One edit is allowed from 4 letters, two from 7; swapped neighbours count as one. Ties go to nobody.
 */
export function nearestWord(word: string, lexicon: Lexicon): string | null {
  const length = word.length;
  if (length < 4 || length > 24 || lexicon.isWord(word)) return null;
  const allowed = length < 7 ? 1 : 2;
  let best: string | null = null;
  let bestDistance = allowed + 1;
  let tie = false;
  const letters = new Set([word[0]!, word[1]!]);
  for (const letter of letters) {
    for (const candidate of lexicon.words.get(letter) ?? []) {
      if (candidate.length < 4 || Math.abs(candidate.length - length) > allowed) continue;
      const d = swapped(word, candidate) ? 1 : distance(word, candidate);
      // Two edits only behind the same first letter: the first letter is rarely mistyped.
      if (d > allowed || (d > 1 && candidate[0] !== word[0])) continue;
      if (d < bestDistance) {
        best = candidate;
        bestDistance = d;
        tie = false;
      } else if (d === bestDistance && candidate !== best) tie = !sameStem(candidate, best!);
    }
  }
  return tie ? null : best;
}

/** "cra" and "car": the same letters with two neighbours swapped. */
function swapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2);
}

/** "vehicle" and "vehicles": forms of one word do not make a tie. */
function sameStem(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.startsWith(short.slice(0, Math.max(3, short.length - 2)));
}
