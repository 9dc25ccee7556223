import type {
  Choice,
  Direction,
  Line,
  ObjectQuery,
  Quantity,
  Range,
  Region,
  Relation,
  Side,
  Unchecked,
} from '../schema.ts';
import type { ActionSense, SenseOf } from '../tokens/senses.ts';

/**
 * The syntax tree of one clause: its constructions, each at most once except `relation`. Trees are immutable;
 * the functions below return changed copies.
 */
export type Clause = {
  /** The words of the prompt. */
  readonly text: string;
  readonly parts: readonly ClausePart[];
  /** Words that nothing can check, with the reason. */
  readonly unchecked: readonly Unchecked[];
};

export type ClausePart = Readonly<
  | SubjectPart
  /** "it", "they" as the subject; `person`: "he", "she". */
  | { kind: 'pronoun'; person?: true }
  /** "touches it": a relation to an object named in an earlier clause. */
  | { kind: 'pronoun_relation'; relation: Relation; negated: boolean }
  | { kind: 'verb'; action: ActionSense }
  /** The subject is there and does not do it: "a person who does not move". */
  | { kind: 'idle' }
  /** The whole clause is negated: "no person enters". */
  | { kind: 'negation' }
  /** Direction of motion, and the frame edges at its start and end. */
  | { kind: 'path'; direction: Direction | null; from: Side | null; to: Side | null }
  /** The border that is entered, left or crossed, if it is not that of the whole frame. */
  | { kind: 'border'; region: Region }
  | { kind: 'line'; line: Line }
  | RelationPart
  /** The relation is to another of the same kind: "next to each other". */
  | { kind: 'mutual' }
  /** The clause begins with the relation of an object named earlier: "right of the cup". */
  | { kind: 'leading_relation'; relation: Relation; text: string }
  | { kind: 'place'; region: Region }
  /** A place in the world, which nothing recognizes: "at the gate". */
  | { kind: 'setting'; surface: boolean }
  /** "What happens": everything notable. */
  | { kind: 'open' }
  | { kind: 'pick'; pick: Choice }
  /** `vehicle`: "the car", read as the vehicle that carries it. */
  | { kind: 'camera'; vehicle?: true }
  | { kind: 'camera_move'; move: SenseOf<'camera_move'> }
  | { kind: 'signal'; signal: SenseOf<'signal'> }
  /** A signal that limits when the rest counts: "at night". */
  | { kind: 'during'; signal: SenseOf<'signal'> }
  | { kind: 'sound'; sound: SenseOf<'sound'> }
  | { kind: 'motion' }
  | { kind: 'empty' }
  | { kind: 'quantity'; quantity: Quantity; range: Range | null }
  | { kind: 'duration'; range: Range }
  /** The duration read as a distance in time: "10 seconds after". A bare number is approximate. */
  | { kind: 'gap'; range: Range }
  /** It holds from the start to the end: "the whole time". */
  | { kind: 'throughout'; text: string }
  | { kind: 'within'; seconds: number }
  | { kind: 'apart'; seconds: number }
  /** "at the same time": belongs to the clause before it. */
  | { kind: 'simultaneous' }
  /** A verb that is understood and that no observer detects. */
  | { kind: 'unsupported_verb' }
  /** The clause has a subject of its own that is not known: "a robot arm moves". */
  | { kind: 'unknown_subject' }
>;

export type SubjectPart = {
  kind: 'subject';
  noun: ObjectQuery;
  /** Definite or generic ("the car", "vehicle"): may mean the vehicle that carries the camera. */
  plain: boolean;
  /** "The car": a certain one. */
  definite: boolean;
  /** The verb precedes it: "entering cars and trucks". */
  verbFirst: boolean;
  /** The agent of a passive action: "someone leaves a bag". */
  agent: ObjectQuery | null;
};
export type RelationPart = { kind: 'relation'; relation: Relation; other: ObjectQuery; negated: boolean };
export type PartKind = ClausePart['kind'];
export type PartOf<K extends PartKind> = Extract<ClausePart, { kind: K }>;

export function partOf<K extends PartKind>(clause: Clause, kind: K): PartOf<K> | null {
  return (clause.parts.find((part) => part.kind === kind) as PartOf<K> | undefined) ?? null;
}

export const hasPart = (clause: Clause, ...kinds: readonly PartKind[]): boolean =>
  clause.parts.some((part) => kinds.includes(part.kind));

/** Adds a part, in place of one of the same kind. */
export function withPart(clause: Clause, part: ClausePart): Clause {
  const at = clause.parts.findIndex(({ kind }) => kind === part.kind);
  return { ...clause, parts: at < 0 ? [...clause.parts, part] : clause.parts.with(at, part) };
}

/** Adds a part unless there is one of its kind. */
export const withDefault = (clause: Clause, part: ClausePart): Clause =>
  hasPart(clause, part.kind) ? clause : withPart(clause, part);

export const withoutParts = (clause: Clause, ...kinds: readonly PartKind[]): Clause => ({
  ...clause,
  parts: clause.parts.filter((part) => !kinds.includes(part.kind)),
});

/** Copies the parts of these kinds from another clause; kinds that it lacks are removed. */
export const withPartsFrom = (clause: Clause, source: Clause, ...kinds: readonly PartKind[]): Clause => ({
  ...clause,
  parts: [
    ...clause.parts.filter((part) => !kinds.includes(part.kind)),
    ...source.parts.filter((part) => kinds.includes(part.kind)),
  ],
});

export const subjectOf = (clause: Clause): ObjectQuery | null => partOf(clause, 'subject')?.noun ?? null;
export const actionOf = (clause: Clause): ActionSense | null => partOf(clause, 'verb')?.action ?? null;
export const placeOf = (clause: Clause): Region | null => partOf(clause, 'place')?.region ?? null;
export const relationsOf = (clause: Clause): readonly RelationPart[] =>
  clause.parts.filter((part) => part.kind === 'relation');
export const relationOf = (clause: Clause): RelationPart | null => partOf(clause, 'relation');

const NO_PATH: PartOf<'path'> = { kind: 'path', direction: null, from: null, to: null };
export const pathOf = (clause: Clause): PartOf<'path'> => partOf(clause, 'path') ?? NO_PATH;
export const withPath = (clause: Clause, path: Partial<Omit<PartOf<'path'>, 'kind'>>): Clause =>
  withPart(clause, { ...pathOf(clause), ...path });

/** Replaces the subject's noun and keeps the rest of the construction. */
export const withSubject = (clause: Clause, noun: ObjectQuery): Clause =>
  withPart(clause, {
    kind: 'subject',
    plain: false,
    definite: false,
    verbFirst: false,
    agent: null,
    ...partOf(clause, 'subject'),
    noun,
  });

/** Adds a further relation of the same subject. */
export const withRelation = (clause: Clause, relation: RelationPart): Clause => ({
  ...clause,
  parts: [...clause.parts, relation],
});

export const blocked = (clause: Clause): boolean => clause.unchecked.some(({ blocks }) => blocks);
