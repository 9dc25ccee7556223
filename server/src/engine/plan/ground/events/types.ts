import type { Entity, Leaf, Modifier, Word } from '../../meaning/types.ts';
import type { Range, Step } from '../../schema.ts';
import type { Ledger } from '../ledger.ts';

/** Context of an event besides its meaning. */
export type EventContext = {
  ledger: Ledger;
  textOf(leaves: readonly Leaf[]): string;
  isYesNo: boolean;
  /** It is no question: events are looked for. */
  isStatement: boolean;
  isCount: boolean;
  /** The subject of the step before, for "it" and for verbs that follow. */
  antecedent: Entity | null;
  /** Other objects of the steps before, for "without it". */
  mentioned: readonly Entity[];
  isFirst: boolean;
  /** The prompt has no other search, which may name what a pronoun stands for. */
  isOnly: boolean;
  /** The steps before have subjects of several kinds. */
  hasKinds: boolean;
  /** The prompt has no other search. */
  isAlone: boolean;
  /** Its subject is that of the step before. */
  isSame: boolean;
  /** Somebody came in, in an earlier step. */
  hasEntered: boolean;
  /** It left then, or was not there. */
  hasLeft: boolean;
  /** The subject of a verb that names none, and may have either. */
  implied: 'object' | 'camera' | null;
};

/** A step without the words of the prompt and its place in a sequence. */
export type GroundedStep = Pick<Step, 'what' | 'negated' | 'duration'> & { throughout?: true };

/** The step itself, and what holds at the same time, of the same object or of the frame. */
export type GroundedEvent = { main: GroundedStep; meanwhile: readonly (GroundedStep & { same: boolean })[] };

/** The time of an event, and the modifiers that state something else. */
export type Timing = {
  duration: Range | null;
  throughout: Word<'throughout'> | null;
  conditions: readonly GroundedStep[];
  others: readonly Modifier[];
};
