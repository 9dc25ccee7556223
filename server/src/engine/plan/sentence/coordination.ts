import { isDeepStrictEqual } from 'node:util';
import {
  actionOf,
  blocked,
  type Clause,
  hasPart,
  isImmobile,
  type PartKind,
  PORTABLE,
  partOf,
  pathOf,
  relationOf,
  relationsOf,
  subjectOf,
  withDefault,
  withPart,
  withPartsFrom,
  withRelation,
  withSubject,
} from '../clause/index.ts';
import type { JoinWord } from '../tokens/senses.ts';

/** Coordinated clauses: verbs, relations and places that are written once for several, and mutual relations. */

export type JoinedClause = {
  readonly clause: Clause;
  readonly join: JoinWord | 'stop' | null;
  readonly comma: boolean;
  /** An alternative to the clause before it: "a car or a truck stops". */
  readonly isAlternative: boolean;
  /** Written with "later": "10 seconds later". */
  readonly isLater: boolean;
  /** Its noun is borrowed from the clause before: "two people, one on the left". */
  readonly lent: boolean;
};

/**
 * Completes each clause with the parts that it shares with its neighbors; a clause that only adds to the one before
 * is merged into it.
 */
export const shareParts = (joined: readonly JoinedClause[], query: string): JoinedClause[] =>
  shareVerbsBackward(shareVerbsForward(mergeObjects(mergeRelations(pairMutual(joined, query), query), query)));

const isAndOr = ({ join }: JoinedClause) => join === 'and' || join === 'or';

/** "A car and a truck next to each other": one next to the other. */
function pairMutual(joined: readonly JoinedClause[], query: string): JoinedClause[] {
  const merged: JoinedClause[] = [];
  for (const each of joined) {
    const { clause } = each;
    const before = merged.at(-1);
    const relation = relationOf(clause);
    const subject = before && subjectOf(before.clause);
    if (!hasPart(clause, 'mutual') || !relation || each.join !== 'and' || !subject || !isBare(before.clause)) {
      merged.push(each);
      continue;
    }
    const paired: Clause = {
      text: quote(query, before.clause.text, clause.text),
      unchecked: [...before.clause.unchecked, ...clause.unchecked],
      parts: withPart(withSubject(clause, subject), { ...relation, other: subjectOf(clause)! }).parts,
    };
    const negated = hasPart(before.clause, 'negation') ? withPart(paired, { kind: 'negation' }) : paired;
    merged.splice(-1, 1, { ...before, clause: negated });
  }
  return merged;
}

/** "Left of the bowl and right of the cup": a further relation of the same subject. */
function mergeRelations(joined: readonly JoinedClause[], query: string): JoinedClause[] {
  const merged: JoinedClause[] = [];
  for (const each of joined) {
    const { clause, join } = each;
    const before = merged.at(-1);
    const leading = partOf(clause, 'leading_relation');
    if (!leading || !before || !subjectOf(before.clause) || !isAndOr(each) || !isBare(clause)) {
      merged.push(each);
      continue;
    }
    const relation = {
      kind: 'relation',
      relation: leading.relation,
      other: subjectOf(clause)!,
      negated: hasPart(clause, 'negation'),
    } as const;
    const timed = withTimesOf(before.clause, clause);
    const whole = {
      text: quote(query, timed.text, clause.text),
      unchecked: [...timed.unchecked, ...clause.unchecked.filter((u) => u.text !== leading.text)],
    };
    if (join === 'and')
      merged.splice(-1, 1, { ...before, clause: { ...timed, ...whole, parts: withRelation(timed, relation).parts } });
    else {
      merged.splice(-1, 1, { ...before, clause: timed });
      merged.push({ ...each, isAlternative: true, clause: { ...withPart(timed, relation), ...whole } });
    }
  }
  return merged;
}

/** "Near a car or a bus", "with a bag and a suitcase": more objects of one relation. */
function mergeObjects(joined: readonly JoinedClause[], query: string): JoinedClause[] {
  const merged: JoinedClause[] = [];
  for (const each of joined) {
    const { clause } = each;
    const before = merged.at(-1);
    const relation = before ? relationOf(before.clause) : null;
    // "Near a car or without a bus": not more of the same.
    const isOther = hasPart(clause, 'negation') && relation?.negated !== true;
    const isMore = relation && !isOther && !hasPart(before!.clause, 'mutual') && !each.comma && isAndOr(each);
    if (!isMore || !(isBare(clause) || isCarriedIn(clause, before!.clause))) merged.push(each);
    else merged.splice(-1, 1, ...mergeObject(before!, each, relation, query));
  }
  return merged;
}

function mergeObject(
  before: JoinedClause,
  each: JoinedClause,
  relation: NonNullable<ReturnType<typeof relationOf>>,
  query: string,
): JoinedClause[] {
  const { clause, join } = each;
  const behaved = actionOf(clause) ? withPartsFrom(before.clause, clause, ...BEHAVIOR) : before.clause;
  const merged: Clause = {
    ...withTimesOf(behaved, clause),
    text: quote(query, before.clause.text, clause.text),
    unchecked: [...before.clause.unchecked, ...clause.unchecked],
  };
  const subject = subjectOf(clause)!;
  const { classes, text, ...more } = subject;
  const { classes: known, text: first, ...like } = relation.other;
  const isAlike = isDeepStrictEqual(more, like);
  if (join === 'and' || (relation.negated && !isAlike))
    return [{ ...before, clause: withRelation(merged, { ...relation, other: subject }) }];
  if (isAlike && classes.length > 0 && known.length > 0) {
    const other = {
      ...relation.other,
      text: quote(query, first, text),
      classes: [...new Set([...known, ...classes])],
    };
    return [{ ...before, clause: withPart(merged, { ...relation, other }) }];
  }
  const alternative = withPart(merged, { ...relation, other: subject });
  return [
    { ...before, clause: merged },
    { ...each, isAlternative: true, clause: alternative },
  ];
}

