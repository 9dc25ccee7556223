import type { Entity, Event, Nominal, Statement } from '../../../meaning/types.ts';
import { ANIMALS, VEHICLES } from './kinds.ts';

/** The other one with the verb of the main clause: "before the truck does"; null where that is no event. */
export function withVerbOf(main: Statement, other: Event): Event | null {
  const last = lastEvent(main);
  return last?.predicate ? { ...other, predicate: last.predicate } : null;
}

/**
 * "A car passes and then another", "does the dog leave before the man": the other one does the same. A noun alone is
 * there without doing it, unless it is a certain one of a kind that can.
 */
export function likewise(main: Statement, other: Statement): Statement {
  if (other.kind !== 'event' || other.predicate !== null || other.subject?.kind !== 'entity') return other;
  const last = lastEvent(main);
  const isSame = isPlainOther(other.subject) || (last !== null && isCounterpart(last, other.subject));
  return isSame ? (withVerbOf(main, other) ?? other) : other;
}

function lastEvent(main: Statement): Event | null {
  const last = main.kind === 'sequence' ? main.steps.at(-1)!.statement : main;
  return last.kind === 'event' ? last : null;
}

const isPlainOther = ({ head, modifiers }: Entity) =>
  head.type === 'pronoun' && head.other === true && modifiers.length === 0;

/** A certain object of the same kind, or any that leaves: nobody asks what is there after that. */
function isCounterpart({ subject, predicate }: Event, other: Entity): boolean {
  if (predicate?.head.type !== 'action' || other.head.type !== 'object' || other.amount || other.negation) return false;
  if (other.head.one) return true;
  if (other.determiner?.type !== 'definite') return false;
  const kind = kindOf(other);
  const isMoving = kind === 'living' || kind === 'vehicle';
  return kind === kindOf(subject) || (isMoving && GOING.has(predicate.head.word.sense.action));
}
const GOING: ReadonlySet<string> = new Set(['leaves', 'disappears']);

/** The kind of what moves by itself, or the classes of other objects. */
function kindOf(nominal: Nominal | null): string | null {
  if (nominal?.kind !== 'entity' || nominal.head.type !== 'object') return null;
  const { classes } = nominal.head.word.sense;
  if (classes.length > 0 && classes.every((name) => VEHICLES.has(name))) return 'vehicle';
  const isLiving = classes.length > 0 && classes.every((name) => name === 'person' || ANIMALS.has(name));
  return isLiving ? 'living' : classes.join();
}
