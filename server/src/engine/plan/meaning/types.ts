import type { Calendar } from '../calendar-schema.ts';
import type { TokenSpan } from '../parse/rules.ts';
import type { ComparisonKind, Fact as FactKind, Grouping, MeasureKind, MomentKind, StatisticKind } from '../terms.ts';
import type { Dimension, Sense, SenseOf } from './senses.ts';

/**
 * The meaning of a prompt, whatever its language. Meanings are immutable, and every leaf has its place in the prompt:
 * `ground/` accounts for each of them.
 */

/** A word or phrase of the prompt. `id` distinguishes its senses. */
export type Leaf = { readonly span: TokenSpan; readonly text: string; readonly id: number };
/** A time such as "8:15", in seconds of a video; `parts`: 3 with hours. */
export type ClockLeaf = Leaf & { readonly seconds: number; readonly parts: 2 | 3 };
/** A word with what observers know of it. */
export type Word<Type extends Sense['type']> = Leaf & { readonly sense: SenseOf<Type> };
/** `halves`: of a phrase for two actions, the words of each, counted from its first one. */
export type ActionWord = Word<'action'> & { readonly halves?: readonly [TokenSpan, TokenSpan] };
/** A word that no observer knows, with the reason. */
export type UnseenWord = Leaf & {
  readonly reason: string;
  /** The vocabulary has other meanings of it, which did not fit. */
  readonly isKnown?: boolean;
  /** Its motion is the motion in the frame: a robot, or its arm. */
  readonly robot?: boolean;
  /** It drives, with the camera. */
  readonly drives?: boolean;
};

/** Words that are taken as they are. */
export type Quotation = Leaf & {
  readonly words: string;
  /** In quotation marks, or in capitals and digits. */
  readonly isExact: boolean;
  readonly isQuoted: boolean;
  /** Some of them may belong to the rest of the prompt. */
  readonly isUnsure: boolean;
};

/** An object, a place or the camera, with its description. */
export type Entity = {
  readonly kind: 'entity';
  readonly head: EntityHead;
  readonly plural: boolean;
  readonly determiner: Determiner | null;
  /** "No car". */
  readonly negation: Leaf | null;
  readonly amount: Quantifier | null;
  readonly pick: Word<'pick'> | null;
  readonly attributes: readonly EntityAttribute[];
  readonly modifiers: readonly Modifier[];
  /** Its action meanwhile: "a person carrying a bag". */
  readonly doing: Predicate | null;
};

export type EntityHead =
  /** `indefinite`: "someone", "anything". `one`: it stands for a noun, which may have been named before. */
  | { readonly type: 'object'; readonly word: Word<'noun'>; readonly indefinite: boolean; readonly one?: true }
  /** A noun for something that nobody can see: "helmet". */
  | { readonly type: 'unseen'; readonly words: readonly UnseenWord[] }
  | { readonly type: 'place'; readonly word: Word<'setting'> }
  | { readonly type: 'garment'; readonly word: Word<'garment'> }
  | { readonly type: 'camera'; readonly word: Word<'camera'> }
  | { readonly type: 'picture'; readonly word: Leaf }
  /** The lamp of a traffic light, whose color is an attribute. `isNamed`: it is called a traffic light. */
  | { readonly type: 'light'; readonly word: Leaf; readonly isNamed: boolean }
  /** Text in the frame, with what it is written on. Without a quotation, any text. */
  | {
      readonly type: 'text';
      readonly words: readonly Leaf[];
      readonly quotation: Quotation | null;
      readonly carrier: string | null;
      /** The part of it that is not checked. */
      readonly remark: { readonly about: 'sign' | 'kind' | 'name'; readonly words: readonly Leaf[] } | null;
    }
  | { readonly type: 'line'; readonly word: Word<'line'> }
  /** `person`: "he"; without it: "it". */
  | {
      readonly type: 'pronoun';
      readonly word: Leaf;
      readonly person: boolean;
      /** Some of several: "of them". */
      readonly set?: true;
      /** Another one of the kind that was named. */
      readonly other?: true;
    };

/** `other`: one that was not mentioned before. `each`: of every one by itself. */
export type Determiner = Leaf & {
  readonly type: 'definite' | 'indefinite' | 'any' | 'each' | 'other';
  /** All or most of them, in a question whether they do something. */
  readonly whole?: 'all' | 'mostly';
};

/** A number of objects, with its limits. */
export type Quantifier = {
  readonly words: readonly Leaf[];
  readonly min: number | null;
  readonly max: number | null;
  /** Read from a list of words such as "several", which further limits may replace. */
  readonly vague: boolean;
};

