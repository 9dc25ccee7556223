import { type Clause, readClause, textOf as wordsOf } from './clause/index.ts';
import { restsAlone } from './doers.ts';
import type { Item } from './items.ts';
import { lendNouns, placesOfLists } from './lists.ts';
import type { Range, Search, Step, What } from './schema.ts';
import { cutSegments, parted, type Segment, spreadWays } from './segments.ts';
import { inheritsSubject, isBare, type Part, shareAmong } from './share.ts';
import { meanwhileOf, stepOf } from './step.ts';
import { closeLists, spreadLead, unfoldLeading } from './unfold.ts';

/** A step on its way into a plan, with what else is true of the same thing. */
type StepDraft = { step: Step; also: Clause['also']; during: What | null };
/** A search on its way into a plan, and what was said last in it. */
type Draft = { steps: StepDraft[]; pick: Search['pick']; last: Clause };
const MAX_STEPS = 20;
const MAX_SEARCHES = 100;

/** Ties the segments of a prompt together: what is asked for one by one, what in sequence, and who does what when it is said only once. */
export function assemble(items: readonly Item[], query: string): Search[] {
  const segments = spreadWays(
    parted(lendNouns(placesOfLists(closeLists(unfoldLeading(spreadLead(cutSegments(items))))))),
  );
  const read = withGaps(withDurations(segments.map((segment) => partOf(segment, query))));
  const said = read.filter(({ clause }) => saysSomething(clause));
  const parts = shareAmong(said, query);
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
  if (only && parts.length === 1 && restsAlone(only.last, only.steps[0]!.step.what))
    drafts.push({ ...only, steps: [{ ...only.steps[0]!, also: [], step: ofCamera(only.steps[0]!.step) }] });
  return drafts.slice(0, MAX_SEARCHES).map(({ steps: drafted, pick }) => {
    const steps = carryWithin(drafted.flatMap(stepsOf)).slice(0, MAX_STEPS);
    // "First a person, then a dog" tells the order, not which person.
    const isOrder = pick === 'first' && steps.some((step) => step.join === 'then');
    return { text: textOf(steps, query), steps, pick: isOrder ? null : pick };
  });
}

function partOf({ items, join, comma, borrowed = 0, isLater = false }: Segment, query: string): Part {
  const clause = readClause(items, query);
  if (borrowed > 0)
    clause.text = [items.slice(0, borrowed), items.slice(borrowed)]
      .map((part) => wordsOf(part, query))
      .join(' ')
      .trim();
  const lent = items.some((item) => item.lent);
  return { clause, join, comma, isAlternative: borrowed > 0 && join !== 'then', isLater, lent };
}

/** What a part says after the one before it: who it is that does it, and what "it" is. */
function inContext({ clause: said, join, isAlternative }: Part, before: Draft | null) {
  const previous = before?.last ?? null;
  const clause = { ...said };
  const inherits =
    previous !== null &&
    previous.subject !== null &&
    !isOfCamera(previous) &&
    (inheritsSubject(clause) || isSecondDeed(clause, previous));
  const ride = inherits ? rideOf(previous, clause) : null;
  if (inherits) clause.subject = ride ?? previous.doer ?? previous.subject;
  // "Goes in and comes out"
  if (inherits && clause.action?.action === 'appears' && before?.steps.some(({ step }) => isEntering(step.what)))
    clause.action = { ...clause.action, action: 'leaves' };
  if (inherits && clause.negated && clause.action?.action === 'appears') {
    const reason = 'whether the same one comes back is not seen';
    clause.unchecked = [...clause.unchecked, { text: clause.text.slice(0, 200), reason, blocks: true }];
  }
  // "Enters but does not leave": the same one, which is there all the while.
  if (inherits && clause.negated && clause.action && !THERE.has(clause.action.action))
    Object.assign(clause, { negated: false, idle: true });
  if (previous && carriesOn(clause, previous)) clause.camera = true;
  resolveIt(clause, previous, inherits);
  // "Does not turn left or right": neither.
  const isNeither = isAlternative && join === 'or' && (clause.negated || clause.idle);
  const neither = previous !== null && (isNeither || spreadsNegation(clause, join, previous, inherits));
  if (neither) clause.negated = !clause.idle;
  return { clause, isSame: inherits && !previous.doer && !ride, inherits, neither };
}

const isEntering = (what: What) => what.kind === 'object' && what.action === 'enters';
/** What cannot be left undone by something that is there. */
const THERE: ReadonlySet<string> = new Set(['present', 'appears']);

/** "Gets into a car and drives off": what goes on is the car. */
function rideOf({ action, relation }: Clause, { action: then }: Clause) {
  const isIn = action?.action === 'disappears' && relation?.kind === 'near' && !relation.negated;
  return isIn && then && RIDES.has(then.action) ? relation.other : null;
}
const RIDES: ReadonlySet<string> = new Set(['starts', 'moves', 'leaves', 'stops']);

/** Ties a part to the search before it; false when it begins one of its own. */
function goOn(draft: Draft, part: Part): boolean {
  if (draft.steps.length >= MAX_STEPS) return false;
  const { clause, inherits, isSame, neither } = inContext(part, draft);
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
  const { clause, isSame } = inContext(part, before);
  const own = draftOf(clause);
  if (!before || !part.isAlternative) return { steps: [own], pick: clause.pick, last: clause };
  const { join, within, same, apart } = before.steps.at(-1)!.step;
  const limits = { within: own.step.within ?? within, ...(apart === undefined ? {} : { apart }) };
  const step = { ...limits, ...own.step, join, within: limits.within, same: same && isSame };
  return { steps: [...before.steps.slice(0, -1), { ...own, step }], pick: clause.pick ?? before.pick, last: clause };
}