/** "A person with a bag or a suitcase enters": the person enters. */
function isCarriedIn(clause: Clause, before: Clause): boolean {
  const subject = subjectOf(clause);
  return (
    relationOf(before)?.relation === 'with' &&
    !hasPart(before, 'verb') &&
    hasPart(clause, 'verb') &&
    !hasPart(clause, 'relation') &&
    subject !== null &&
    subject.classes.length > 0 &&
    subject.classes.every((name) => PORTABLE.includes(name))
  );
}

/** Parts that a verb adds to each subject if it is written once for several. */
const BEHAVIOR: readonly PartKind[] = ['verb', 'path', 'duration'];

const withTimesOf = (clause: Clause, source: Clause): Clause =>
  source.parts
    .filter(({ kind }) => kind === 'duration' || kind === 'within' || kind === 'apart')
    .reduce(withDefault, clause);

/** The words of the prompt from one part of it to another. */
function quote(query: string, first: string, last: string): string {
  const [from, to] = [query.indexOf(first), query.lastIndexOf(last)];
  return from < 0 || to < from ? `${first}, ${last}` : query.slice(from, to + last.length);
}

/** "Entering cars or trucks": a verb before the first noun of a list applies to each. */
function shareVerbsForward(joined: readonly JoinedClause[]): JoinedClause[] {
  const shared: JoinedClause[] = [];
  for (const each of joined) {
    const { clause } = each;
    const before = shared.at(-1)?.clause;
    const first = before ? partOf(before, 'subject') : null;
    if (!before || !first?.verbFirst || !isAndOr(each) || !isBare(clause)) {
      shared.push(each);
      continue;
    }
    // "Near misses with people or cyclists": a remark on one applies to the other.
    const inherited = blocked(clause) ? [] : before.unchecked.filter((u) => u.blocks && u.text !== first.noun.text);
    const behaved = withPartsFrom(clause, before, ...BEHAVIOR);
    const subject = { ...partOf(clause, 'subject')!, verbFirst: true };
    shared.push({
      ...each,
      clause: { ...withPart(behaved, subject), unchecked: [...clause.unchecked, ...inherited] },
    });
  }
  return shared;
}

/** "Cars, trucks and buses entering": a verb behind the last noun of a list applies to each. */
function shareVerbsBackward(joined: readonly JoinedClause[]): JoinedClause[] {
  const shared = [...joined];
  for (let i = shared.length - 1; i > 0; i--) {
    const each = shared[i]!;
    const { clause } = each;
    const before = shared[i - 1]!;
    if (!isAndOr(each)) continue;
    if (!isBare(before.clause)) {
      // "Enters or leaves"
      if (each.join === 'or' && inheritsSubject(clause)) shared[i] = { ...each, isAlternative: true };
      continue;
    }
    const next = shared[i + 1];
    const isListed = !each.comma || (next && hasPart(next.clause, 'simultaneous')) || next?.isAlternative === true;
    const subject = subjectOf(clause);
    const relation = relationOf(clause);
    if (each.lent || subject === null || !isListed || (relation && !isShared(relation))) continue;
    const hasVerb = hasPart(clause, 'verb');
    if (hasVerb && isImmobile(subjectOf(before.clause)?.classes ?? []) && !isImmobile(subject.classes)) continue;
    shared[i - 1] = { ...before, clause: withShared(before.clause, clause) };
    if (relation || hasVerb || isBare(clause)) shared[i] = { ...each, isAlternative: true };
  }
  return shared;
}

function withShared(before: Clause, clause: Clause): Clause {
  let shared = before;
  if (hasPart(clause, 'verb')) {
    shared = withPartsFrom(shared, clause, 'verb', 'path');
    const duration = partOf(clause, 'duration');
    if (duration) shared = withDefault(shared, duration);
  }
  if (relationsOf(clause).length > 0) shared = withPartsFrom(shared, clause, 'relation');
  const place = subjectOf(clause)?.place;
  const subject = subjectOf(shared);
  return place && subject ? withSubject(shared, { ...subject, place: subject.place ?? place }) : shared;
}

/** "Cars and trucks near a person"; but in "a car and a person with a dog" only the last one has it. */
const isShared = ({ relation, negated }: { relation: string; negated: boolean }) =>
  !negated && !['with', 'inside', 'on', 'overlaps'].includes(relation);

/** A noun and nothing that it does. */
export const isBare = (clause: Clause) => {
  const { direction, from, to } = pathOf(clause);
  return hasPart(clause, 'subject') && !hasPart(clause, 'verb', 'relation') && !direction && !from && !to;
};

/** A verb without a subject: the subject of the clause before is meant. */
export function inheritsSubject(clause: Clause): boolean {
  if (hasPart(clause, 'subject', 'unknown_subject', 'signal', 'sound', 'motion', 'empty')) return false;
  if (hasPart(clause, 'camera', 'camera_move', 'quantity')) return false;
  const { direction, to } = pathOf(clause);
  return hasPart(clause, 'verb', 'pronoun', 'pronoun_relation') || direction !== null || to !== null;
}