export type EntityAttribute =
  | { readonly type: 'color'; readonly words: readonly Word<'color'>[] }
  | { readonly type: 'state'; readonly word: Word<'state'> }
  | { readonly type: 'side'; readonly place: SidePlace }
  | { readonly type: 'vague'; readonly word: Word<'vague'> }
  | { readonly type: 'unseen'; readonly word: UnseenWord }
  | { readonly type: 'signal'; readonly word: Word<'signal'> };

/** "Left", "top right corner". */
export type SidePlace = { readonly sides: readonly Word<'side'>[]; readonly parts: readonly Word<'part'>[] };

/** An amount of time, speed or another measure, in SI units. */
export type MeasuredAmount = {
  readonly words: readonly Leaf[];
  readonly dimension: Dimension;
  readonly min: number | null;
  readonly max: number | null;
  /** Without a comparison: "10 seconds". */
  readonly bare: boolean;
  /** The unit is assumed: "were we ever below 90". */
  readonly unitless?: true;
};

/** Where a part is in relation to a place. */
export type PlaceRole = 'at' | 'for' | 'from' | 'to' | 'towards' | 'into' | 'out' | 'past' | 'across' | 'bare';

export type Modifier =
  | {
      readonly type: 'relation';
      readonly word: Word<'relation'>;
      readonly negation: Leaf | null;
      readonly other: Nominal;
    }
  /** A preposition before an object: "in a car", "on a table", "towards a person". */
  | {
      readonly type: 'role';
      readonly role: PlaceRole;
      readonly surface: Surface;
      readonly word: Leaf;
      readonly negation: Leaf | null;
      readonly other: Nominal;
    }
  /** `other`: the second of two subjects; without it, of the same kind. */
  | {
      readonly type: 'mutual';
      readonly word: Word<'reciprocal'>;
      readonly relation: Word<'relation'> | null;
      readonly other?: Entity;
    }
  | { readonly type: 'side'; readonly role: PlaceRole; readonly place: SidePlace }
  | { readonly type: 'direction'; readonly word: Word<'direction'> }
  | {
      readonly type: 'worn';
      readonly colors: readonly Word<'color'>[];
      readonly garment: Entity | null;
      readonly negation: Leaf | null;
    }
  | { readonly type: 'lasting'; readonly amount: MeasuredAmount }
  | { readonly type: 'throughout'; readonly word: Word<'throughout'> }
  | { readonly type: 'vague'; readonly word: Word<'vague'> }
  | { readonly type: 'signal'; readonly word: Word<'signal'> }
  | { readonly type: 'measure'; readonly amount: MeasuredAmount }
  | { readonly type: 'again'; readonly word: Leaf }
  /** "From the left or the right": one of them. */
  | { readonly type: 'either'; readonly members: readonly Modifier[] }
  /** "But not red ones", or another object: "except trucks". */
  | {
      readonly type: 'excluded';
      readonly words: readonly Leaf[];
      readonly attribute: EntityAttribute | null;
      readonly other: Entity | null;
      /** Further objects: "except birds and cats". */
      readonly others?: readonly Entity[];
    }
  | { readonly type: 'unseen'; readonly word: UnseenWord };

/** The surface of a preposition beside its role: in, on or at something. */
export type Surface = 'in' | 'on' | 'at' | null;

/** A statement about a subject: a verb, a state, or only its presence. */
export type Predicate = {
  readonly head: PredicateHead;
  readonly negation: Leaf | null;
  readonly object: Nominal | null;
  /** Of a passive: "by a truck". */
  readonly agent: Nominal | null;
  readonly passive: boolean;
  readonly modifiers: readonly Modifier[];
};

export type PredicateHead =
  | { readonly type: 'action'; readonly word: ActionWord }
  | { readonly type: 'camera_move'; readonly word: Word<'camera_move'> }
  | { readonly type: 'signal'; readonly word: Word<'signal'> }
  | { readonly type: 'sound'; readonly word: Word<'sound'> }
  | { readonly type: 'motion'; readonly word: Word<'motion'> }
  | { readonly type: 'quantity'; readonly word: Word<'quantity'> | null }
  | { readonly type: 'state'; readonly word: Word<'state'> }
  | { readonly type: 'color'; readonly words: readonly Word<'color'>[] }
  | { readonly type: 'empty'; readonly word: Word<'empty'> }
  /** Of a person: "has a bag". */
  | { readonly type: 'owns'; readonly word: Leaf }
  | { readonly type: 'exists' }
  | { readonly type: 'is'; readonly other: Nominal }
  | { readonly type: 'returns'; readonly word: Leaf }
  /** "Turns red"; without a color, another one. */
  | { readonly type: 'becomes'; readonly word: Leaf; readonly colors: readonly Word<'color'>[] }
  /** "Runs a red light", which is the object. */
  | { readonly type: 'runs'; readonly word: Leaf }
  /** Spoken words; without a quotation, all of them. `about`: what is talked about. */
  | {
      readonly type: 'speech';
      readonly words: readonly Leaf[];
      readonly quotation: Quotation | null;
      readonly about: boolean;
      /** "Shouts": how loud it is. */
      readonly loud: Leaf | null;
    }
  | { readonly type: 'unseen'; readonly word: UnseenWord };

