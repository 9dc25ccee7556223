import { type Clause, readClause, textOf as wordsOf } from './clause/index.ts';
import type { Item } from './items.ts';
import type { JoinWord } from './lexicon.ts';
import type { Search, Step } from './schema.ts';
import { cutSegments, mainClauseAt, type Segment, spreadWays } from './segments.ts';
import { stepOf } from './step.ts';

type Part = { clause: Clause; join: JoinWord | 'stop' | null; comma: boolean; isSpread: boolean };
/** A step on its way into a plan, with what else is true of the same thing. */
type Draft = { step: Step; also: Clause['also'] };
const MAX_STEPS = 20;
const MAX_SEARCHES = 100;

/** Ties the segments of a prompt together: what is asked for one by one, what in sequence, and who does what when it is said only once. */
export function assemble(items: readonly Item[], query: string): Search[] {
  const parts = spreadWays(closeLists(unfoldLeading(cutSegments(items)))).map((segment) => partOf(segment, query));
  const said = withDurations(parts).filter((part) => saysSomething(part.clause));
  shareVerbs(said);
  const searches: { drafts: Draft[]; pick: Search['pick'] }[] = [];
  let previous: Clause | null = null;
  for (const { clause, join, isSpread } of said) {
    const inherits =
      previous !== null && previous.subject !== null && (inheritsSubject(clause) || isSecondDeed(clause, previous));
    if (inherits) clause.subject = previous!.subject;
    if (previous && carriesOn(clause, previous)) clause.camera = true;
    resolveIt(clause, previous, inherits);
    // "Does not turn left or right": neither.
    const isNeither = isSpread && join === 'or' && (clause.negated || clause.idle);
    const neither = previous !== null && (isNeither || spreadsNegation(clause, join, previous, inherits));
    if (neither) clause.negated = !clause.idle;
    const before = searches.at(-1)?.drafts.at(-1)?.step;
    if (neither && before) before.duration ??= clause.duration;
    const step = stepOf(clause);
    if (clause.within !== null) step.within = clause.within;
    const draft = { step, also: clause.also };
    const last = searches.at(-1);
    const isTied =
      last &&
      last.drafts.length < MAX_STEPS &&
      tie(
        last.drafts,
        draft,
        neither ? 'while' : join,
        neither ? clause.idle : inherits,
        clause.both || (previous?.both ?? false),
      );
    if (!isTied) searches.push({ drafts: [draft], pick: clause.pick });
    else last.pick ??= clause.pick;
    if (!isTied && said.length === 1 && restsAlone(clause, step))
      searches.push({ drafts: [{ step: { ...step, what: CAMERA_STOPS }, also: [] }], pick: clause.pick });
    previous = clause;
  }
  return searches.slice(0, MAX_SEARCHES).map(({ drafts, pick }) => {
    const steps = carryWithin(drafts.flatMap(stepsOf)).slice(0, MAX_STEPS);
    // "First a person, then a dog" tells the order, not which person.
    const isOrder = pick === 'first' && steps.some((step) => step.join === 'then');
    return { text: textOf(steps, query), steps, pick: isOrder ? null : pick };
  });
}

function partOf({ items, join, comma, borrowed = 0 }: Segment, query: string): Part {
  const clause = readClause(items, query);
  if (borrowed > 0)
    clause.text = `${wordsOf(items.slice(0, borrowed), query)} ${wordsOf(items.slice(borrowed), query)}`;
  return { clause, join, comma, isSpread: borrowed > 0 };
}

const CAMERA_STOPS = { kind: 'camera', move: 'stops', direction: null } as const;

/** "Stopped for over 30 seconds": a thing in the picture, or the vehicle that carries the camera. Both are looked for. */
const restsAlone = ({ subject, place, negated }: Clause, { what }: Step) =>
  !subject && !place && !negated && what.kind === 'object' && what.action === 'stops';

/** "A person near a car without a dog": one step for each relation, of the same person at the same time. */
function stepsOf({ step, also }: Draft): Step[] {
  const { what } = step;
  if (what.kind !== 'object') return [step];
  const there = { ...what, action: 'present', idle: false, direction: null, from: null, to: null } as const;
  // What is left behind or taken away is held against all people; another thing beside it is a matter of its own.
  const apart = what.action === 'left_behind' || what.action === 'taken_away';
  const ties = apart && what.relation ? [what.relation, ...also] : also;
  const first: Step = apart ? { ...step, what: { ...what, relation: null } } : step;
  return [
    first,
    ...ties.map(
      (relation): Step => ({
        ...step,
        what: { ...there, relation },
        negated: false,
        duration: null,
        join: 'while',
        within: null,
        same: true,
        unchecked: [],
      }),
    ),
  ];
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
function tie(drafts: Draft[], draft: Draft, join: Part['join'], inherits: boolean, both: boolean): boolean {
  const tied = (more: Partial<Step>) => drafts.push({ ...draft, step: { ...draft.step, ...more } });
  if (join === 'then' || join === 'before' || (join === 'and' && inherits)) tied({ join: 'then', same: inherits });
  else if (join === 'after') {
    // "A after B": B comes first.
    const last = drafts.pop()!;
    tied({ join: last.step.join, same: last.step.same, within: last.step.within });
    drafts.push({
      ...last,
      step: { ...last.step, join: 'then', within: draft.step.within ?? last.step.within, same: inherits },
    });
  } else if (join === 'while' || join === 'but' || both) tied({ join: 'while', same: inherits });
  else return false;
  return true;
}

/** "After a car stops, a person appears": turned into "a car stops, then a person appears". */
function unfoldLeading(segments: Segment[]): Segment[] {
  const [first, second, ...others] = segments;
  if (!first || first.items.length > 0 || !second) return segments;
  const word = second.join;
  if (word !== 'after' && word !== 'before' && word !== 'while') return segments;
  const at = others[0]?.comma ? null : mainClauseAt(second.items);
  const head = { ...second, items: second.items.slice(0, at ?? undefined), join: null };
  const split: Segment = { join: null, items: second.items.slice(at ?? second.items.length), comma: false };
  const [third, ...rest] = at === null ? others : [split, ...others];
  if (!third || (at === null && !third.comma)) return [head, ...others];
  if (word === 'before') return [{ ...third, join: null }, { ...head, join: 'then' }, ...rest];
  return [head, { ...third, join: word === 'after' ? 'then' : 'while' }, ...rest];
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