function draftOf(clause: Clause): StepDraft {
  const step = stepOf(clause);
  if (clause.within !== null) step.within = clause.within;
  if (clause.apart !== null) step.apart = clause.apart;
  return { step, also: clause.also, during: meanwhileOf(clause) };
}

/** The same said of the camera, which stands in no relation. */
function ofCamera(step: Step): Step {
  const text = step.what.kind === 'object' ? step.what.relation?.other.text : undefined;
  const reason = 'looked for without this: where the camera is, is not seen';
  const unchecked = text === undefined ? step.unchecked : [...step.unchecked, { text, reason, blocks: false }];
  return { ...step, what: { kind: 'camera', move: 'stops', direction: null }, unchecked };
}

/** "A person near a car without a dog": one step for each relation, of the same person at the same time; "at night" is another. */
function stepsOf({ step, also, during }: StepDraft): Step[] {
  const { what } = step;
  const { apart: _apart, ...plain } = step;
  const meanwhile = { negated: false, duration: null, join: 'while', within: null } as const;
  const light: Step[] = during ? [{ ...plain, ...meanwhile, unchecked: [], what: during, same: false }] : [];
  if (what.kind !== 'object') return [step, ...light];
  const there = { ...what, action: 'present', idle: false, direction: null, from: null, to: null } as const;
  // What is left behind or taken away is held against all people; another thing beside it is a matter of its own.
  const apart = what.action === 'left_behind' || what.action === 'taken_away';
  const ties = apart && what.relation ? [what.relation, ...also] : also;
  const first: Step = apart ? { ...step, what: { ...what, relation: null } } : step;
  const others = ties.map(
    (relation): Step => ({ ...plain, ...meanwhile, unchecked: [], what: { ...there, relation }, same: true }),
  );
  return [first, ...others, ...light];
}

/** A segment that says only how long or how soon belongs to the one before it: "a person stands, for more than 5 s". */
function withDurations(parts: readonly Part[]): Part[] {
  return parts.filter(({ clause }, i) => {
    const before = parts[i - 1]?.clause;
    if (!before || saysSomething({ ...clause, duration: null })) return true;
    if (clause.duration === null) {
      // "A, then B, all within a minute"
      before.within ??= clause.within;
      return false;
    }
    const after = parts[i + 1];
    // "A car stops and 2 minutes later a person appears"
    if (clause.gap && after?.join === 'then') setApart(after.clause, clause.gap);
    else if (before.duration === null) before.duration = clause.duration;
    else return true;
    return false;
  });
}

/** "Enters 10 s before a car stops": without "for", a moment does not last, so that this is how far apart they are. */
function withGaps(parts: readonly Part[]): readonly Part[] {
  for (const [i, { clause, isLater }] of parts.entries()) {
    const join = parts[i + 1]?.join;
    if (!clause.gap || lasts(clause) || !saysSomething({ ...clause, duration: null })) continue;
    if (!(isLater || join === 'before' || join === 'after')) continue;
    clause.duration = null;
    setApart(clause, clause.gap);
  }
  return parts;
}

function setApart(clause: Clause, { min, max }: Range) {
  clause.within = max;
  clause.apart = min;
}

/** "Stands 10 seconds before leaving" */
const lasts = ({ action, cameraMove }: Clause) =>
  (action !== null && LASTING.has(action.action)) || (cameraMove !== null && LASTING.has(cameraMove.move));
const LASTING: ReadonlySet<string> = new Set(['stands', 'loiters', 'moves', 'follows', 'still', 'forward', 'backward']);

/** "The camera pans left and then stops": by the camera too. */
const carriesOn = (clause: Clause, previous: Clause) =>
  !clause.subject && clause.action !== null && isOfCamera(previous);
const isOfCamera = ({ camera, cameraMove }: Clause) => camera || cameraMove !== null;

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
    const { apart, ...first } = draft.step;
    const later = { ...last.step, ...(apart === undefined ? {} : { apart }) };
    const within = first.within ?? last.step.within;
    drafts.push({ ...draft, step: { ...first, join: last.step.join, same: last.step.same, within: last.step.within } });
    drafts.push({ ...last, step: { ...later, join: 'then', within, same } });
  } else if (join === 'while' || join === 'but' || both) tied({ join: 'while', same });
  else return false;
  return true;
}
type Tie = { join: Part['join']; inherits: boolean; same: boolean; both: boolean };

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
    clause.itAsOther !== null ||
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

/** "A person enters and falls": who enters is not asked for, but who does both. */
const isSecondDeed = (clause: Clause, previous: Clause) => clause.deed && !clause.subject && previous.action !== null;

/** "A, then B within 5 s": the limits belong to the tie, wherever they were said. */
function carryWithin(steps: Step[]): Step[] {
  return steps.map((step, i) => {
    const { apart: own, ...rest } = step;
    if (step.join === 'then') {
      const apart = own ?? steps[i - 1]?.apart;
      return {
        ...rest,
        within: step.within ?? steps[i - 1]?.within ?? null,
        ...(apart === undefined ? {} : { apart }),
      };
    }
    if ((step.within === null && own === undefined) || steps[i + 1]?.join === 'then') return { ...rest, within: null };
    const reason = 'a limit of time is kept between two happenings: "A, then B within 10 s"';
    const text = `${step.within ?? own} s`;
    return { ...rest, within: null, unchecked: [...step.unchecked, { text, reason, blocks: false }] };
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
