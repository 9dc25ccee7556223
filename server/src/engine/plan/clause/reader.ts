import type { ObjectQuery, Presumption, Range, Region, Relation } from '../schema.ts';
import { type Item, isUnknown } from '../tokens/lexer.ts';
import type { ActionSense, Compare, Preposition, Sense } from '../tokens/senses.ts';
import { actionOf, type Clause, type ClausePart, hasPart, type PartKind, withoutParts, withPart } from './syntax.ts';

/** The parser's position in one clause: the tree so far, and words that wait for what they belong to. */
export type Reader = {
  readonly items: readonly Item[];
  readonly query: string;
  clause: Clause;
  /** Modifiers of a noun that is still to come. */
  pending: Pending;
  negation: boolean;
  /** A relation whose object is still to come. */
  relation: PendingRelation | null;
  /** The verb is passive ("overtaken") and its agent is still to come. */
  passive: boolean;
  preposition: Preposition | null;
  compare: Compare | null;
  lastNoun: ObjectQuery | null;
  /** The subject is plural: "people". */
  plural: boolean;
  /** The word "together". */
  together: Item | null;
  /** Reasons why the color of some objects cannot be checked. */
  readonly fixedColors: Map<ObjectQuery, string>;
  /** The run of unknown words that the next one may continue. */
  unknownStart: number;
  unknownEnd: number;
  /** The default limit of a quantity that has no number. */
  assumed: { item: Item; reason: string } | null;
};

export type PendingRelation = { kind: Relation; fallback: ActionSense | null; item: Item; hasSubject: boolean };

type Pending = {
  count: ObjectQuery['count'] | null;
  colors: readonly string[];
  /** Where the colors are worn, if a garment has named them. */
  worn: ObjectQuery['worn'];
  state: ObjectQuery['state'];
  place: Region | null;
  start: number | null;
  /** Its first word. */
  first: Item | null;
};
export const NO_PENDING: Pending = {
  count: null,
  colors: [],
  worn: undefined,
  state: null,
  place: null,
  start: null,
  first: null,
};

export function createReader(items: readonly Item[], query: string): Reader {
  return {
    items,
    query,
    clause: { text: textOf(items, query), parts: [], unchecked: [] },
    pending: NO_PENDING,
    negation: false,
    relation: null,
    passive: false,
    preposition: null,
    compare: null,
    lastNoun: null,
    plural: false,
    together: null,
    fixedColors: new Map(),
    unknownStart: -1,
    unknownEnd: -1,
    assumed: null,
  };
}

export function put(r: Reader, part: ClausePart) {
  r.clause = withPart(r.clause, part);
}
/** Adds a part unless the clause has one of its kind. */
export function putDefault(r: Reader, part: ClausePart) {
  if (!hasPart(r.clause, part.kind)) put(r, part);
}
export function remove(r: Reader, ...kinds: readonly PartKind[]) {
  r.clause = withoutParts(r.clause, ...kinds);
}
export const setAction = (r: Reader, action: ActionSense['action']) =>
  put(r, { kind: 'verb', action: { type: 'action', action } });
export const actionNameOf = (r: Reader) => actionOf(r.clause)?.action ?? null;

/** Changes a noun wherever the tree holds it. */
export function changeNoun(r: Reader, noun: ObjectQuery, changes: Partial<ObjectQuery>): ObjectQuery {
  const changed = { ...noun, ...changes };
  const parts = r.clause.parts.map((part) => {
    if (part.kind === 'subject' && part.noun === noun) return { ...part, noun: changed };
    return part.kind === 'relation' && part.other === noun ? { ...part, other: changed } : part;
  });
  r.clause = { ...r.clause, parts };
  if (r.lastNoun === noun) r.lastNoun = changed;
  const fixed = r.fixedColors.get(noun);
  if (fixed !== undefined) r.fixedColors.set(changed, fixed);
  return changed;
}

/** Plans quote the prompt in short. */
export const excerpt = (text: string) => text.slice(0, 200);

/** A pending "not" negates the whole clause. */
export function takeNegation(r: Reader) {
  if (r.negation) put(r, { kind: 'negation' });
  r.negation = false;
}

/** Reports words that cannot be checked and without which the rest would answer another question. */
export function block(r: Reader, text: string, reason: string) {
  r.clause = { ...r.clause, unchecked: [...r.clause.unchecked, { text: excerpt(text), reason, blocks: true }] };
}

/** Reports words that cannot be checked and only narrow the question, unless they decide what was found. */
export function caveat(r: Reader, item: Item, reason: string | undefined, decides = false) {
  if (reason !== undefined) note(r, item.text, reason, decides);
}
/** Reports a word that casts no doubt on what is found in footage from a fixed camera or from a vehicle. */
export function presume(r: Reader, item: Item, presumed: Presumption, reason: string) {
  const unchecked = { text: excerpt(item.text), reason, blocks: false, presumed };
  r.clause = { ...r.clause, unchecked: [...r.clause.unchecked, unchecked] };
}
export function note(r: Reader, text: string, reason: string, decides = false) {
  if (r.clause.unchecked.some((u) => u.text === excerpt(text))) return;
  const unchecked = { text: excerpt(text), reason, blocks: false, ...(decides ? { decides } : {}) };
  r.clause = { ...r.clause, unchecked: [...r.clause.unchecked, unchecked] };
}

/** The next item that carries content. */
export function nextContent(r: Reader, from: number): Item | undefined {
  for (let i = from; i < r.items.length; i++) {
    const item = r.items[i]!;
    const isEmpty = item.senses.length > 0 && item.senses.every(({ type }) => EMPTY.has(type));
    if (!isEmpty && item.text !== '-') return item;
  }
  return undefined;
}
const EMPTY: ReadonlySet<Sense['type']> = new Set(['filler', 'question', 'join']);

export const isFiller = ({ senses }: Item) => senses.length > 0 && senses.every((s) => s.type === 'filler');

/** The words of the prompt from one position to an item; a borrowed item follows them. */
export const quote = (query: string, from: number, { start, end, text, lent }: Item) =>
  lent ? `${query.slice(from, start)} ${text}`.trim() : query.slice(from, end);

/** The words of the prompt from the first item with content to the last. */
export function textOf(items: readonly Item[], query: string): string {
  const first =
    items.find((item) => item.senses.some((s) => s.type !== 'filler' && s.type !== 'question') || isUnknown(item)) ??
    items[0];
  const last = items.at(-1);
  return first && last ? quote(query, first.start, last).trim() : '';
}

/** Intersects two open limits: "longer than 1 s but shorter than 3 s". */
export const intersect = (earlier: Range | null, { min, max }: Range): Range => ({
  min: min ?? earlier?.min ?? null,
  max: max ?? (min === null ? null : (earlier?.max ?? null)),
});
