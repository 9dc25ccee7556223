import type { ObjectMeasure } from '../../../operators/index.ts';
import type { Calendar, CalendarDay, DailyTimes } from '../../calendar-schema.ts';
import type { ActionSense } from '../../meaning/senses.ts';
import type {
  Calculation,
  Determiner,
  Entity,
  EntityAttribute,
  Event,
  FactStatement,
  Leaf,
  MeasuredAmount,
  Modifier,
  Nominal,
  NominalGroup,
  Predicate,
  Quantifier,
  Query,
  Quotation,
  Reference,
  SidePlace,
  Statement,
  Surface,
  UnseenWord,
  Valued,
  Window,
  Word,
} from '../../meaning/types.ts';
import type { Action, Fact as FactKind, Grouping, QuestionKind, StatisticKind, Weekday } from '../../terms.ts';
import type { Numeral, VerbForm } from './morphology.ts';

/** By how much the first of two values is greater, or the second. Without a range, the answer states it. */
export type Margin = {
  readonly compare: 'difference' | 'ratio';
  readonly range: { readonly min: number | null; readonly max: number | null } | null;
  readonly ofSecond?: true;
};

/** A value that is compared at different times, and how: whether one is greater, which of them is, or by how much. */
export type Graded = {
  readonly compare: 'more' | 'less' | 'which_most' | 'which_least' | Margin;
  readonly of: Calculation;
};

/** A verb, or another predicate, in one of its forms. */
export type VerbPhrase = { readonly form: VerbForm; readonly predicate: Predicate };
/** Several predicates of one subject. */
export type VerbPhrases = {
  readonly form: VerbForm;
  readonly join: 'and' | 'or' | 'then' | 'while';
  readonly predicates: readonly Predicate[];
};
export type Form = { readonly form: VerbForm };
type OpeningKind = 'search' | 'ask';
type Limits = { readonly min: number | null; readonly max: number | null };
/** "White ones": another of what was named. */
export type OnePhrase = { readonly attribute: EntityAttribute; readonly one: Leaf };
/** "The white one", "the second one", "the second": another object that the noun before it names. */
export type OtherOne = OnePhrase | { readonly pick: Word<'pick'> };
/** The time before and after an event: with `or` a choice, with `than` a comparison, with `and` both. */
export type EachSide = { readonly pair: readonly [Reference, Reference]; readonly link: 'or' | 'than' | 'and' };
/** One of several statements that a question compares. */
export type Alternative = Statement | OnePhrase;
/** When something is in question, by another event. `then`, `until`: with a short time between them. */
export type Circumstance = {
  readonly order: 'after' | 'before' | 'then' | 'until' | 'when' | 'while';
  readonly statement: Statement;
  readonly within?: MeasuredAmount;
  /** Its verb is that of what is in question: "before the truck does". */
  readonly isElliptic?: boolean;
  readonly word: Leaf;
};
/** A comparison of alternatives, with the verb that each of them is the subject of. */
export type Ranked = Pick<Calculation, 'words' | 'measure' | 'compare'> & { readonly verb: Predicate | null };
/** The meaning of a verb with a particle: with its object, or done to it. */
export type SeparableSense = { readonly action: Action; readonly relation?: 'with' };
type Number = { readonly number: Numeral };

/** Features of a word in the name of a recorded channel. */
export type ChannelPart = {
  /** The name may end with it: it is nothing that a camera shows. */
  readonly isHead: boolean;
  readonly isMeasure: boolean;
  readonly isPart: boolean;
  /** An object that a camera shows. */
  readonly isObject: boolean;
  readonly isMotion: boolean;
  /** It is a quantity of the vehicle by itself: "speed". */
  readonly isQuantity: boolean;
};