export type NominalGroup = {
  readonly kind: 'group';
  readonly conjunction: Conjunction;
  readonly members: readonly Entity[];
};
/** `nor`: none of them. */
export type Conjunction = 'and' | 'or' | 'nor';
export type Nominal = Entity | NominalGroup;

export type Event = {
  readonly kind: 'event';
  readonly subject: Nominal | null;
  readonly predicate: Predicate | null;
  /** Of the whole event: "no sound". */
  readonly negation: Leaf | null;
  /** Which of the events that nobody is the subject of: "the second bang". */
  readonly pick?: Word<'pick'>;
  /** A noun names it, such as "the stop": it takes no subject from the clauses around it. */
  readonly isNamed?: true;
};

/** Events in sequence or at the same time. */
export type Sequence = {
  readonly kind: 'sequence';
  readonly steps: readonly { readonly statement: Statement; readonly link: Link | null }[];
};
/** Connection of a step with the one before. `same`: their subject is one object. */
export type Link = {
  readonly join: 'then' | 'while';
  readonly same: boolean;
  readonly within: MeasuredAmount | null;
  readonly apart: MeasuredAmount | null;
  /** Every occurrence of this step, or of the one before, counts by itself. */
  readonly every?: 'this' | 'before';
};

/** Statements that are searched one by one; `nor`: none of them holds. */
export type List = {
  readonly kind: 'list';
  readonly conjunction: Conjunction;
  readonly members: readonly Statement[];
};
/** All that happens. */
export type Anything = { readonly kind: 'anything'; readonly words: readonly Leaf[] };

/** A fact about the recording. */
export type FactStatement = { readonly kind: 'fact'; readonly words: readonly Leaf[]; readonly fact: FactKind };

export type Statement = Event | Sequence | List | Anything | FactStatement;

/**
 * A part of the video, in seconds from its start or, if negative, from its end. `unit`: in shares of its length, or by
 * the calendar.
 */
export type Window = {
  readonly words: readonly Leaf[];
  readonly from: number;
  readonly to: number | null;
  readonly unit?: 'share' | 'clock';
  readonly calendar?: Calendar;
  /** Its start or its end, whose length the prompt leaves open. */
  readonly edge?: true;
};

/** A statement with a value that is calculated from what is found for it. `during`: only then. */
export type Valued = { readonly statement: Statement; readonly window: Window | null; readonly during?: Reference };

/** Values of statements, stated or compared. */
export type Calculation = {
  readonly words: readonly Leaf[];
  readonly measure: MeasureKind | StatisticKind;
  /** The measured quantity, of statistics. */
  readonly quantity?: Word<'quantity'>;
  /** Seconds after the start, for `at_start`; negative: before it. */
  readonly offset?: number;
  readonly compare: ComparisonKind | null;
  /** Of `within`; of `difference` and `ratio`, where they are compared with numbers. */
  readonly range?: { readonly min: number | null; readonly max: number | null };
  /** Groups, whose values are stated by themselves. */
  readonly by?: Grouping;
  readonly period?: number;
  readonly rank?: { readonly order: 'most' | 'least'; readonly from: number; readonly to: number };
  /** Of `count_at`: the statement whose starts are the moments. */
  readonly at?: Statement;
  readonly values: readonly Valued[];
};

/** Times relative to events; without seconds, as long as possible. */
export type MomentsOf = {
  readonly kind: MomentKind;
  readonly seconds: number | null;
  readonly words: readonly Leaf[];
};

/** Events that limit when something else is searched for. */
export type Reference = {
  readonly statement: Statement;
  readonly pick: Word<'pick'> | null;
  readonly moments: MomentsOf | null;
};

/** A whole prompt, or one of its sentences. */
export type Query = {
  readonly question: Word<'question'> | null;
  /** A question by its form alone: "is a car there". */
  readonly isYesNo: boolean;
  /** "Which", "who", "what", and commands such as "find": all that is found answers it. */
  readonly isWhich: boolean;
  readonly statement: Statement;
  readonly window: Window | null;
  readonly per: { readonly words: readonly Leaf[]; readonly seconds: number } | null;
  readonly pick: Word<'pick'> | null;
  /** Its values are those of `statement`, which lists them. */
  readonly calculation: Calculation | null;
  /** The words of the same question before further statements: "how many enter and how many leave". */
  readonly repeats: readonly Leaf[];
  /** Times before or after what is found, instead of it. */
  readonly moments?: MomentsOf;
  /** The events during which it has to hold. */
  readonly during?: Reference;
};
