import { type Item, isUnknown } from '../items.ts';
import type { ActionSense, Compare, Preposition, Sense } from '../lexicon.ts';
import type { Choice, Direction, Line, Quantity, Range, Region, Relation, Side, Thing, Unchecked } from '../schema.ts';

export type SenseOf<T extends Sense['type']> = Extract<Sense, { type: T }>;

type Tie = { kind: Relation; other: Thing; negated: boolean };

/** What one segment of a prompt says, before it is tied to its neighbours. */
export type Clause = {
  text: string;
  subject: Thing | null;
  /** Who did it to the subject: "someone leaves a bag". */
  doer: Thing | null;
  /** The subject is definite or generic ("the car", "vehicle"), so that it may mean the one that carries the camera. */
  plainSubject: boolean;
  pronoun: boolean;
  action: ActionSense | null;
  /** It was said before the subject: "entering cars and trucks". */
  verbFirst: boolean;
  direction: Direction | null;
  from: Side | null;
  to: Side | null;
  relation: Tie | null;
  /** It begins with how something stands to the subject: "right of the cup". */
  besideFirst: { kind: Relation; text: string } | null;
  /** Further relations of the same thing. */
  also: Tie[];
  /** The relation is to each other. */
  mutual: boolean;
  /** "touches it": the other thing was named before. */
  itAsOther: Omit<Tie, 'other'> | null;
  /** "What happens": everything notable. */
  open: boolean;
  pick: Choice | null;
  camera: boolean;
  cameraMove: SenseOf<'camera_move'> | null;
  signal: SenseOf<'signal'> | null;
  /** Only while the picture is so: "at night". */
  during: SenseOf<'signal'> | null;
  sound: SenseOf<'sound'> | null;
  motion: boolean;
  empty: boolean;
  quantity: Quantity | null;
  range: Range | null;
  place: Region | null;
  /** A place in the world was named. */
  setting: boolean;
  /** What is entered, left or crossed, when it is not the whole picture. */
  region: Region | null;
  line: Line | null;
  negated: boolean;
  /** The subject is there and does not do it. */
  idle: boolean;
  duration: Range | null;
  /** The same as a distance in time, where it may be one: "10 seconds after". Bare numbers are about so long. */
  gap: Range | null;
  within: number | null;
  apart: number | null;
  both: boolean;
  /** Somebody does something that nothing here sees. */
  deed: boolean;
  unchecked: Unchecked[];
};

/** Where the reading of a segment stands: the clause so far, and the words that wait for what they belong to. */
export type Reader = {
  readonly items: readonly Item[];
  readonly query: string;
  readonly clause: Clause;
  /** What was said of a thing that is still to come. */
  pending: Pending;
  negation: boolean;
  /** `of`: the subject that was named before it. */
  relation: { kind: Relation; fallback: ActionSense | null; item: Item; of: Thing | null } | null;
  /** The subject had the verb done to it ("overtaken"), and who did it is not named yet. */
  passive: boolean;
  preposition: Preposition | null;
  compare: Compare | null;
  lastThing: Thing | null;
  /** The subject is several: "people". */
  plural: boolean;
  /** The word that says so of what they do: "together". */
  together: Item | null;
  /** Why nothing can be said of the colour of some of the things. */
  readonly fixedColors: Map<Thing, string>;
  /** The span of unknown words that may go on. */
  unknownStart: number;
  unknownEnd: number;
  /** What a quantity means when no number is said. */
  assumed: { item: Item; reason: string } | null;
};

export function createReader(items: readonly Item[], query: string): Reader {
  return {
    items,
    query,
    clause: emptyClause(textOf(items, query)),
    pending: nothingPending(),
    negation: false,
    relation: null,
    passive: false,
    preposition: null,
    compare: null,
    lastThing: null,
    plural: false,
    together: null,
    fixedColors: new Map(),
    unknownStart: -1,
    unknownEnd: -1,
    assumed: null,
  };
}

type Pending = {
  count: Thing['count'] | null;
  colors: string[];
  state: Thing['state'];
  place: Region | null;
  start: number | null;
  /** The first word of it. */
  said: Item | null;
};
export const nothingPending = (): Pending => ({
  count: null,
  colors: [],
  state: null,
  place: null,
  start: null,
  said: null,
});

/** Plans quote the prompt, they do not repeat it. */
export const excerpt = (text: string) => text.slice(0, 200);

/** A "not" that was waiting: it is the whole step that is negated. */
export function takeNegation(r: Reader) {
  if (r.negation) r.clause.negated = true;
  r.negation = false;
}

/** Notes what cannot be checked and would make the rest answer another question. */
export function block(r: Reader, text: string, reason: string) {
  r.clause.unchecked.push({ text: excerpt(text), reason, blocks: true });
}

/** Notes what cannot be checked and only narrows what is asked. */
export function caveat(r: Reader, item: Item, reason: string | undefined) {
  if (reason !== undefined) note(r, item.text, reason);
}
export function note(r: Reader, text: string, reason: string) {
  if (!r.clause.unchecked.some((u) => u.text === excerpt(text)))
    r.clause.unchecked.push({ text: excerpt(text), reason, blocks: false });
}

/** The next item that says something. */
export function significant(r: Reader, from: number): Item | undefined {
  for (let i = from; i < r.items.length; i++) {
    const item = r.items[i]!;
    const skip =
      item.senses.length > 0 &&
      item.senses.every((s) => s.type === 'filler' || s.type === 'question' || s.type === 'join');
    if (!skip && item.text !== '-') return item;
  }
  return undefined;
}

/** The words of the prompt from one place to an item; one that was said elsewhere stands behind them. */
export const quote = (query: string, from: number, { start, end, text, lent }: Item) =>
  lent ? `${query.slice(from, start)} ${text}`.trim() : query.slice(from, end);

/** The words of the prompt from the first item that says something to the last. */
export function textOf(items: readonly Item[], query: string): string {
  const first =
    items.find((item) => item.senses.some((s) => s.type !== 'filler' && s.type !== 'question') || isUnknown(item)) ??
    items[0];
  const last = items.at(-1);
  return first && last ? quote(query, first.start, last).trim() : '';
}

function emptyClause(text: string): Clause {
  return {
    text,
    subject: null,
    doer: null,
    plainSubject: false,
    pronoun: false,
    action: null,
    verbFirst: false,
    direction: null,
    from: null,
    to: null,
    relation: null,
    besideFirst: null,
    also: [],
    mutual: false,
    itAsOther: null,
    open: false,
    pick: null,
    camera: false,
    cameraMove: null,
    signal: null,
    during: null,
    sound: null,
    motion: false,
    empty: false,
    quantity: null,
    range: null,
    place: null,
    setting: false,
    region: null,
    line: null,
    negated: false,
    idle: false,
    duration: null,
    gap: null,
    within: null,
    apart: null,
    both: false,
    deed: false,
    unchecked: [],
  };
}