/** Categories of words, with their features in the lexicon. */
type Words = {
  /** `indefinite`: a pronoun, such as "someone". */
  Noun: Word<'noun'> & Number & { readonly doing?: ActionSense; readonly indefinite?: boolean };
  UnseenNoun: UnseenWord & Number;
  UnseenVerb: UnseenWord & Form;
  UnseenAdjective: UnseenWord;
  UnseenAdverb: UnseenWord;
  UnseenPhrase: UnseenWord;
  Setting: Word<'setting'> & Number;
  SettingAdverb: Word<'setting'>;
  /** The name of one that was drawn, before a sentence: "zone door: a person enters". */
  Zone: Word<'setting'> & Number;
  Garment: Word<'garment'>;
  Camera: Word<'camera'>;
  Picture: Leaf;
  Occasion: Leaf;
  Color: Word<'color'>;
  State: Word<'state'>;
  Side: Word<'side'>;
  Part: Word<'part'>;
  Line: Word<'line'>;
  Direction: Word<'direction'>;
  Vague: Word<'vague'>;
  Action: Word<'action'> & Form;
  ActionNoun: Word<'action'>;
  Move: Word<'camera_move'> & Form;
  MoveNoun: Word<'camera_move'>;
  Signal: Word<'signal'>;
  SignalVerb: Word<'signal'> & Form;
  SignalTime: Word<'signal'>;
  Sound: Word<'sound'>;
  SoundVerb: Word<'sound'> & Form;
  Motion: Word<'motion'>;
  Empty: Word<'empty'>;
  Quantity: Word<'quantity'>;
  QuantityVerb: Word<'quantity'> & Form;
  /** A noun, as part of the name of a recorded channel. */
  ChannelWord: Leaf & ChannelPart;
  /** `isNegative`: written with a sign, which only recorded values have. */
  Number: Word<'number'> & { readonly isNegative?: boolean };
  /** `parts`: 2 of "8:15", 3 of "8:15:30". */
  Clock: Leaf & { readonly seconds: number; readonly parts: 2 | 3 };
  Unit: Word<'unit'>;
  Count: Word<'count'>;
  Compare: Word<'compare'>;
  Window: Word<'window'>;
  Pick: Word<'pick'>;
  Ordinal: Word<'pick'>;
  Per: Word<'per'>;
  Throughout: Word<'throughout'>;
  Relation: Word<'relation'>;
  Reciprocal: Word<'reciprocal'>;
};

