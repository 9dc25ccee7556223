import { lazy } from '../lazy.ts';
import { inflectEnglish } from './inflect.ts';
import { RELATED_WORDS } from './related-words.generated.ts';

type PartOfSpeech = 'noun' | 'verb';

/** A word of the vocabulary that can stand for a phrase, in the same form. */
export type RelatedWord = {
  word: string;
  /** False if it means more than the phrase: any dog is not a whippet. */
  isSame: boolean;
};

type Relation = { part: PartOfSpeech; head: string; isSame: boolean };
type Table = ReadonlyMap<string, readonly Relation[]>;

/** Most words in a phrase of the table. */
export const MOST_RELATED_WORDS = 4;

/** Words of the vocabulary that mean what a phrase means, or that include it: "whippets" are "dogs". */
export function findRelatedWords(phrase: string): RelatedWord[] {
  const words = phrase.toLowerCase().split(' ');
  const table = getTable();
  const found = new Map<string, RelatedWord>();
  for (const part of ['noun', 'verb'] as const) {
    const at = part === 'noun' ? words.length - 1 : 0;
    for (const lemma of lemmasOf(words[at]!)) {
      const form = inflectEnglish(lemma, part).indexOf(words[at]!);
      if (form < 0) continue;
      for (const { head, isSame, ...relation } of table.get(words.with(at, lemma).join(' ')) ?? []) {
        if (relation.part !== part) continue;
        const word = inflectHead(head, part, form);
        if (!found.get(word)?.isSame) found.set(word, { word, isSame });
      }
    }
  }
  return [...found.values()];
}

/** A head in the form with this number: plural, past, … */
function inflectHead(head: string, part: PartOfSpeech, form: number): string {
  const words = head.split(' ');
  const at = part === 'noun' ? words.length - 1 : 0;
  const forms = inflectEnglish(words[at]!, part);
  return words.with(at, forms[Math.min(form, forms.length - 1)]!).join(' ');
}

/** Candidates for the lemma of a word, by its regular endings; `inflectEnglish` decides. */
function lemmasOf(word: string): Set<string> {
  const stems = [
    word,
    ...['s', 'es', 'ed', 'd', 'ing'].flatMap((end) => (word.endsWith(end) ? word.slice(0, -end.length) : [])),
  ];
  return new Set(
    stems
      .filter((stem) => stem.length > 1)
      .flatMap((stem) => [
        stem,
        ...(stem === word ? [] : [`${stem}e`]),
        ...(stem.endsWith('i') ? [`${stem.slice(0, -1)}y`] : []),
        ...(stem.at(-1) === stem.at(-2) ? [stem.slice(0, -1)] : []),
        ...(word.endsWith('ying') ? [`${word.slice(0, -4)}ie`] : []),
      ]),
  );
}

const getTable = lazy((): Table => {
  const relations = new Map<string, Relation[]>();
  for (const part of ['noun', 'verb'] as const)
    for (const { head, same, kinds } of RELATED_WORDS[part])
      for (const [list, isSame] of [
        [same, true],
        [kinds, false],
      ] as const)
        for (const phrase of list.split(/,\s+/)) {
          const own = relations.get(phrase);
          const relation = { part, head, isSame };
          if (own) own.push(relation);
          else relations.set(phrase, [relation]);
        }
  return relations;
});
