import type {
  Action,
  CameraMove,
  CameraTarget,
  Choice,
  Direction,
  GarmentPart,
  Line,
  Quantity,
  QuestionKind,
  Region,
  Relation,
  Side,
  SignalName,
  SoundName,
  Trend,
} from '../schema.ts';

/** A meaning of a word or phrase. One phrase may have several; its neighbors decide. */
export type Sense =
  /** A noun for an object of these detector classes; for any object if there are none. */
  | {
      type: 'noun';
      classes: readonly string[];
      caveat?: string;
      /** With the caveat, what is found may be something else: a taxi is looked for as any car. */
      decides?: boolean;
      min?: number;
      negated?: boolean;
      fixedColor?: string;
      /**
       * Set for plural forms when the lexicon is built: several objects are never the vehicle that carries the
       * camera.
       */
      plural?: boolean;
      /** May stand for the vehicle that carries the camera: "the driver brakes". */
      carrier?: boolean;
      /** The reason why the word is ambiguous beside a verb of motion: a mouse. */
      ambiguous?: string;
      /** Only with somebody who rides it: a cyclist. */
      ridden?: boolean;
      /** Only people who do not ride a bicycle or motorcycle: a pedestrian. */
      afoot?: boolean;
    }
  | {
      type: 'color';
      names: readonly string[];
      caveat?: string;
      /** With the caveat, what is found may be another color. */
      decides?: boolean;
    }
  | { type: 'number'; value: number }
  /** "several", "a group of": how many of what follows. */
  | { type: 'count'; min: number; max: number | null }
  /**
   * An action of an object. `weak`: another verb takes precedence, and directions are allowed ("walks left").
   * `passive`: the subject undergoes it.
   */
  | {
      type: 'action';
      action: Action;
      weak?: boolean;
      /** In a question whether it is so, all of the time is meant: "does the car stay". */
      stays?: boolean;
      passive?: boolean;
      direction?: Direction;
      relation?: Relation;
      caveat?: string;
      /** With the caveat, another action would be found as well: "runs" as any motion. */
      decides?: boolean;
      /** Negates the action: "out of view". */
      negated?: boolean;
      /** A second action of the same phrase: "in and out". */
      or?: Action;
      /** After it came in, it leaves: "comes out". */
      exits?: boolean;
      /** Default agent. */
      by?: 'person' | 'camera';
      /** The action instead where the subject is a person, whose poses show it: nothing is left unchecked then. */
      posed?: Action;
    }
  /** "parked", "moving". */
  | { type: 'state'; state: 'stationary' | 'moving' }
  | { type: 'side'; side: Side | 'middle' }
  /** "half", "corner", "side": belongs to the side word beside it. */
  | { type: 'part'; part: 'half' | 'area' | 'edge' }
  /** A line to cross: one that halves the frame, one that was drawn, or null for one that the plan has to define. */
  | { type: 'line'; line: 'vertical' | 'horizontal' | Line | null }
  | { type: 'direction'; direction: Direction }
  /** A place in the world, which nothing recognizes. It narrows the question and does not change it. */
  | {
      type: 'setting';
      /** A noun, which may follow another: "bus station". */
      noun?: boolean;
      /** Somewhere in the scene: to enter a roundabout is not to enter the frame. */
      passed?: boolean;
      /** Something that objects lie on: it is not empty because people are there. */
      surface?: boolean;
      /** Cannot be entered: a wall. */
      solid?: boolean;
      /** A room or grounds that a camera shows as a whole: "in the room". */
      enclosed?: boolean;
      /** Motion along it is vertical in the frame. */
      steep?: boolean;
      /** Where the camera sees something: "in the distance". */
      viewed?: boolean;
      /** It was drawn in the frame: the only setting that is known. */
      zone?: Region;
    }
  /**
   * Something to wear, on the torso, the legs or both (null). `colors`: those that it always has: a safety vest is
   * yellow or orange.
   */
  | { type: 'garment'; part: GarmentPart | null; caveat?: string; colors?: readonly string[] }
  | { type: 'relation'; relation: Relation; caveat?: string; decides?: boolean }
  /** "each other": the other object is of the same kind. With a relation of its own: "side by side". */
  | { type: 'reciprocal'; relation?: Relation }
  /**
   * `when`: may limit the time of another search: "a person at night". `leads`: applies to all following clauses: "at
   * night, ...".
   */
  | {
      type: 'signal';
      signal: SignalName;
      when?: boolean;
      leads?: boolean;
      caveat?: string;
      decides?: boolean;
      /** The caveat does not apply outdoors: lamps look like daylight. */
      indoors?: boolean;
    }
  /** `makers`: of a verb, the classes of objects that make it. */
  | { type: 'sound'; sound: SoundName; caveat?: string; decides?: boolean; makers?: readonly string[] }
  /** `carrier`: the vehicle or person that carries it. */
  | { type: 'camera'; carrier?: boolean }
  | {
      type: 'camera_move';
      move: CameraMove;
      direction?: CameraTarget['direction'];
      hard?: boolean;
      caveat?: string;
      decides?: boolean;
    }
  /** `channel`: the words for a recorded number; `trend`: how it changes. */
  | {
      type: 'quantity';
      quantity: Quantity;
      min?: number;
      max?: number;
      caveat?: string;
      channel?: string;
      trend?: Trend;
    }
  | { type: 'motion'; negated?: boolean }
  | { type: 'empty'; negated?: boolean }
  | { type: 'question'; question: QuestionKind }
  /** "per minute": counted in each interval of this length. Null where the length follows: "per 10 seconds". */
  | { type: 'per'; seconds: number | null }
  /** "The whole time": it holds from the start to the end. */
  | { type: 'throughout' }
  | { type: 'compare'; compare: Compare }
  /** `counted`: includes its number ("half a minute"). */
  | { type: 'unit'; dimension: Dimension; factor: number; counted?: boolean }
  /**
   * "the first 10 seconds"; with its own length: "at the end". `from`: the start of a count: "10 seconds into the
   * video".
   */
  | { type: 'window'; window: 'first' | 'last'; seconds?: number; from?: boolean }
  /** "the first time", "the longest": which of all that is found. */
  | { type: 'pick'; pick: Choice; places?: Places }
  /** Understood but not measured; the rest is still worth searching. */
  | { type: 'vague'; reason: string /** Without it, something else may be found. */; decides?: true }
  /** Understood but not observable; without it the rest would answer another question. */
  | {
      type: 'beyond';
      reason: string /** It is something that somebody does. */;
      verb?: boolean /** A robot, or its arm: it moves where it is. */;
      robot?: true;
      /** It drives, with the camera. */
      drives?: true;
    };

