import { isDeepStrictEqual } from 'node:util';
import { type Clause, isImmobile, PORTABLE } from './clause/index.ts';
import type { JoinWord } from './lexicon.ts';

/** What is said once of several: verbs, relations and places of lists, and what two are to each other. */

export type Part = {
  clause: Clause;
  join: JoinWord | 'stop' | null;
  comma: boolean;
  /** What it does, or which way, was said once for it and the part before: "a car or a truck stops". */
  isAlternative: boolean;
  /** It was said to be later: "10 seconds later". */
  isLater: boolean;
  /** Its noun was said of the part before: "two people, one on the left". */
  lent: boolean;
};
/** Gives each part what was said of it elsewhere; a part that only adds to the one before it goes into that one. */
export function shareAmong(parts: readonly Part[], query: string): Part[] {
  const shared = joinOthers(joinRelations(pairUp(parts, query), query), query);
  shareVerbs(shared);
  return shared;
}

/** "A car and a truck next to each other": the one next to the other. */
function pairUp(parts: readonly Part[], query: string): Part[] {
  const paired: Part[] = [];
  for (const part of parts) {
    const { clause } = part;
    const before = paired.at(-1);
    if (!clause.mutual || !clause.relation || part.join !== 'and' || !before || !isBare(before.clause)) {
      paired.push(part);
      continue;
    }
    const { subject, negated, text } = before.clause;
    const whole = quote(query, text, clause.text);
    const unchecked = [...before.clause.unchecked, ...clause.unchecked];
    const relation = { ...clause.relation, other: clause.subject! };
    paired.splice(-1, 1, {
      ...before,
      clause: { ...clause, text: whole, subject, relation, unchecked, negated: negated || clause.negated },
    });
  }
  return paired;
}

/** "Left of the bowl and right of the cup": how else the same thing stands. */
function joinRelations(parts: readonly Part[], query: string): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const { clause, join } = part;
    const before = joined.at(-1)?.clause;
    const isMore = clause.besideFirst && before?.subject && (join === 'and' || join === 'or') && isBare(clause);
    if (!isMore) joined.push(part);
    else {
      const { kind, text: word } = clause.besideFirst!;
      const relation = { kind, other: clause.subject!, negated: clause.negated };
      const text = quote(query, before.text, clause.text);
      Object.assign(before, timesOf(before, clause));
      const unchecked = [...before.unchecked, ...clause.unchecked.filter((u) => u.text !== word)];
      if (join === 'and' && before.relation)
        Object.assign(before, { text, unchecked, also: [...before.also, relation] });
      else if (join === 'and') Object.assign(before, { text, unchecked, relation });
      else joined.push({ ...part, isAlternative: true, clause: { ...before, text, unchecked, relation } });
    }
  }
  return joined;
}

/** "Near a car or a bus", "with a bag and a suitcase": more of what something is near to. */
function joinOthers(parts: readonly Part[], query: string): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const { clause, join, comma } = part;
    const before = joined.at(-1)?.clause;
    const tie = before?.relation;
    const isMore = tie && !before.mutual && !comma && (join === 'and' || join === 'or');
    if (!isMore || !(isBare(clause) || isCarriedIn(clause, before))) {
      joined.push(part);
      continue;
    }
    const { subject, unchecked, action } = clause;
    if (action) Object.assign(before, behaviourOf(clause));
    Object.assign(before, timesOf(before, clause));
    before.text = quote(query, before.text, clause.text);
    before.unchecked = [...before.unchecked, ...unchecked];
    const { classes, text, ...more } = subject!;
    const { classes: known, text: first, ...like } = tie.other;
    if (join === 'and' || (tie.negated && !isDeepStrictEqual(more, like)))
      before.also = [...before.also, { ...tie, other: subject! }];
    else if (isDeepStrictEqual(more, like) && classes.length > 0 && known.length > 0)
      before.relation = {
        ...tie,
        other: { ...tie.other, text: quote(query, first, text), classes: [...new Set([...known, ...classes])] },
      };
    else joined.push({ ...part, isAlternative: true, clause: { ...before, relation: { ...tie, other: subject! } } });
  }
  return joined;
}

