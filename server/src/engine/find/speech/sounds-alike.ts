/** Spelling of English sounds, the longest first: what is written differently and sounds alike gets one letter. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:kn|gn|pn)/, 'n'],
  [/^wr/, 'r'],
  [/^ps/, 's'],
  [/mb$/, 'm'],
  [/tch|[csx]h|[ts]ion|[cs]ious/g, 'x'],
  [/ph|gh(?=$|t$)|v/g, 'f'],
  [/gh/g, ''],
  [/c(?=[eiy])|z/g, 's'],
  [/dg|j/g, 'x'],
  [/ck|qu?|c/g, 'k'],
  [/th|d/g, 't'],
  [/b/g, 'p'],
  [/g/g, 'k'],
  [/m/g, 'n'],
];

/** Fewest consonants that make a word distinctive. */
const MIN_CONSONANTS = 4;

/** Consonants of an English word as they sound; those that a listener or a recognizer hardly distinguishes are one. */
function consonantsOf(word: string): string {
  const sounds = SPELLINGS.reduce((text, [spelling, sound]) => text.replace(spelling, sound), word);
  return sounds
    .replace(/[^a-z]|(?<=.)[aeiouyhw]/g, '')
    .replace(/^[aeiouy]/, 'a')
    .replace(/(.)\1+/g, '$1');
}

/** True if two English words, or a word and two others, may be mistaken for each other by their sound. */
export function soundAlike(a: string, b: string): boolean {
  const consonants = consonantsOf(a);
  return consonants.length >= MIN_CONSONANTS && consonants === consonantsOf(b);
}