/** Places in the order of a pick: "the three longest", "the second longest". */
export type Places = { readonly from: number; readonly to: number };
export type Compare = 'min' | 'max' | 'above' | 'below' | 'exact';
/** `times`: frequency, which no plan expresses. */
export type Dimension = 'time' | 'times' | 'speed' | 'acceleration' | 'angular_rate' | 'beyond';
export type SenseOf<T extends Sense['type']> = Extract<Sense, { type: T }>;
export type ActionSense = SenseOf<'action'>;

/** Inflection of an entry: nouns have plurals (last word), verbs have forms (first word). */
export type Inflection = 'none' | 'noun' | 'verb';

/** One entry of a language's data: phrases, separated by commas, that share their senses. */
export type Entry = {
  phrases: string;
  inflection: Inflection;
  senses: readonly Sense[];
  /** Part of the guide it is listed under. */
  group: Group;
  /** It is not in the guide, and no word is corrected to it. */
  isUnlisted?: true;
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
  | 'text'
  | 'lights'
  | 'quantities'
  | 'questions'
  | 'beyond'
  | 'other';

/** A language: all the data for parsing prompts. Another language is another folder that makes one of these. */
export type Language = {
  entries: readonly Entry[];
  /** All forms of a word, the one it is listed under first. */
  inflect(word: string, inflection: Inflection): string[];
  /** True if a word is correct though unknown here, so that it is not "corrected". */
  isWord(word: string): boolean;
  /** The word without endings that carry no meaning here: "dog's" is "dog". Never longer than the word. */
  trim(word: string): string;
  /** Decimal separator; the other character groups thousands. */
  decimal: '.' | ',';
  /** The word for "&". */
  and: string;
  /** Words as they are typed in messages, with the words that they stand for. */
  abbreviations?: ReadonlyMap<string, string>;
  /** Words that stand for another one before certain words: usual slips. */
  slips?: ReadonlyMap<string, { readonly is: string; readonly before: ReadonlySet<string> }>;
};