/** "A person with a bag or a suitcase enters": bags do not. */
const isCarriedIn = (clause: Clause, before: Clause) =>
  before.relation?.kind === 'with' &&
  before.action === null &&
  clause.action !== null &&
  clause.relation === null &&
  clause.subject !== null &&
  clause.subject.classes.length > 0 &&
  clause.subject.classes.every((name) => PORTABLE.includes(name));

const behaviourOf = ({ action, direction, from, to, duration }: Clause) => ({ action, direction, from, to, duration });

/** How long and how far apart, wherever it was said. */
const timesOf = (before: Clause, { duration, within, apart }: Clause) => ({
  duration: before.duration ?? duration,
  within: before.within ?? within,
  apart: before.apart ?? apart,
});

/** The words of the prompt from one part of it to another. */
function quote(query: string, first: string, last: string): string {
  const [from, to] = [query.indexOf(first), query.lastIndexOf(last)];
  return from < 0 || to < from ? `${first}, ${last}` : query.slice(from, to + last.length);
}

/** "Cars, trucks and buses entering", "entering cars or trucks": a verb said once at either end of a list of things goes with each of them. */
function shareVerbs(parts: readonly Part[]) {
  for (const [i, { clause, join }] of parts.entries()) {
    const before = parts[i - 1]?.clause;
    if (!before?.verbFirst || (join !== 'or' && join !== 'and') || !isBare(clause)) continue;
    // "Near misses with people or cyclists": what is not seen of one is not seen of the other.
    const isSeen = clause.unchecked.every((u) => !u.blocks);
    const unseen = before.unchecked.filter((u) => isSeen && u.blocks && u.text !== before.subject?.text);
    Object.assign(clause, behaviourOf(before), { verbFirst: true, unchecked: [...clause.unchecked, ...unseen] });
  }
  for (let i = parts.length - 1; i > 0; i--) {
    const part = parts[i]!;
    const { clause, join } = part;
    const before = parts[i - 1]!.clause;
    if ((join !== 'or' && join !== 'and') || !isBare(before)) {
      // "Enters or leaves"
      part.isAlternative ||= join === 'or' && inheritsSubject(clause);
      continue;
    }
    const commaOnly = part.comma && !parts[i + 1]?.clause.both;
    const isListed = !commaOnly || parts[i + 1]?.isAlternative === true;
    const { subject, relation, duration } = clause;
    if (part.lent || subject === null || !isListed || (relation && !isShared(relation))) continue;
    if (clause.action && isImmobile(before.subject?.classes ?? []) && !isImmobile(subject.classes)) continue;
    if (clause.action !== null) Object.assign(before, behaviourOf(clause), { duration: before.duration ?? duration });
    if (relation) Object.assign(before, { relation, also: clause.also });
    if (subject.place && before.subject)
      before.subject = { ...before.subject, place: before.subject.place ?? subject.place };
    part.isAlternative ||= relation !== null || clause.action !== null || isBare(clause);
  }
}
/** "Cars and trucks near a person"; but in "a car and a person with a dog" the last has it. */
const isShared = ({ kind, negated }: NonNullable<Clause['relation']>) =>
  !negated && kind !== 'with' && kind !== 'inside' && kind !== 'on' && kind !== 'overlaps';
export const isBare = (clause: Clause) =>
  clause.subject !== null &&
  clause.action === null &&
  clause.relation === null &&
  clause.direction === null &&
  clause.from === null &&
  clause.to === null;

/** A verb without a subject: the subject of the segment before is meant. */
export function inheritsSubject(clause: Clause): boolean {
  const other =
    clause.signal ||
    clause.sound ||
    clause.camera ||
    clause.cameraMove ||
    clause.quantity ||
    clause.motion ||
    clause.empty;
  return (
    !clause.subject &&
    !other &&
    (clause.action !== null ||
      clause.direction !== null ||
      clause.pronoun ||
      clause.itAsOther !== null ||
      clause.to !== null)
  );
}
