import {
  actionOf,
  type Clause,
  hasPart,
  partOf,
  pathOf,
  withDefault,
  withoutParts,
  withPart,
} from '../clause/index.ts';
import type { Range } from '../schema.ts';
import type { JoinedClause } from '../sentence/coordination.ts';

/** Durations, and distances in time between two clauses. */

/** A clause that only states a duration or a limit belongs to its neighbor: "a person stands, for more than 5 s". */
export function takeDurations(joined: readonly JoinedClause[]): JoinedClause[] {
  const clauses = [...joined];
  const merged = new Set<number>();
  for (let i = 1; i < clauses.length; i++) {
    const { clause } = clauses[i]!;
    // "Above 5 m/s or 2 s": an alternative, and no duration of the same.
    if (clauses[i]!.join === 'or' || hasContent(withoutParts(clause, 'duration'))) continue;
    const moved = moveTiming(clause, clauses[i - 1]!, clauses[i + 1]);
    if (!moved) continue;
    clauses[i - 1] = moved.before;
    if (moved.after) clauses[i + 1] = moved.after;
    merged.add(i);
  }
  return clauses.filter((_, i) => !merged.has(i));
}

function moveTiming(clause: Clause, before: JoinedClause, after: JoinedClause | undefined) {
  const duration = partOf(clause, 'duration');
  const gap = partOf(clause, 'gap');
  const into = (part: Parameters<typeof withPart>[1] | null) => ({
    before: part ? { ...before, clause: withDefault(before.clause, part) } : before,
    after: null,
  });
  // "A, then B, all within a minute"
  if (!duration) return into(partOf(clause, 'within'));
  // "A car stops and 2 minutes later a person appears"
  if (gap && after?.join === 'then') return { before, after: { ...after, clause: setApart(after.clause, gap.range) } };
  return hasPart(before.clause, 'duration') ? null : into(duration);
}

/**
 * "Enters 10 s before a car stops": a momentary action has no duration unless "for" is given, so the time is the
 * distance.
 */
export function takeGaps(joined: readonly JoinedClause[]): JoinedClause[] {
  return joined.map((each, i) => {
    const { clause, isLater } = each;
    const gap = partOf(clause, 'gap');
    const join = joined[i + 1]?.join;
    if (!gap || isLasting(clause) || !hasContent(withoutParts(clause, 'duration'))) return each;
    if (!(isLater || join === 'before' || join === 'after')) return each;
    return { ...each, clause: setApart(withoutParts(clause, 'duration'), gap.range) };
  });
}

function setApart(clause: Clause, { min, max }: Range): Clause {
  const cleared = withoutParts(clause, 'within', 'apart');
  const within = max === null ? cleared : withPart(cleared, { kind: 'within', seconds: max });
  return min === null ? within : withPart(within, { kind: 'apart', seconds: min });
}

/** "Stands 10 seconds before leaving" */
const isLasting = (clause: Clause) =>
  LASTING.has(actionOf(clause)?.action ?? '') || LASTING.has(partOf(clause, 'camera_move')?.move.move ?? '');
const LASTING: ReadonlySet<string> = new Set(['stands', 'loiters', 'moves', 'follows', 'still', 'forward', 'backward']);

/** True if a clause asks for anything: one without content is dropped. */
export function hasContent(clause: Clause): boolean {
  const { direction, from, to } = pathOf(clause);
  return (
    clause.unchecked.length > 0 ||
    direction !== null ||
    from !== null ||
    to !== null ||
    partOf(clause, 'pick')?.pick === 'most' ||
    clause.parts.some(({ kind }) => !EMPTY.has(kind))
  );
}
const EMPTY: ReadonlySet<string> = new Set([
  ...['pronoun', 'idle', 'negation', 'path', 'border', 'line', 'mutual', 'leading_relation', 'setting', 'pick'],
  ...['during', 'gap', 'within', 'apart', 'simultaneous', 'unsupported_verb', 'unknown_subject'],
]);
