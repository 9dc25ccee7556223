import { BETWEEN, REASONS } from '../reasons.ts';
import type { Action, ObjectQuery, Relation } from '../schema.ts';
import { DETERMINERS } from '../sentence/clause-segments.ts';
import { type Item, sense } from '../tokens/lexer.ts';
import type { Preposition } from '../tokens/senses.ts';
import { isCarryable, isPerson, isPortable, isVehicle, isWalked } from './classes.ts';
import { actionNameOf, block, note, put, type Reader, setAction } from './reader.ts';
import { actionOf, blocked, hasPart, partOf, subjectOf, withRelation, withSubject } from './syntax.ts';

/** Actions that have an object. */
const TRANSITIVE: ReadonlySet<Action> = new Set([
  'approaches',
  'passes',
  'overtakes',
  'follows',
  'close_ahead',
  'collides',
]);
const isMoved = (action: Action | null) => action === 'left_behind' || action === 'taken_away';

/** Reads a noun behind the subject: the preposition, relation or verb before it says how the two are related. */
export function takeSecondNoun(r: Reader, noun: ObjectQuery, item: Item) {
  const action = actionNameOf(r);
  const { negation: negated, preposition, relation: pending } = r;
  r.negation = false;
  r.preposition = null;
  if (blocked(r.clause)) return;
  if (r.passive) {
    r.passive = false;
    put(r, { kind: 'relation', relation: 'near', other: subjectOf(r.clause)!, negated });
    r.clause = withSubject(r.clause, noun);
    return;
  }
  if (isMoved(action) && isPerson(noun)) {
    if (!pending && preposition === null) block(r, noun.text, REASONS.interaction);
    // "Left behind by a person": a person close by is required anyway.
    r.relation = null;
    if (noun.colors.length > 0) block(r, noun.text, 'who left or took it is only known to be a person');
    return;
  }
  if (pending) {
    liesThere(r);
    relate(r, pending.kind, noun, negated);
    r.relation = null;
  } else if (negated && preposition === null && isIdentity(r, item)) block(r, noun.text, REASONS.noExclusion);
  else if (negated && preposition !== null && !EXCLUDED.has(preposition)) block(r, noun.text, REASONS.interaction);
  else if (negated) {
    const relation = (preposition && NEGATED[preposition]) ?? 'with';
    relate(r, relation, noun, negated);
  } else if (!takeVerbObject(r, noun, item, preposition) && !takePrepositionObject(r, noun, preposition))
    takePlainObject(r, noun);
}

/** "Not in a car", "not on a bench", "not wearing": the relation is negated. */
const NEGATED: Partial<Record<Preposition, Relation>> = { in: 'inside', on: 'on', at: 'near' };
const EXCLUDED: ReadonlySet<Preposition> = new Set(['in', 'on', 'at', 'wearing']);

function relate(r: Reader, relation: Relation, other: ObjectQuery, negated = false) {
  r.clause = withRelation(r.clause, { kind: 'relation', relation, other, negated });
}

/** "Carries a bag", "has a backpack", "walks a dog". */
function takeVerbObject(r: Reader, noun: ObjectQuery, item: Item, preposition: Reader['preposition']): boolean {
  const verb = actionOf(r.clause);
  if (verb?.relation) relate(r, verb.relation, noun);
  else if (preposition === null && (isOwned(r, item) || (verb?.by === 'person' && isWalked(noun))))
    relate(r, 'with', noun);
  else return false;
  return true;
}

function takePrepositionObject(r: Reader, noun: ObjectQuery, preposition: Reader['preposition']): boolean {
  const action = actionNameOf(r);
  const act = (name: Action) => {
    setAction(r, name);
    relate(r, 'near', noun);
  };
  if (preposition === 'towards' || (preposition === 'to' && actionOf(r.clause)?.weak)) act('approaches');
  else if (preposition === 'past') act('passes');
  else if (preposition === 'on') {
    liesThere(r);
    relate(r, 'on', noun);
  } else if (preposition === 'in' || preposition === 'wearing') relate(r, 'inside', noun);
  else if (preposition === 'at') relate(r, 'near', noun);
  else if (preposition === 'between') {
    relate(r, 'near', noun);
    note(r, noun.text, BETWEEN);
  } else if (isVehicle(noun) && (preposition === 'out' || action === 'leaves' || action === 'appears')) {
    act('appears');
    note(r, noun.text, REASONS.outOfVehicle);
  } else if (isVehicle(noun) && (preposition === 'into' || action === 'enters')) {
    act('disappears');
    note(r, noun.text, REASONS.intoVehicle);
  } else if (preposition === 'into' || preposition === 'out')
    block(r, noun.text, 'getting into or out of something cannot be detected');
  else return false;
  return true;
}

function takePlainObject(r: Reader, noun: ObjectQuery) {
  const subject = partOf(r.clause, 'subject')!;
  const action = actionNameOf(r);
  if (action === 'passes' && isCarryable(noun)) block(r, noun.text, 'handing something over cannot be detected');
  else if (action !== null && TRANSITIVE.has(action)) relate(r, 'near', noun);
  else if (
    (isMoved(action) || (action === 'leaves' && isPortable(noun))) &&
    subject.noun.classes.length > 0 &&
    !isPerson(subject.noun)
  )
    block(r, subject.noun.text, 'who left or took it is only known to be a person');
  else if (isMoved(action) || (action === 'leaves' && isPortable(noun))) {
    setAction(r, action === 'taken_away' ? action : 'left_behind');
    put(r, { ...subject, noun, agent: subject.noun });
  } else if (action === null) {
    // "Truck driver": the last noun is meant; the first one cannot be checked.
    block(r, subject.noun.text, REASONS.interaction);
    r.clause = withSubject(r.clause, noun);
  } else block(r, noun.text, REASONS.interaction);
}

/** "Objects that are not people" */
function isIdentity({ clause, items }: Reader, item: Item): boolean {
  const not = items.slice(0, items.indexOf(item)).findLast((before) => sense(before, 'negation'));
  const isNot = sense(not, 'negation')?.is === true || /^not\b/i.test(not?.text ?? '');
  return !hasPart(clause, 'verb') && isNot;
}

/** "A person has a backpack" */
function isOwned({ items }: Reader, item: Item): boolean {
  const before = items.slice(0, items.indexOf(item));
  const verb = before.findLast(
    (each) => sense(each, 'filler')?.owns || !each.senses.some((s) => DETERMINERS.has(s.type)),
  );
  return sense(verb, 'filler')?.owns === true;
}

/** "A bag left on a bench", "at the door": bags do not leave by themselves. */
export function liesThere(r: Reader) {
  const subject = subjectOf(r.clause);
  if (actionNameOf(r) === 'leaves' && subject && subject.classes.length > 0 && isPortable(subject))
    setAction(r, 'left_behind');
}