/** Words of the closed classes. */
type ClosedClasses = {
  Determiner: Determiner;
  Other: Determiner;
  Possessive: Leaf;
  /** The mark of a genitive. */
  Genitive: Leaf;
  No: Leaf;
  Not: Leaf;
  Without: Leaf;
  Nobody: Leaf;
  Be: Leaf & Form;
  BeNot: Leaf;
  Get: Leaf & Form;
  Do: Leaf;
  DoNot: Leaf;
  Have: Leaf & Form;
  HaveNot: Leaf;
  Can: Leaf;
  CanNot: Leaf;
  There: Leaf;
  Here: Leaf;
  Who: Leaf;
  Pronoun: Leaf & { readonly person: boolean; readonly plural?: true };
  /** "It is dark": stands for nothing. */
  Expletive: Leaf;
  One: Leaf;
  /** "Drops" below a limit. */
  ChannelGo: Leaf & Form;
  Return: Leaf & Form;
  Come: Leaf & Form;
  Again: Leaf;
  OrdinalSuffix: Leaf;
  /** "The second time". */
  Turn: Leaf;
  /** "A stop of 30 seconds". */
  LongStop: Event;
  /** "Occupancy": the number of people. */
  Occupancy: Leaf;
  /** Its start or its end, without a preposition: "the start versus the end". */
  Edge: Leaf & { readonly window: 'first' | 'last' };
  Total: Leaf;
  /** "The first person we meet": anybody who is seen. */
  Met: Leaf;
  /** "Did we meet": asks whether it was there. */
  SeenByUs: Leaf;
  /** "Exceeds 50 mph". */
  Exceed: Leaf & Form;
  /** "How many turns did we make". */
  Make: Leaf;
  Else: Leaf;
  Alone: Leaf;
  /** Of people that the prompt does not name. */
  OfThem: Word<'noun'>;
  /** A noun that is also something else: a cycle of work. */
  OtherNoun: Word<'noun'> & Number;
  /** A verb that a particle behind its object completes: "leaves a bag behind". */
  Separable: Leaf & Form & { readonly particles: Readonly<Record<string, SeparableSense>> };
  Particle: Leaf;
  Degree: Leaf;
  ClockUnit: Leaf & { readonly half: 'am' | 'pm' | null };
  /** "Who enters": any person. */
  Whoever: Word<'noun'>;
  IsNot: Leaf;
  DoesNot: Leaf;
  Unmanned: Word<'noun'>;
  /** "Crowded": so many are there. */
  Crowded: Word<'noun'> & Number;
  FreeOf: Leaf;
  Audible: Leaf;
  OrNot: Leaf;
  OnIt: Leaf;
  SignalState: Word<'signal'>;
  Different: Leaf;
  /** "Distinct", of what is counted: each is one. */
  Distinct: Leaf;
  And: Leaf;
  Or: Leaf;
  But: Leaf;
  Comma: Leaf;
  Stop: Leaf;
  QuestionMark: Leaf;
  Neither: Leaf;
  Nor: Leaf;
  Then: Leaf;
  After: Leaf;
  Before: Leaf;
  While: Leaf;
  Until: Leaf;
  /** "How soon". */
  HowSoon: Word<'question'>;
  /** Of time: "passes". */
  GoesBy: Leaf;
  /** Something that lasts a while: "the music". */
  Course: Statement;
  StartOf: Leaf & Form;
  EndOf: Leaf & Form;
  Within: Leaf;
  Later: Leaf;
  /** "Of that", behind a time. */
  AfterThat: Leaf;
  /** "Followed within 5 seconds by". */
  FollowedIn: Leaf;
  Between: Leaf;
  To: Leaf;
  From: Leaf;
  Of: Leaf;
  For: Leaf;
  By: Leaf;
  With: Leaf;
  In: Leaf & { readonly surface: Surface };
  Into: Leaf;
  Out: Leaf;
  Past: Leaf;
  Across: Leaf;
  Over: Leaf;
  Towards: Leaf;
  Wearing: Leaf & { readonly form: VerbForm | null };
  AtOnce: Leaf;
  OrMore: Leaf;
  OrLess: Leaf;
  Dash: Leaf;
  Begin: Leaf & Form;
  Polite: Leaf;
  /** `search`: shows what is found; `ask`: answers a question. */
  Command: Leaf & { readonly opening: OpeningKind };
  /** "I would like to", before a command. */
  Wish: Leaf;
  Recipient: Leaf;
  /** "Did we see": asks whether it is there. */
  Seen: Leaf;
  /** "Can a car be seen". */
  BeSeen: Leaf;
  BeHeard: Leaf;
  /** "You can see": it is there. */
  Sees: Leaf;
  Hears: Leaf;
  /** "Clips showing people". */
  Showing: Leaf;
  Only: Leaf;
  InVideo: Leaf;
  If: Leaf;
  WhatHappens: Leaf & { readonly question: QuestionKind };
  /** "Watch", with the video. */
  Watch: Leaf;
  /** "About", with a time. */
  Around: Leaf;
  What: Leaf;
  Which: Leaf;
  Questioned: Word<'question'>;
  Minus: Leaf;
  /** "Difference between", of two numbers. */
  DifferenceOf: Leaf;
  /** "More": the first value is greater. */
  /** Before a comparative: any difference is enough. */
  Slightly: Leaf;
  More: Leaf & { readonly compare: 'more' | 'less' };
  Busier: Leaf & { readonly compare: 'more' | 'less' };
  /** "Has a person in it". */
  InIt: Leaf;
  /** Of the video: "in it". */
  InThere: Leaf;
  /** Without cuts: "a single take". */
  Uncut: Leaf;
  /** "What do you hear". */
  WhatHeard: Leaf;
  Longer: Leaf & { readonly compare: 'more' | 'less' };
  /** "More common", "more often". */
  Usual: Leaf;
  /** "Three times", "twice". */
  Times: Leaf & { readonly times: number };
  HalfOf: Leaf;
  Fewest: Leaf;
  /** "The most", "the fewest", before what is counted. */
  CountRank: Leaf & { readonly order: 'most' | 'least' };
  BusyRank: Leaf & { readonly order: 'most' | 'least' };
  /** "Least busy". */
  LeastBusy: Leaf;
  /** "At least twice": how many times another value. */
  Multiple: Leaf & { readonly margin: Margin };
  /** "Twice as many", "two more". */
  MoreBy: Leaf & { readonly margin: Margin };
  /** "Twice as big". */
  ComparativeBy: Leaf & { readonly measure: ObjectMeasure; readonly margin: Margin };
  /** "Twice as long", "10 s longer". */
  LongerBy: Leaf & { readonly margin: Margin };
  /** "As big". */
  Equative: Leaf & { readonly measure: ObjectMeasure };
  AsLong: Leaf;
  /** "Bigger": by an operator that compares objects. */
  Comparative: Leaf & { readonly measure: ObjectMeasure; readonly compare: 'more' | 'less' };
  /** "Biggest". */
  Utmost: Leaf & { readonly measure: ObjectMeasure; readonly compare: 'more' | 'less' };
  /** "Looks", before how. */
  Seem: Leaf & Form;
  /** "Changes", of a number. */
  Vary: Leaf & Form & { readonly compare: 'changed' | 'more' | 'less' };
  Remain: Leaf & Form;
  /** "The same", of a number. */
  Constant: Leaf;
  AmountOf: Leaf;
  How: Leaf;
  WhatChanged: Leaf;
  /** "New", "gone": there at only one of two times. */
  NewThere: Leaf;
  Contrast: Leaf;
  /** "Unusual": nobody knows what is usual. */
  Remarkable: Leaf;
  Oddity: Leaf;
  Doings: Leaf;
  WhatAbout: Leaf;
  /** "Away": not in view. */
  Absent: Leaf;
  WaitTime: Leaf;
  Lose: Leaf & Form;
  Because: Leaf;
  HowFar: Leaf;
  Distance: Leaf;
  Travel: Leaf & Form;
  /** "Goes over", before a number. */
  OverNumber: Leaf & Form;
  InColor: Leaf;
  DoBase: Leaf & Form;
  Outnumber: Leaf;
  /** "A higher speed". */
  Higher: Leaf & { readonly compare: 'more' | 'less' };
  /** "Encountered": met in the video. */
  Encountered: Leaf;
  /** "Happens". */
  Occur: Leaf & Form;
  Than: Leaf;
  Same: Leaf;
  As: Leaf;
  Twice: Leaf & { readonly times: number };
  TimesWord: Leaf;
  MostOf: Leaf;
  Mostly: Leaf;
  Extreme: Leaf & { readonly statistic: StatisticKind };
  Halfway: Leaf;
  Middle: Leaf;
  /** "Early in the video". */
  Early: Leaf & { readonly window: 'first' | 'last' };
  /** "From 2:10 onwards". */
  OnFrom: Leaf;
  PartOfVideo: Leaf;
  /** "Over the whole video". */
  AllOver: Leaf;
  /** "The side of". */
  PlacePart: Leaf;
  /** "Absolutely", which changes nothing. */
  Emphasis: Leaf;
  /** "Very", which nothing measures. */
  Intensity: Leaf;
  /** "The 20 second mark". */
  Mark: Leaf;
  Except: Leaf;
  ShareWord: Leaf;
  /** "The time", "the trip": all of the video. */
  Span: Leaf;
  InPercent: Leaf;
  Average: Leaf;
  AtMost: Leaf;
  Statistic: Leaf & { readonly statistic: StatisticKind };
  HowFast: Word<'quantity'>;
  /** "Events", behind what they are. */
  EventWord: Leaf;
  HowLoud: Word<'quantity'>;
  Louder: Leaf & { readonly compare: 'more' | 'less' };
  Loudest: Leaf & { readonly statistic: StatisticKind };
  Fraction: Leaf & { readonly share: number };
  Confirm: Leaf;
  Heard: Leaf;
  Both: Leaf;
  Either: Leaf;
  During: Leaf;
  /** "In three sentences": the form of an answer in words. */
  AnswerUnit: Leaf;
  /** "Has a dog with them": says no more than the verb. */
  WithThem: Leaf;
  /** "Another one", of the kind that was named. */
  Another: Leaf;
  /** "That", of something that is seen. */
  This: Leaf;
  /** "Starts", before a participle. */
  BeginDoing: Leaf & Form;
  /** "And if so", before another question. */
  IfSo: Leaf;
  /** "Timestamps". */
  TimesNoun: Leaf;
  OneOfThem: Leaf;
  /** "Any of", before several that are known. */
  PartOf: Leaf & { readonly of: 'any' | 'some' | 'one' | 'none' | 'both' | 'all' | 'most' };
  /** "Those", of which some are meant. */
  Them: Leaf;
  First: Leaf;
  All: Leaf;
  BeforeThat: Leaf;
  ColorOf: Word<'question'>;
  /** "Time", "total time", before what is timed. */
  Duration: Word<'question'>;
  /** "The longest period of silence". */
  Stretch: Leaf;
  /** "People count". */
  Tally: Leaf;
  ShotNoun: Word<'signal'> & Number;
  /** "Length", of a shot. */
  LengthNoun: Leaf;
  /** "Stops", of a sound. */
  Cease: Leaf;
  /** "Around", with an event. */
  AroundEvent: Leaf;
  /** "Class", "color", which objects are grouped by. */
  GroupNoun: Leaf & { readonly by: Grouping };
  /** "Breakdown of". */
  Breakdown: Leaf;
  /** "Modal split", of all road users. */
  RoadMix: Word<'noun'> & Number;
  /** "Most often", "longest". */
  MostBy: Leaf & { readonly measure: 'count' | 'length' };
  /** Any sound, or any object. */
  SoundKind: Word<'sound'>;
  ThingKind: Word<'noun'> & Number;
  WhatKind: Leaf;
  IsHeard: Leaf;
  /** "Bins", of time. */
  Bin: Leaf;
  Among: Leaf;
  /** "Top", before the number of a ranking. */
  Top: Leaf;
  /** "Ranked", before or behind what is put in an order. */
  Sorted: Leaf;
  /** "Duration", which items are put in order by. */
  RankNoun: Word<'pick'>;
  /** A noun for an action: "arrival". */
  Deed: Word<'action'>;
  /** "The time", at which something happens. */
  Moment: Leaf;
  /** "The direction", in which something moves. */
  Way: Leaf;
  /** "In total". */
  InAll: Leaf;
  /** "Shows people": in the frame. */
  Shows: Leaf;
  Adverb: Leaf;
};

