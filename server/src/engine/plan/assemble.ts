import { type Clause, readClause } from './clause/index.ts';
import type { Item } from './items.ts';
import type { JoinWord } from './lexicon.ts';
import type { Search, Step } from './schema.ts';
import { cutSegments, type Segment } from './segments.ts';
import { stepOf } from './step.ts';

type Part = { clause: Clause; join: JoinWord | 'stop' | null; comma: boolean };
const MAX_STEPS = 20;
const MAX_SEARCHES = 100;

/** Ties the segments of a prompt together: what is asked for one by one, what in sequence, and who does what when it is said only once. */
export function assemble(items: readonly Item[], query: string): Search[] {
  const parts = unfoldLeading(cutSegments(items)).map(
    (segment): Part => ({ clause: readClause(segment.items, query), join: segment.join, comma: segment.comma }),
  );
  const said = parts.filter((part) => saysSomething(part.clause));
  shareVerbs(said);
  const searches: Step[][] = [];
  let previous: Clause | null = null;
  for (const { clause, join } of said) {
    const inherits = previous !== null && inheritsSubject(clause) && previous.subject !== null;
    if (inherits) clause.subject = previous!.subject;
    const step = stepOf(clause);
    if (clause.within !== null) step.within = clause.within;
    const steps = searches.at(-1);
    if (!steps || steps.length >= MAX_STEPS) searches.push([step]);
    else tie(searches, steps, step, join, inherits, clause.both || (previous?.both ?? false));
    previous = clause;
  }
  return searches.slice(0, MAX_SEARCHES).map((steps) => ({ text: textOf(steps, query), steps: carryWithin(steps) }));
}

function tie(searches: Step[][], steps: Step[], step: Step, join: Part['join'], inherits: boolean, both: boolean) {
  const last = steps.at(-1)!;
  if (join === 'then' || join === 'before') steps.push({ ...step, join: 'then', same: inherits });
  else if (join === 'after') {
    // "A after B": B comes first.
    steps.splice(
      -1,
      1,
      { ...step, join: last.join, same: last.same, within: last.within ?? null },
      {
        ...last,
        join: 'then',
        within: step.within ?? last.within,
        same: inherits,
      },
    );
  } else if (join === 'while' || join === 'but' || both) steps.push({ ...step, join: 'while', same: inherits });
  else if (join === 'and' && inherits) steps.push({ ...step, join: 'then', same: true });
  else searches.push([step]);
}

/** "After a car stops, a person appears": turned into "a car stops, then a person appears". */
function unfoldLeading(segments: Segment[]): Segment[] {
  const [first, second, third, ...rest] = segments;
  if (!first || first.items.length > 0 || !second) return segments;
  const word = second.join;
  if (!third?.comma || (word !== 'after' && word !== 'before' && word !== 'while'))
    return [{ ...second, join: null }, ...segments.slice(2)];
  if (word === 'before') return [{ ...third, join: null }, { ...second, join: 'then' }, ...rest];
  return [{ ...second, join: null }, { ...third, join: word === 'after' ? 'then' : 'while' }, ...rest];
}

function saysSomething(clause: Clause): boolean {
  return (
    clause.subject !== null ||
    clause.action !== null ||
    clause.camera ||
    clause.cameraMove !== null ||
    clause.signal !== null ||
    clause.sound !== null ||
    clause.motion ||
    clause.empty ||
    clause.quantity !== null ||
    clause.relation !== null ||
    clause.direction !== null ||
    clause.from !== null ||
    clause.to !== null ||
    clause.place !== null ||
    clause.unchecked.length > 0
  );
}

/** A verb without a subject: the subject of the segment before is meant. */
function inheritsSubject(clause: Clause): boolean {
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
    (clause.action !== null || clause.direction !== null || clause.pronoun || clause.to !== null)
  );
}

/** "Cars, trucks and buses entering": a verb said once at the end of a list of things goes with each of them. */
function shareVerbs(parts: readonly Part[]) {
  const isShared = new Set<Clause>();
  for (let i = parts.length - 1; i > 0; i--) {
    const { clause, join } = parts[i]!;
    const before = parts[i - 1]!.clause;
    const listed = join === 'or' || join === 'and';
    const commaOnly = parts[i]!.comma && !parts[i + 1]?.clause.both;
    const shared = clause.action !== null && clause.subject !== null && clause.relation === null;
    if (!listed || !shared || !isBare(before) || (commaOnly && !isShared.has(clause))) continue;
    Object.assign(before, {
      action: clause.action,
      direction: clause.direction,
      from: clause.from,
      to: clause.to,
      duration: before.duration ?? clause.duration,
    });
    isShared.add(before);
  }
}
const isBare = (clause: Clause) =>
  clause.subject !== null &&
  clause.action === null &&
  clause.relation === null &&
  clause.direction === null &&
  clause.from === null &&
  clause.to === null;

/** "A, then B within 5 s": the limit belongs to the tie, wherever it was said. */
function carryWithin(steps: Step[]): Step[] {
  return steps.map((step, i) => {
    if (step.join === 'then') return { ...step, within: step.within ?? steps[i - 1]?.within ?? null };
    return { ...step, within: null };
  });
}

function textOf(steps: readonly Step[], query: string): string {
  if (steps.length === 1) return steps[0]!.text;
  const at = steps.map((step) => query.indexOf(step.text)).filter((index) => index >= 0);
  const ends = steps.map((step) => query.indexOf(step.text) + step.text.length);
  return query.slice(Math.min(...at), Math.max(...ends)).slice(0, 20_000);
}
