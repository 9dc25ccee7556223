import { REASONS } from '../reasons.ts';
import type { ObjectQuery } from '../schema.ts';
import { isPerson, isPortable } from './classes.ts';
import { takeOneself, takeReciprocal } from './nouns.ts';
import {
  block,
  caveat,
  changeNoun,
  excerpt,
  note,
  put,
  type Reader,
  remove,
  setAction,
  takeNegation,
} from './reader.ts';
import { actionOf, blocked, type Clause, hasPart, partOf, relationOf, subjectOf, withSubject } from './syntax.ts';
import { takeAction } from './verbs.ts';

/** Any object at all. */
export const ANYTHING: ObjectQuery = {
  text: 'anything',
  classes: [],
  colors: [],
  count: { min: 1, max: null },
  state: null,
  place: null,
};

/** Gives every pending word its place once the clause has ended. */
export function finishClause(r: Reader): Clause {
  takeNegation(r);
  takeTogether(r);
  takeDuring(r);
  if (partOf(r.clause, 'pick')?.pick === 'most' && hasPart(r.clause, 'duration')) {
    remove(r, 'duration');
    note(r, r.clause.text, 'the maximum is found for a moment, not for an interval');
  }
  if (r.assumed) caveat(r, r.assumed.item, r.assumed.reason);
  takeMotionParticle(r);
  takePendingRelation(r);
  const subject = subjectOf(r.clause);
  // "A cyclist is overtaken": by anything.
  if (r.passive && subject) {
    put(r, { kind: 'relation', relation: 'near', other: subject, negated: false });
    r.clause = withSubject(r.clause, { ...ANYTHING });
  }
  takePendingModifiers(r);
  return r.clause;
}

/** "At night" limits the times of another search in the same clause. */
function takeDuring(r: Reader) {
  const signal = partOf(r.clause, 'signal')?.signal;
  const action = actionOf(r.clause);
  const isPredicate = action !== null && action.action !== 'present';
  if (!signal?.when || !(hasPart(r.clause, 'subject', 'sound', 'motion', 'camera_move') || isPredicate)) return;
  put(r, { kind: 'during', signal });
  remove(r, 'signal');
}

const INTO_FRAME = REASONS.intoFrame;

/** "Walks in", "drives into the picture", "carries a bag out": no place follows. */
function takeMotionParticle(r: Reader) {
  const action = actionOf(r.clause);
  const isMotion = action?.action === 'moves' || (action?.relation === 'with' && hasPart(r.clause, 'relation'));
  if (!action?.weak || !isMotion) return;
  const subject = subjectOf(r.clause);
  const isObject = subject !== null && subject.classes.length > 0 && isPortable(subject);
  // "The ball goes in": into a goal, perhaps.
  if (isObject && r.preposition !== null && !hasPart(r.clause, 'relation')) note(r, subject.text, INTO_FRAME, true);
  if (r.preposition === 'in' || r.preposition === 'into') setAction(r, 'enters');
  if (r.preposition === 'out') setAction(r, 'leaves');
}

function takePendingRelation(r: Reader) {
  const { relation } = r;
  if (!relation) return;
  const { fallback } = relation;
  const hasRelation = hasPart(r.clause, 'relation');
  const isTransitive = fallback?.relation && (fallback.relation === 'with' || !fallback.weak);
  if (relation.hasSubject && isTransitive && !hasRelation) takeOneself(r, relation);
  else if (fallback && !hasRelation) takeAction(r, { ...fallback, relation: undefined }, relation.item);
  // "Leaves a bag behind"
  else if (actionOf(r.clause)?.action !== 'left_behind' && hasPart(r.clause, 'subject') && !isSettled(r.clause))
    caveat(r, relation.item, 'no second object was named');
}

function takePendingModifiers(r: Reader) {
  const { colors, count, state, place, first } = r.pending;
  // Colors or places without a noun: any object.
  if (!hasPart(r.clause, 'subject') && !hasOtherHead(r.clause) && colors.length > 0)
    r.clause = withSubject(r.clause, {
      text: excerpt(r.clause.text),
      classes: [],
      colors: [...new Set(colors)].slice(0, 20),
      count: count ?? { min: 1, max: null },
      state,
      place,
    });
  // "A person alone", "people, at least 3"
  else if (count && r.lastNoun) {
    // "How long was the dog alone": without people, perhaps.
    const isAlone = first !== null && ALONE.test(first.text) && !isPerson(r.lastNoun);
    if (isAlone) caveat(r, first, 'read as one of its kind; whether others are there is not checked', true);
    changeNoun(r, r.lastNoun, { count });
  } else if (count && first && hasPart(r.clause, 'camera', 'camera_move'))
    block(r, first.text, 'a number needs a unit here, as in "over 100 km/h"');
  else if (first && (colors.length > 0 || state || !hasPart(r.clause, 'quantity')))
    caveat(r, first, REASONS.onlyObjects);
}

/**
 * "People standing together": near each other. With one object it means at the same time: "a person and a dog
 * together".
 */
function takeTogether(r: Reader) {
  const { together } = r;
  if (!together || !r.plural || relationOf(r.clause) || isSettled(r.clause)) return;
  remove(r, 'simultaneous');
  r.relation = { kind: 'near', fallback: null, item: together, hasSubject: hasPart(r.clause, 'subject') };
  takeReciprocal(r, together);
}

const ALONE = /^(?:alone|lonely|by (?:it|him|her)self|on its own)$/i;

const hasOtherHead = (clause: Clause) =>
  hasPart(clause, 'signal', 'sound', 'camera_move', 'quantity', 'motion', 'camera', 'empty');

/** The clause has another head, or is blocked: a relation without an object changes nothing. */
const isSettled = (clause: Clause) => hasOtherHead(clause) || blocked(clause);