/** Words for days and times of day. */
type CalendarWords = {
  /** "Today", "this week"; `times`: "last night". */
  NamedDays: Leaf & { readonly day: CalendarDay; readonly times: DailyTimes | null };
  /** `before`: not today. */
  WeekdayName: Leaf & { readonly day: Weekday; readonly before?: boolean };
  WeekdayGroup: Leaf & { readonly days: readonly Weekday[]; readonly many: boolean };
  DayPart: Leaf & { readonly times: DailyTimes };
  MonthName: Leaf & { readonly month: number };
  ClockName: Leaf & { readonly seconds: number };
  Since: Leaf;
  Ago: Leaf;
  DayUnit: Leaf & { readonly unit: 'day' | 'week' };
};

/** A time of day; `lengthS`: an hour, if no minute is named. `isHalf`: it may be of the other half of the day. */
type ClockPoint = {
  readonly words: readonly Leaf[];
  readonly seconds: number;
  readonly lengthS: number;
  readonly isHalf: boolean;
};
type ClockRange = {
  readonly words: readonly Leaf[];
  readonly kind: 'at' | 'around' | 'after' | 'before' | 'between';
  readonly from: ClockPoint;
  readonly to: ClockPoint | null;
};

/** Words for a recording and for facts about it. */
type RecordingWords = {
  Media: Leaf;
  This: Leaf;
  FactNoun: Leaf & { readonly fact: FactKind };
  /** "How big", with the video. */
  FactHow: Leaf & { readonly fact: FactKind };
  /** Parts of a video that are counted: "frames". */
  FactUnit: Leaf & { readonly fact: FactKind };
  FormatWord: Leaf & { readonly fact: FactKind };
  /** `isTrack`: a word for the track, and not for what is heard. */
  Audio: Leaf & { readonly isTrack: boolean };
  DateWord: Leaf;
  Device: Leaf;
  Filmer: Leaf;
  Record: Leaf & Form;
  Encoded: Leaf;
  Start: Leaf & Form;
  Last: Leaf & Form;
  Use: Leaf & Form;
};

