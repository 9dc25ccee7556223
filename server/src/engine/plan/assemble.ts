import { isDeepStrictEqual } from 'node:util';
import { type Clause, PORTABLE, readClause, textOf as wordsOf } from './clause/index.ts';
import type { Item } from './items.ts';
import type { JoinWord } from './lexicon.ts';
import type { Search, Step } from './schema.ts';
import { cutSegments, isVerb, mainClauseAt, type Segment, spreadWays } from './segments.ts';
import { stepOf } from './step.ts';

type Part = {
  clause: Clause;
  join: JoinWord | 'stop' | null;
  comma: boolean;
  /** What it does, or which way, was said once for it and the part before: "a car or a truck stops". */
  isAlternative: boolean;
};
/** A step on its way into a plan, with what else is true of the same thing. */
type StepDraft = { step: Step; also: Clause['also']; during: Clause['during'] };
/** A search on its way into a plan, and what was said last in it. */
type Draft = { steps: StepDraft[]; pick: Search['pick']; last: Clause };
const MAX_STEPS = 20;
const MAX_SEARCHES = 100;

/** Ties the segments of a prompt together: what is asked for one by one, what in sequence, and who does what when it is said only once. */
export function assemble(items: readonly Item[], query: string): Search[] {
  const segments = spreadWays(closeLists(unfoldLeading(cutSegments(items))));
  const read = withDurations(segments.map((segment) => partOf(segment, query)));
  const said = read.filter(({ clause }) => saysSomething(clause));
  const parts = joinOthers(pairUp(said, query), query);
  shareVerbs(parts);
  const drafts: Draft[] = [];
  /** What is gone on with: each of the alternatives where there are some. */
  let open: Draft[] = [];
  for (const part of parts) {
    const goesOn = open.map((draft) => goOn(draft, part));
    if (goesOn.includes(true)) continue;
    const draft = begin(part, open.at(-1) ?? null);
    open = part.isAlternative ? [...open, draft] : [draft];
    drafts.push(draft);
  }
  const [only] = drafts;
  if (only && parts.length === 1 && restsAlone(only))
    drafts.push({ ...only, steps: [{ ...only.steps[0]!, step: { ...only.steps[0]!.step, what: CAMERA_STOPS } }] });
  return drafts.slice(0, MAX_SEARCHES).map(({ steps: drafted, pick }) => {
    const steps = carryWithin(drafted.flatMap(stepsOf)).slice(0, MAX_STEPS);
    // "First a person, then a dog" tells the order, not which person.
    const isOrder = pick === 'first' && steps.some((step) => step.join === 'then');
    return { text: textOf(steps, query), steps, pick: isOrder ? null : pick };
  });
}

function partOf({ items, join, comma, borrowed = 0 }: Segment, query: string): Part {
  const clause = readClause(items, query);
  if (borrowed > 0)
    clause.text = `${wordsOf(items.slice(0, borrowed), query)} ${wordsOf(items.slice(borrowed), query)}`;
  return { clause, join, comma, isAlternative: borrowed > 0 && join !== 'then' };
}

/** What a part says after the one before it: who it is that does it, and what "it" is. */
function inContext({ clause: said, join, isAlternative }: Part, previous: Clause | null) {
  const clause = { ...said };
  const inherits =
    previous !== null && previous.subject !== null && (inheritsSubject(clause) || isSecondDeed(clause, previous));
  if (inherits) clause.subject = previous.doer ?? previous.subject;
  if (previous && carriesOn(clause, previous)) clause.camera = true;
  resolveIt(clause, previous, inherits);
  // "Does not turn left or right": neither.
  const isNeither = isAlternative && join === 'or' && (clause.negated || clause.idle);
  const neither = previous !== null && (isNeither || spreadsNegation(clause, join, previous, inherits));
  if (neither) clause.negated = !clause.idle;
  return { clause, isSame: inherits && !previous.doer, inherits, neither };
}

/** Ties a part to the search before it; false when it begins one of its own. */
function goOn(draft: Draft, part: Part): boolean {
  if (draft.steps.length >= MAX_STEPS) return false;
  const { clause, inherits, isSame, neither } = inContext(part, draft.last);
  const join = neither ? 'while' : part.join;
  const how = { join, inherits, same: neither ? clause.idle : isSame, both: clause.both || draft.last.both };
  if (!tie(draft.steps, draftOf(clause), how)) return false;
  if (neither) draft.steps.at(-2)!.step.duration ??= clause.duration;
  draft.pick ??= clause.pick;
  draft.last = clause;
  return true;
}

