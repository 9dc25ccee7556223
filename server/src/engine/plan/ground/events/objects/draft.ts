import type { Entity, Leaf, Nominal, Predicate, PredicateHead } from '../../../meaning/types.ts';
import type { Action, ObjectQuery, ObjectTarget, Relation } from '../../../schema.ts';
import type { Path } from '../../actions.ts';
import type { Ledger } from '../../ledger.ts';
import type { GroundedObject } from '../../objects.ts';
import type { EventContext } from '../types.ts';

/** An object and its action while its words are read. */
export type ObjectDraft = {
  readonly grounded: GroundedObject;
  readonly entity: Entity | null;
  readonly predicate: Predicate | null;
  readonly head: PredicateHead | null;
  readonly context: EventContext;
  readonly ledger: Ledger;
  readonly relations: RelationDraft[];
  readonly path: Path;
  /** "Somebody", who drives if they do something to the vehicle with the camera. */
  readonly isSomebody: boolean;
  /** Somebody in a vehicle, which crashes. */
  readonly isDriver: boolean;
  subject: ObjectQuery;
  action: Action;
  negated: boolean;
  region: ObjectTarget['region'];
  line: ObjectTarget['line'];
  /** A part of it cannot be searched. */
  isUnknown: boolean;
  /** The negation of its verb excludes some of them. */
  isExcluded: boolean;
  /** It is related to others of its kind. */
  isSelf: boolean;
};

type RelationDraft = { kind: Relation; other: ObjectQuery; negated: boolean };

/** The camera as it is, without a description. */
export const isNamed = ({ modifiers, attributes, doing, amount, negation }: Entity) =>
  modifiers.length + attributes.length === 0 && !doing && !amount && !negation;

/** A verb in an active form: "forgets", not "unattended". */
export const isActive = (word: Leaf) =>
  'form' in word && word.form !== 'participle' && word.form !== 'adjective' && word.form !== 'base';

/** The word that names an object. */
export function leafOf(nominal: Nominal): Leaf {
  const entityOf = nominal.kind === 'group' ? nominal.members[0]! : nominal;
  return 'words' in entityOf.head ? entityOf.head.words[0]! : entityOf.head.word;
}