/** Words around a request, which say nothing of what is requested. */
type RequestWords = {
  /** "So", "hello", "quick question". */
  Opener: Leaf;
  /** "Maybe", "just", between other words around a request. */
  Softener: Leaf;
  /** "If any", behind a request. */
  Aside: Leaf;
  /** Verbs for what is requested that are also nouns: "flag". */
  Retrieve: Leaf;
  /** Details that every answer has: "with times". */
  Reply: Leaf;
  YesOrNo: Leaf;
  /** First words of a sentence about the one who asks, or about the recording. */
  Context: Leaf;
};

/** Words for traffic lights and what happens at them. */
type LightWords = {
  /** `isNamed`: a traffic light; otherwise any light, which is one beside a color. */
  Lamp: Leaf & { readonly isNamed: boolean };
  Become: Leaf & Form;
  /** "Gets", before a comparative. */
  Grow: Leaf & Form;
  Stay: Leaf & Form;
  ChangeColor: Leaf & Form;
  Run: Leaf & Form;
};

/** Words for what is written and what is spoken. */
type QuotedWords = {
  /** Words of any kind, beside those that introduce them. */
  Quotation: Quotation;
  Say: Leaf & Form;
  Read: Leaf & Form;
  Call: Leaf & Form;
  TalkAbout: Leaf & Form;
  Mentioned: Leaf & Form;
  Said: Leaf;
  SaidAbout: Leaf;
  SayAbout: Leaf & Form;
  WordNoun: Leaf;
  /** "Mention of". */
  Mention: Leaf;
  TextNoun: Leaf;
  AnyText: Leaf;
  /** A surface with text on it. */
  Carrier: Leaf;
  Plate: Leaf;
  /** Of a sign that is named by its words: "exit sign". */
  SignName: Leaf;
  Sign: Leaf;
  ShowText: Leaf & Form;
  Written: Leaf;
  ReadOut: Leaf;
  /** A word that text of its kind contains: "the error message". */
  TextKind: Leaf;
  NameWord: Leaf;
  NamedPlace: Leaf;
  Transcript: Leaf;
  Transcribe: Leaf;
};

