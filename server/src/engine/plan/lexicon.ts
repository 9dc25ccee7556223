import type {
  Action,
  CameraMove,
  CameraWhat,
  Direction,
  Quantity,
  Question,
  Relation,
  Side,
  SignalName,
  SoundName,
} from './schema.ts';

/** What a word or phrase can mean. One phrase may have several senses; its neighbours decide. */
export type Sense =
  /** A thing that a detector can have a class for. No classes: any thing. */
  | { type: 'thing'; classes: readonly string[]; caveat?: string; min?: number; negated?: boolean; fixedColor?: string }
  | { type: 'color'; names: readonly string[]; caveat?: string }
  | { type: 'number'; value: number }
  /** "several", "a group of": how many of what follows. */
  | { type: 'count'; min: number; max: number | null }
  /** Something a thing does. `weak`: gives way to another verb and takes directions ("walks left"). */
  | {
      type: 'action';
      action: Action;
      weak?: boolean;
      direction?: Direction;
      relation?: Relation;
      caveat?: string;
      negated?: boolean;
    }
  /** "parked", "moving": said of a thing. */
  | { type: 'state'; state: 'stationary' | 'moving' }
  | { type: 'side'; side: Side | 'middle' }
  /** "half", "corner", "side": belongs to the side word beside it. */
  | { type: 'part'; half: boolean }
  | { type: 'direction'; direction: Direction }
  /** A place in the world that nothing here recognises. It narrows, but does not change, what is asked. */
  | { type: 'setting' }
  | { type: 'garment' }
  | { type: 'relation'; relation: Relation }
  /** "each other": the other thing is another of the same. */
  | { type: 'reciprocal' }
  | { type: 'preposition'; preposition: Preposition }
  | { type: 'join'; join: JoinWord }
  | { type: 'negation' }
  | { type: 'signal'; signal: SignalName; caveat?: string }
  | { type: 'sound'; sound: SoundName; caveat?: string }
  | { type: 'camera' }
  | { type: 'camera_move'; move: CameraMove; direction?: CameraWhat['direction']; hard?: boolean; caveat?: string }
  | { type: 'quantity'; quantity: Quantity; min?: number; max?: number; caveat?: string }
  | { type: 'motion' }
  | { type: 'empty' }
  | { type: 'question'; question: Question }
  | { type: 'compare'; compare: Compare }
  | { type: 'unit'; dimension: Dimension; factor: number }
  /** "the first 10 seconds", "the end". */
  | { type: 'window'; window: 'first' | 'last' }
  /** Carries nothing to look for: "please", "video". Light ones, articles and auxiliaries, may stand inside a phrase: "the camera is covered". */
  | { type: 'filler'; light?: boolean }
  | { type: 'pronoun' }
  /** Understood, and nothing here measures it; the rest is still worth looking for. */
  | { type: 'vague'; reason: string }
  /** Understood, and nothing here can see it; without it the rest would answer another question. */
  | { type: 'beyond'; reason: string };

export type Preposition =
  | 'from'
  | 'to'
  | 'towards'
  | 'on'
  | 'in'
  | 'at'
  | 'into'
  | 'out'
  | 'past'
  | 'across'
  | 'for'
  | 'within'
  | 'between'
  | 'wearing'
  | 'of';
export type JoinWord = 'then' | 'after' | 'before' | 'while' | 'and' | 'or' | 'but' | 'both';
export type Compare = 'min' | 'max' | 'above' | 'below' | 'exact' | 'or_more' | 'or_less';
export type Dimension = 'time' | 'speed' | 'acceleration' | 'angular_rate' | 'beyond';
type SenseOf<T extends Sense['type']> = Extract<Sense, { type: T }>;
export type ActionSense = SenseOf<'action'>;

/** How the words of an entry change: nouns have plurals (last word), verbs have forms (first word). */
export type Inflection = 'none' | 'noun' | 'verb';

/** One entry of a language's data: phrases, separated by commas, that share their senses. */
export type Entry = {
  phrases: string;
  inflection: Inflection;
  senses: readonly Sense[];
  /** Part of the guide it is listed under. */
  group: Group;
};
export type Group =
  | 'things'
  | 'colors'
  | 'counts'
  | 'actions'
  | 'places'
  | 'relations'
  | 'sequences'
  | 'signals'
  | 'camera'
  | 'sound'
  | 'quantities'
  | 'questions'
  | 'beyond'
  | 'other';

/** A language: its entries, how its words change, and which words are correct though unknown here (so that they are not "corrected"). */
export type Language = {
  entries: readonly Entry[];
  inflect(word: string, inflection: Inflection): string[];
  isWord(word: string): boolean;
};

type Node = { next: Map<string, Node>; senses: Sense[] | null };

/** The phrases of a language, ready to be matched against text. */
export type Lexicon = {
  /** The longest known phrase at `start`; articles and auxiliaries inside a phrase are passed over. */
  match(words: readonly string[], start: number): { length: number; senses: readonly Sense[] } | null;
  has(word: string): boolean;
  /** Every known single word, by first letter. */
  words: ReadonlyMap<string, readonly string[]>;
  isWord(word: string): boolean;
};

const MAX_PHRASE = 9;

/** Builds the matcher: a trie over words, so that the longest phrase is found in one walk. */
export function buildLexicon(language: Language): Lexicon {
  const root: Node = { next: new Map(), senses: null };
  const known = new Set<string>();
  const between = new Set<string>();
  for (const entry of language.entries) {
    for (const phrase of phrasesOf(entry, language)) {
      let node = root;
      const words = phrase.split(' ');
      for (const word of words) {
        known.add(word);
        let next = node.next.get(word);
        if (!next) {
          next = { next: new Map(), senses: null };
          node.next.set(word, next);
        }
        node = next;
      }
      node.senses = [...(node.senses ?? []), ...entry.senses];
      if (words.length === 1 && entry.senses.some((s) => s.type === 'filler' && s.light)) between.add(phrase);
    }
  }
  const byLetter = new Map<string, string[]>();
  for (const word of [...known].sort()) {
    const list = byLetter.get(word[0]!);
    if (list) list.push(word);
    else byLetter.set(word[0]!, [word]);
  }

  return {
    match(words, start) {
      let node = root;
      let best: { length: number; senses: Sense[] } | null = null;
      for (let i = start; i < words.length && i < start + MAX_PHRASE; i++) {
        const next = node.next.get(words[i]!);
        if (next) {
          node = next;
          if (node.senses) best = { length: i + 1 - start, senses: node.senses };
        } else if (i === start || !between.has(words[i]!)) break;
      }
      return best;
    },
    has: (word) => known.has(word),
    words: byLetter,
    isWord: language.isWord,
  };
}

/** Every form of every phrase of an entry. */
export function phrasesOf(entry: Entry, language: Pick<Language, 'inflect'>): string[] {
  return entry.phrases
    .split(',')
    .map((p) => p.trim())
    .filter((p) => p !== '')
    .flatMap((phrase) => {
      const words = phrase.split(' ');
      if (entry.inflection === 'none') return [phrase];
      const at = entry.inflection === 'verb' ? 0 : words.length - 1;
      return language
        .inflect(words[at]!, entry.inflection)
        .map((form) => words.map((w, i) => (i === at ? form : w)).join(' '));
    });
}
