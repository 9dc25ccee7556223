import type {
  Action,
  CameraMove,
  CameraWhat,
  Choice,
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
  | {
      type: 'thing';
      classes: readonly string[];
      caveat?: string;
      min?: number;
      negated?: boolean;
      fixedColor?: string;
      /** Set for plural forms when the lexicon is built: several things are never the vehicle that carries the camera. */
      plural?: boolean;
      /** May stand for the vehicle that carries the camera: "the driver brakes". */
      carrier?: boolean;
      /** Only with somebody who rides it: a cyclist. */
      ridden?: boolean;
    }
  | { type: 'color'; names: readonly string[]; caveat?: string }
  | { type: 'number'; value: number }
  /** "several", "a group of": how many of what follows. */
  | { type: 'count'; min: number; max: number | null }
  /** Something a thing does. `weak`: gives way to another verb and takes directions ("walks left"). `passive`: it is done to the subject. */
  | {
      type: 'action';
      action: Action;
      weak?: boolean;
      passive?: boolean;
      direction?: Direction;
      relation?: Relation;
      caveat?: string;
      /** The opposite of what the words say: "out of view". */
      negated?: boolean;
      /** What else it may be: "in and out". */
      or?: Action;
      /** Who does it when nobody is named. */
      by?: 'person' | 'camera';
    }
  /** "parked", "moving": said of a thing. `yet`: before what goes on it says that it does ("still there"). */
  | { type: 'state'; state: 'stationary' | 'moving'; yet?: true }
  | { type: 'side'; side: Side | 'middle' }
  /** "half", "corner", "side": belongs to the side word beside it. */
  | { type: 'part'; part: 'half' | 'area' | 'edge' }
  /** A line that may be crossed: one that halves the picture, or one that nobody drew. */
  | { type: 'line'; line: 'vertical' | 'horizontal' | null }
  | { type: 'direction'; direction: Direction }
  /** A place in the world that nothing here recognises. It narrows, but does not change, what is asked. */
  | {
      type: 'setting';
      /** A noun, which may follow another: "bus station". */
      noun?: boolean;
      /** One goes up and down it, in the picture too. */
      steep?: boolean;
    }
  | { type: 'garment' }
  | { type: 'relation'; relation: Relation; caveat?: string }
  /** "each other": the other thing is another of the same. With a relation of its own: "side by side". */
  | { type: 'reciprocal'; relation?: Relation }
  | { type: 'preposition'; preposition: Preposition }
  | { type: 'join'; join: JoinWord }
  /** `without`: of a thing, not of a verb. `is`: of what something is: "are not people". */
  | { type: 'negation'; without?: boolean; is?: boolean }
  /** `when`: may tell when something else is so: "a person at night". `leads`: of all that follows it: "at night, ...". */
  | { type: 'signal'; signal: SignalName; when?: boolean; leads?: boolean; caveat?: string }
  | { type: 'sound'; sound: SoundName; caveat?: string }
  | { type: 'camera' }
  | { type: 'camera_move'; move: CameraMove; direction?: CameraWhat['direction']; hard?: boolean; caveat?: string }
  | { type: 'quantity'; quantity: Quantity; min?: number; max?: number; caveat?: string }
  | { type: 'motion'; negated?: boolean }
  | { type: 'empty'; negated?: boolean }
  | { type: 'question'; question: Question }
  /** "per minute": counted in each stretch of so many seconds. Null where the stretch is still to be said: "per 10 seconds". */
  | { type: 'per'; seconds: number | null }
  /** "on average": told with every answer that has one. */
  | { type: 'average' }
  | { type: 'compare'; compare: Compare }
  /** `counted`: it says its own number ("half a minute"). */
  | { type: 'unit'; dimension: Dimension; factor: number; counted?: boolean }
  /** "pm": the number before it is a time of day. */
  | { type: 'clock' }
  /** "the first 10 seconds"; with a length of its own: "at the end". `from`: it is counted from there: "10 seconds into the video". */
  | { type: 'window'; window: 'first' | 'last'; seconds?: number; from?: boolean }
  /** "the first time", "the longest": which of all that is found. */
  | { type: 'pick'; pick: Choice }
  /** Carries nothing to look for: "please", "video". Light ones, articles and auxiliaries, may stand inside a phrase: "the camera is covered". */
  | {
      type: 'filler';
      light?: boolean;
      /** What "a" stands before is a thing, not this video. */
      article?: 'definite' | 'indefinite';
      /** "watch": alone it may be a thing. */
      noun?: boolean;
      /** "has": between two things, what one has with it. */
      owns?: boolean;
    }
  | { type: 'pronoun' }
  /** Understood, and nothing here measures it; the rest is still worth looking for. */
  | { type: 'vague'; reason: string }
  /** Understood, and nothing here can see it; without it the rest would answer another question. */
  | { type: 'beyond'; reason: string /** It is something that somebody does. */; verb?: boolean };

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
/** `times`: how often, which is not counted in a prompt. */
export type Dimension = 'time' | 'times' | 'speed' | 'acceleration' | 'angular_rate' | 'beyond';
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

/** A language: everything that reading a prompt needs to know of it. A second one is another folder that makes one of these. */
export type Language = {
  entries: readonly Entry[];
  /** All forms of a word, the one it is listed under first. */
  inflect(word: string, inflection: Inflection): string[];
  /** Whether a word is correct though unknown here, so that it is not "corrected". */
  isWord(word: string): boolean;
  /** What is left of a word without endings that say nothing here: "dog's" is "dog". Never longer than the word. */
  trim(word: string): string;
  /** What stands before the fraction of a number; the other one groups thousands. */
  decimal: '.' | ',';
  /** What "&" stands for. */
  and: string;
};

type Node = { next: Map<string, Node>; senses: Sense[] | null };

/** The phrases of a language, ready to be matched against text. */
export type Lexicon = {
  /** The longest known phrase at `start`; articles and auxiliaries inside a phrase are passed over. */
  match(words: readonly string[], start: number): { length: number; senses: readonly Sense[] } | null;
  has(word: string): boolean;
  /** Every known single word, by first letter. */
  words: ReadonlyMap<string, readonly string[]>;
  /** Whether a word is written in the letters of this language. */
  isSpelt(word: string): boolean;
} & Omit<Language, 'entries' | 'inflect'>;

export const MAX_PHRASE = 9;

/** Builds the matcher: a trie over words, so that the longest phrase is found in one walk. */
export function buildLexicon(language: Language): Lexicon {
  const root: Node = { next: new Map(), senses: null };
  const known = new Set<string>();
  const between = new Set<string>();
  for (const entry of language.entries) {
    const plural = entry.inflection === 'noun' ? pluralSenses(entry.senses) : entry.senses;
    const singular = new Set(entry.phrases.split(',').map((p) => p.trim()));
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
      node.senses = [...(node.senses ?? []), ...(singular.has(phrase) ? entry.senses : plural)];
      if (words.length === 1 && entry.senses.some((s) => s.type === 'filler' && s.light)) between.add(phrase);
    }
  }
  const letters = new Set([...known].join(''));
  const byLetter = new Map<string, string[]>();
  for (const word of [...known].sort()) {
    const list = byLetter.get(word[0]!);
    if (list) list.push(word);
    else byLetter.set(word[0]!, [word]);
  }

  return {
    match(words, start) {
      let best: { length: number; senses: Sense[] } | null = null;
      walk(root, start);
      return best;

      /** The phrase itself, and the phrase with an article of the text passed over: few words, so few ways. */
      function walk(node: Node, i: number) {
        const word = words[i];
        if (word === undefined || i >= start + MAX_PHRASE) return;
        const next = node.next.get(word);
        if (next) {
          if (next.senses && i + 1 - start > (best?.length ?? 0)) best = { length: i + 1 - start, senses: next.senses };
          walk(next, i + 1);
        }
        if (i > start && between.has(word)) walk(node, i + 1);
      }
    },
    has: (word) => known.has(word),
    words: byLetter,
    isSpelt: (word) => [...word].every((letter) => letters.has(letter)),
    isWord: language.isWord,
    trim: language.trim,
    decimal: language.decimal,
    and: language.and,
  };
}

const pluralSenses = (senses: readonly Sense[]): Sense[] =>
  senses.map((s) => (s.type === 'thing' ? { ...s, plural: true } : s));

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