/** Phrases, with the meanings that rules build. */
type Phrases = {
  Nominal: Entity;
  NounPhrase: Entity;
  NounPhrases: NominalGroup;
  Subject: Nominal;
  Colors: readonly Word<'color'>[];
  Attribute: EntityAttribute;
  Amount: Quantifier;
  Limit: Quantifier;
  Measure: MeasuredAmount;
  /** "Our speed". */
  QuantityPhrase: Word<'quantity'>;
  /** "Motor temperature". */
  ChannelName: Leaf & ChannelPart & { readonly name: string };
  Channel: Word<'quantity'> & { readonly isMeasure: boolean; readonly isPart: boolean };
  /** "Below 20 %", "above 4000". */
  ChannelLimit: MeasuredAmount;
  /** "60 degrees", "4000". */
  ChannelBare: MeasuredAmount;
  SidePhrase: SidePlace;
  /** "The left or the right". */
  Sides: readonly SidePlace[];
  /** Of a verb. */
  Modifier: Modifier;
  /** Of a noun or a verb. */
  Complement: Modifier;
  /** "Between 10 and 20 seconds". */
  TimeRange: MeasuredAmount;
  Time: { readonly words: readonly Leaf[]; readonly seconds: number };
  VerbHead: VerbPhrase;
  VerbPhrase: VerbPhrase;
  Predication: VerbPhrase;
  VerbPhrases: VerbPhrases;
  /** "Within 5 seconds", "in the next 5 seconds". */
  Deadline: MeasuredAmount;
  /** "And then", before a deadline. */
  Onward: Leaf;
  /** Of a clause, before it. */
  Fronted: Modifier;
  Clause: Statement;
  /** "After the car leaves". */
  Circumstance: Circumstance;
  /** Of the frame, before a word for the video: "blurry or shaking". */
  Shown: Statement;
  /** "One on the left", of several. */
  OneOf: { readonly word: Leaf; readonly attribute: EntityAttribute | null; readonly modifier: Modifier | null };
  /** "Both a bus and a truck". */
  Together: Statement;
  Inverted: Statement;
  Statement: Statement;
  WindowPhrase: Window;
  OnePhrase: OnePhrase;
  OtherOne: OtherOne;
  Alternatives: readonly Alternative[];
  WhichOf: { readonly word: Leaf; readonly noun: Entity | null };
  Ranked: Ranked;
  Pair: readonly Valued[];
  /** "Largest", "fastest": of objects. */
  Superlative: Word<'pick'>;
  /** "From the left", behind an ordinal: a place in an order across the picture. */
  FromSide: Word<'pick'>;
  /** "On the far left". */
  Outermost: Word<'pick'>;
  /** "The three longest": places in an order. */
  Ranking: Word<'pick'>;
  /** Something that happens, with or without its subject: "the second stop". */
  EventPhrase: { readonly statement: Statement; readonly pick: Word<'pick'> | null };
  /** "In the second shot", "between the first and second bang". */
  Timing: Reference;
  /** "Before the bang or after it". */
  EachSide: EachSide;
  /** "After the bang". */
  AfterEvent: Reference;
  /** "By class". */
  GroupBy: { readonly by: Grouping; readonly words: readonly Leaf[] };
  /** "Minute", "10 seconds". */
  Period: { readonly seconds: number; readonly words: readonly Leaf[] };
  /** "Is visible for the longest". */
  /** "Lasts", "is visible": no more than that it is there. */
  IsThere: { readonly words: readonly Leaf[]; readonly sense: 'seen' | 'heard' | null };
  MostVerb: {
    readonly measure: 'count' | 'length';
    readonly sense: 'seen' | 'heard' | null;
    readonly words: readonly Leaf[];
  };
  /** "Object class". */
  KindOf: { readonly statement: Statement; readonly words: readonly Leaf[] };
  /** "By duration": the order. */
  RankBy: Word<'pick'>;
  ShareOf: Leaf;
  /** "More than half of the time", as a share. */
  ShareLimit: { readonly words: readonly Leaf[] } & Limits;
  /** "More than twice". */
  ClockTime: ClockPoint;
  /** A time of day beside a day: "10". */
  HourPoint: ClockPoint;
  ClockPhrase: ClockRange;
  HourPhrase: ClockRange;
  Day: { readonly words: readonly Leaf[]; readonly day: CalendarDay };
  Date: { readonly words: readonly Leaf[]; readonly day: CalendarDay };
  DayPhrase: { readonly words: readonly Leaf[]; readonly calendar: Calendar };
  Occurrences: { readonly words: readonly Leaf[] } & Limits;
  Measured: { readonly statistic: ClosedClasses['Statistic'] | null; readonly quantity: Word<'quantity'> };
  Opening: { readonly opening: OpeningKind };
  /** "The moments", "every time"; `bare`: without a determiner. */
  Occasions: { readonly bare: boolean; readonly many: boolean; readonly lasting?: MeasuredAmount };
  /** "The arrival of a truck". */
  DeedOf: Statement;
  /** "Is it louder", without the times at which it is compared. */
  Graded: Graded;
  /** "Does it get louder". */
  Growth: Graded;
  LoudestMoment: ClosedClasses['Loudest'];
  /** A noun for what happens, without a subject: "an accident". */
  EventNoun: Event;
  PickedEvent: Event;
  /** "Gets crowded". */
  CrowdVerb: Form & { readonly word: Categories['Crowded'] };
  /** A number that a question asks for, or that of several that are named. */
  Value: Calculation;
  /** A question without a question word: "average number of cars". */
  Sought: Query;
  /** "The number of cars". */
  CountOf: { readonly statement: Statement; readonly word: Leaf };
  /** Two parts of the video: "between the start and the end". */
  Spanned: { readonly from: Window; readonly to: Window };
  /** A day, or a part of the video, by its name. */
  TimePart: Window;
  Striking: readonly Leaf[];
  /** "The video". */
  Recording: readonly Leaf[];
  /** "It", where only the video can be meant. */
  RecordingOrIt: readonly Leaf[];
  LampPhrase: Entity;
  Quoted: { readonly words: readonly Leaf[]; readonly quotation: Quotation };
  /** Quoted words that are certain to be, with where they stand: "STOP on it". */
  Inscription: { readonly words: readonly Leaf[]; readonly quotation: Quotation };
  /** Text, or what it is written on. */
  TextSource: { readonly words: readonly Leaf[]; readonly carrier: string | null };
  /** Carriers of text: "the blue sign"; with other objects: "the truck". */
  TextBearer: TextBearer;
  TextSurface: TextBearer;
  FactPhrase: FactStatement;
  Format: FactStatement;
  AudioPhrase: readonly (Leaf & { readonly isTrack?: boolean })[];
  /** "With the timestamps", "yes or no". */
  AnswerForm: Leaf & { readonly asks: 'when' | 'where' | 'how_long' | 'count' | null };
  /** "In at most three sentences". */
  AnswerLength: readonly Leaf[];
  Question: Query;
  Utterance: Query;
};

