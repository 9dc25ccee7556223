/**
 * Words of negation by the English name of their language: whole words, or parts of words after a hyphen. Languages
 * that negate by endings of verbs are not listed.
 */
const WORDS: Readonly<Record<string, string>> = {
  English: "no, not, never, nobody, none, nothing, nowhere, without, neither, nor, cannot, -n't, -n’t",
  German: 'nicht, kein, keine, keinen, keinem, keiner, keines, niemand, niemanden, nichts, nie, niemals, ohne',
  Dutch: 'niet, geen, niemand, niets, nooit, zonder',
  French: 'pas, aucun, aucune, rien, jamais, sans, ne, n',
  Spanish: 'no, nadie, nada, nunca, jamás, sin, ningún, ninguna, ninguno, tampoco',
  Italian: 'non, nessuno, nessuna, nessun, niente, nulla, mai, senza',
  Portuguese: 'não, ninguém, nada, nunca, jamais, sem, nenhum, nenhuma',
  Polish: 'nie, nikt, nikogo, nic, niczego, nigdy, bez, żaden, żadna, żadne, żadnych',
  Swedish: 'inte, ej, ingen, inga, inget, ingenting, aldrig, utan',
  Danish: 'ikke, ingen, intet, aldrig, uden',
  Norwegian: 'ikke, ingen, intet, aldri, uten',
  Finnish: 'ei, eivät, älä, kukaan, mitään, koskaan, ilman',
  Russian: 'не, нет, ни, никто, никого, ничего, никогда, без',
  Ukrainian: 'не, немає, нема, ні, ніхто, нікого, нічого, ніколи, без, нет',
  Greek: 'δεν, μην, μη, όχι, κανείς, κανένας, τίποτα, ποτέ, χωρίς',
  Chinese: '-不, -没, -沒, -无, -無',
  Japanese: '-ない, -なし, -ません, -無',
  Korean: '-없, -않, -아니',
};

const BY_LANGUAGE = new Map(
  Object.entries(WORDS).map(([language, words]) => {
    const list = words.split(', ');
    const parts = list.flatMap((word) => (word.startsWith('-') ? word.slice(1) : []));
    return [language, { words: new Set(list), parts }] as const;
  }),
);

/** True if the text contains a negation, null if the negations of its language are not listed. */
export function isNegated(text: string, language: string): boolean | null {
  const known = BY_LANGUAGE.get(language);
  if (known === undefined) return null;
  const lower = text.toLowerCase();
  if (known.parts.some((part) => lower.includes(part))) return true;
  return [...lower.matchAll(/[\p{L}\p{M}]+/gu)].some(([word]) => known.words.has(word));
}