/** "A car stops, then a person or a dog appears": an alternative shares what came before. */
function begin(part: Part, before: Draft | null): Draft {
  const { clause, isSame } = inContext(part, before?.last ?? null);
  const own = draftOf(clause);
  if (!before || !part.isAlternative) return { steps: [own], pick: clause.pick, last: clause };
  const { join, within, same } = before.steps.at(-1)!.step;
  const step = { ...own.step, join, within: own.step.within ?? within, same: same && isSame };
  return { steps: [...before.steps.slice(0, -1), { ...own, step }], pick: clause.pick ?? before.pick, last: clause };
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

/** The words of the prompt from one part of it to another. */
const quote = (query: string, first: string, last: string) =>
  query.slice(query.indexOf(first), query.lastIndexOf(last) + last.length);

function draftOf(clause: Clause): StepDraft {
  const step = stepOf(clause);
  if (clause.within !== null) step.within = clause.within;
  return { step, also: clause.also, during: clause.during };
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

const CAMERA_STOPS = { kind: 'camera', move: 'stops', direction: null } as const;

/** "Stopped for over 30 seconds": a thing in the picture, or the vehicle that carries the camera. Both are looked for. */
const restsAlone = ({ last: { subject, place, negated }, steps: [first] }: Draft) =>
  !subject && !place && !negated && first?.step.what.kind === 'object' && first.step.what.action === 'stops';

/** "A person near a car without a dog": one step for each relation, of the same person at the same time; "at night" is another. */
function stepsOf({ step, also, during }: StepDraft): Step[] {
  const { what } = step;
  const meanwhile = { negated: false, duration: null, join: 'while', within: null } as const;
  const light: Step[] = during
    ? [{ ...step, ...meanwhile, unchecked: [], what: { kind: 'signal', signal: during.signal }, same: false }]
    : [];
  if (what.kind !== 'object') return [step, ...light];
  const there = { ...what, action: 'present', idle: false, direction: null, from: null, to: null } as const;
  // What is left behind or taken away is held against all people; another thing beside it is a matter of its own.
  const apart = what.action === 'left_behind' || what.action === 'taken_away';
  const ties = apart && what.relation ? [what.relation, ...also] : also;
  const first: Step = apart ? { ...step, what: { ...what, relation: null } } : step;
  const others = ties.map(
    (relation): Step => ({ ...step, ...meanwhile, unchecked: [], what: { ...there, relation }, same: true }),
  );
  return [first, ...others, ...light];
}

/** A segment that says only how long or how soon belongs to the one before it: "a person stands, for more than 5 s". */
function withDurations(parts: readonly Part[]): Part[] {
  return parts.filter(({ clause }, i) => {
    const before = parts[i - 1]?.clause;
    if (!before || before.duration !== null || clause.duration === null || saysSomething({ ...clause, duration: null }))
      return true;
    before.duration = clause.duration;
    return false;
  });
}

/** "A, B, then C": the commas of a list mean what its last word means. */
function closeLists(segments: Segment[]): Segment[] {
  let closing: Segment['join'] = null;
  return segments
    .toReversed()
    .map((segment) => {
      const join = segment.comma && (closing === 'then' || closing === 'or') ? closing : segment.join;
      closing = segment.comma || join !== 'stop' ? join : null;
      return { ...segment, join };
    })
    .toReversed();
}

/** "The camera pans left and then stops": by the camera too. */
const carriesOn = (clause: Clause, previous: Clause) =>
  !clause.subject && clause.action !== null && !previous.subject && (previous.camera || previous.cameraMove !== null);

/** "approaches a car but does not touch it" */
function resolveIt(clause: Clause, previous: Clause | null, inherits: boolean) {
  const other = previous?.relation?.other ?? (inherits ? null : previous?.subject);
  if (clause.itAsOther && other && !clause.relation) clause.relation = { ...clause.itAsOther, other };
}

/** "No cars or people", "neither cars nor people", "nobody enters or leaves": none of them. */
function spreadsNegation(clause: Clause, join: Part['join'], previous: Clause, inherits: boolean): boolean {
  if (!previous.negated) return false;
  if (clause.negated) return (join === 'and' || join === 'or') && isBare(clause) && isBare(previous);
  // The verb of the last is by now that of all.
  const isAlike = clause.action === previous.action && clause.relation === null;
  return join === 'or' && (inherits || isBare(clause) || isAlike);
}

/** Ties a step to those before it; false when it stands on its own. */
function tie(drafts: StepDraft[], draft: StepDraft, { join, inherits, same, both }: Tie): boolean {
  const tied = (more: Partial<Step>) => drafts.push({ ...draft, step: { ...draft.step, ...more } });
  if (join === 'then' || join === 'before' || (join === 'and' && inherits)) tied({ join: 'then', same });
  else if (join === 'after') {
    // "A after B": B comes first.
    const last = drafts.pop()!;
    const within = draft.step.within ?? last.step.within;
    tied({ join: last.step.join, same: last.step.same, within: last.step.within });
    drafts.push({ ...last, step: { ...last.step, join: 'then', within, same } });
  } else if (join === 'while' || join === 'but' || both) tied({ join: 'while', same });
  else return false;
  return true;
}
type Tie = { join: Part['join']; inherits: boolean; same: boolean; both: boolean };

/** "After a car stops, a person appears": turned into "a car stops, then a person appears". */
function unfoldLeading(segments: Segment[]): Segment[] {
  const [first, lead, ...others] = segments;
  const word = lead?.join;
  if (!first || first.items.length > 0 || !lead) return segments;
  if (word !== 'after' && word !== 'before' && word !== 'while') return segments;
  const rest: Segment[] = [{ ...lead, join: null }, ...others];
  const main = mainAt(rest);
  if (!main) return rest;
  const { segment, at } = main;
  const { items } = rest[segment]!;
  const heads = [...rest.slice(0, segment), ...(at > 0 ? [{ ...rest[segment]!, items: items.slice(0, at) }] : [])];
  const clause: Segment = { join: null, items: items.slice(at), comma: false };
  const tail = rest.slice(segment + 1);
  if (word === 'before') return [clause, { ...heads[0]!, join: 'then' }, ...heads.slice(1), ...tail];
  return [...heads, { ...clause, join: word === 'after' ? 'then' : 'while' }, ...tail];
}

/** Where the main clause begins, after one that "after" or "while" leads in: behind a comma and a verb, or with the second verb's noun. */
function mainAt(segments: readonly Segment[]): { segment: number; at: number } | null {
  for (const [i, { items, comma }] of segments.entries()) {
    if (i > 0 && comma && segments.slice(0, i).some((before) => before.items.some(isVerb)))
      return { segment: i, at: 0 };
    const at = mainClauseAt(items);
    if (at !== null) return { segment: i, at };
  }
  const comma = segments.findIndex((segment, i) => i > 0 && segment.comma);
  return comma < 0 ? null : { segment: comma, at: 0 };
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
    clause.open ||
    clause.pick === 'most' ||
    clause.duration !== null ||
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

/** "A person enters and falls": who enters is not asked for, but who does both. */
const isSecondDeed = (clause: Clause, previous: Clause) => clause.deed && !clause.subject && previous.action !== null;

/** "Cars, trucks and buses entering", "entering cars or trucks": a verb said once at either end of a list of things goes with each of them. */
function shareVerbs(parts: readonly Part[]) {
  for (const [i, { clause, join }] of parts.entries()) {
    const before = parts[i - 1]?.clause;
    if (before?.verbFirst && (join === 'or' || join === 'and') && isBare(clause))
      Object.assign(clause, behaviourOf(before), { verbFirst: true });
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
    if (subject === null || !isListed || (relation && !isShared(relation))) continue;
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
    if (step.within === null) return step;
    if (steps[i + 1]?.join === 'then') return { ...step, within: null };
    const reason = 'a limit of time is kept between two happenings: "A, then B within 10 s"';
    return {
      ...step,
      within: null,
      unchecked: [...step.unchecked, { text: `${step.within} s`, reason, blocks: false }],
    };
  });
}

function textOf(steps: readonly Step[], query: string): string {
  const texts = [...new Set(steps.map((step) => step.text))];
  // A way that was spread is not in the prompt word by word.
  if (texts.length === 1 || texts.some((text) => !query.includes(text))) return texts.join(', ').slice(0, 20_000);
  const at = texts.map((text) => query.indexOf(text));
  const ends = texts.map((text, i) => at[i]! + text.length);
  return query.slice(Math.min(...at), Math.max(...ends)).slice(0, 20_000);
}