type TextBearer = { readonly words: readonly Leaf[]; readonly carrier: string };

/** The categories of the grammar of English with their meanings. */
export type Categories = Words &
  ClosedClasses &
  CalendarWords &
  RequestWords &
  RecordingWords &
  QuotedWords &
  LightWords &
  Phrases;
export type Category = keyof Categories;

/** Categories of words that say nothing by themselves. All others have to be in the meaning of their prompt. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set<
  keyof ClosedClasses | keyof RequestWords | keyof CalendarWords | 'Picture' | 'Occasion' | 'Stay'
>([
  'Encountered',
  'Occur',
  'Distinct',
  'OnFrom',
  'PartOfVideo',
  'AllOver',
  'Emphasis',
  'Opener',
  'Softener',
  'Aside',
  'Retrieve',
  'Reply',
  'YesOrNo',
  'Picture',
  'Occasion',
  'Possessive',
  'Genitive',
  'Determiner',
  'Be',
  'Get',
  'Do',
  'Have',
  'Can',
  'There',
  'Here',
  'Who',
  'And',
  'Or',
  'But',
  'Comma',
  'Stop',
  'QuestionMark',
  'Nor',
  'Then',
  'After',
  'Before',
  'While',
  'Until',
  'StartOf',
  'Within',
  'Later',
  'AfterThat',
  'FollowedIn',
  'Between',
  'To',
  'From',
  'Of',
  'For',
  'By',
  'With',
  'In',
  'Into',
  'Out',
  'Past',
  'Across',
  'Over',
  'Towards',
  'Wearing',
  'AtOnce',
  'Dash',
  'Polite',
  'Command',
  'Wish',
  'Recipient',
  'Sees',
  'BeSeen',
  'BeHeard',
  'Hears',
  'Showing',
  'Seen',
  'Only',
  'InVideo',
  'If',
  'What',
  'Which',
  'Begin',
  'OrdinalSuffix',
  'Expletive',
  'Turn',
  'Adverb',
  'Than',
  'As',
  'TimesWord',
  'Mark',
  'One',
  'Span',
  'Confirm',
  'Heard',
  'Both',
  'Either',
  'During',
  'First',
  'PartOf',
  'BeginDoing',
  'This',
  'IfSo',
  'All',
  'BeforeThat',
  'Met',
  'WithThem',
  'SeenByUs',
  'Make',
  'Exceed',
  'How',
  'Stretch',
  'InAll',
  'InIt',
  'InThere',
  'Shows',
  'Particle',
  'IsNot',
  'DoesNot',
  'Audible',
  'OrNot',
  'OnIt',
  'Stay',
]);
