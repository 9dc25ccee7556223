import {
  actionOf,
  type Clause,
  hasPart,
  parseClause,
  partOf,
  relationOf,
  relationsOf,
  subjectOf,
  textOf as textOfItems,
  withDefault,
  withoutParts,
  withPart,
  withSubject,
} from '../clause/index.ts';
import type { ObjectQuery, PlannedSearch, Step, Target } from '../schema.ts';
import { closeLists, spreadLead, unfoldLeading } from '../sentence/clause-order.ts';
import { cutSegments, type Segment, splitAlternatives, spreadDirections } from '../sentence/clause-segments.ts';
import { inheritsSubject, isBare, type JoinedClause, shareParts } from '../sentence/coordination.ts';
import { lendNouns, resolvePlaces } from '../sentence/shared-nouns.ts';
import type { Item } from '../tokens/lexer.ts';
import { buildStep, conditionOf, excerpt } from './build-step.ts';
import { isObjectOrCarrier } from './implied-subject.ts';
import { carryWithin, expandStep, type StepDraft } from './sequence.ts';
import { hasContent, takeDurations, takeGaps } from './timing.ts';

/** A search on its way into a plan, and its last clause. */
type Draft = { steps: StepDraft[]; pick: PlannedSearch['pick']; last: Clause };
const MAX_STEPS = 20;
const MAX_SEARCHES = 100;

/**
 * Parses the clauses of a prompt and connects them: which are searched separately, which in sequence, and which
 * subject each has.
 */
export function buildSearches(items: readonly Item[], query: string): PlannedSearch[] {
  const segments = spreadDirections(
    splitAlternatives(lendNouns(resolvePlaces(closeLists(unfoldLeading(spreadLead(cutSegments(items))))))),
  );
  const parsed = takeGaps(takeDurations(segments.map((segment) => joinedClause(segment, query))));
  const clauses = shareParts(
    parsed.filter(({ clause }) => hasContent(clause)),
    query,
  );
  const drafts: Draft[] = [];
  /** The searches that the next clause may continue: every alternative. */
  let open: Draft[] = [];
  for (const each of clauses) {
    const continued = open.map((draft) => continueDraft(draft, each));
    if (continued.includes(true)) continue;
    const draft = startDraft(each, open.at(-1) ?? null);
    open = each.isAlternative ? [...open, draft] : [draft];
    drafts.push(draft);
  }
  const [only] = drafts;
  if (only && clauses.length === 1 && isObjectOrCarrier(only.last, only.steps[0]!.step.what))
    drafts.push({ ...only, steps: [{ ...only.steps[0]!, more: [], step: asCamera(only.steps[0]!.step) }] });
  return drafts.slice(0, MAX_SEARCHES).map(({ steps: drafted, pick }) => {
    const steps = carryWithin(drafted.flatMap(expandStep)).slice(0, MAX_STEPS);
    // "First a person, then a dog" states the order, not which person.
    const isOrder = pick === 'first' && steps.some((step) => step.join === 'then');
    return { text: textOfSteps(steps, query), steps, pick: isOrder ? null : pick };
  });
}

function joinedClause({ items, join, comma, borrowed = 0, isLater = false }: Segment, query: string): JoinedClause {
  const parsed = parseClause(items, query);
  const text = [items.slice(0, borrowed), items.slice(borrowed)].map((part) => textOfItems(part, query)).join(' ');
  const clause = borrowed > 0 ? { ...parsed, text: text.trim() } : parsed;
  const isAlternative = borrowed > 0 && join !== 'then';
  return { clause, join, comma, isAlternative, isLater, lent: items.some((item) => item.lent) };
}

/** Resolves the subject of a clause and "it" from the search that it follows. */
function resolveInContext({ clause: parsed, join, isAlternative }: JoinedClause, before: Draft | null) {
  const previous = before?.last ?? null;
  const subject = previous && subjectOf(previous);
  // "Is the cup full or empty": not the picture.
  const isEmptyToo = join === 'or' && hasPart(parsed, 'empty') && !hasPart(parsed, 'subject', 'setting');
  const inherits =
    subject !== null &&
    !isOfCamera(previous!) &&
    (isEmptyToo || inheritsSubject(parsed) || isSecondVerb(parsed, previous!));
  const ride = inherits ? rideOf(previous!, parsed) : null;
  const agent = previous ? (partOf(previous, 'subject')?.agent ?? null) : null;
  let clause = inherits ? resolveInherited(withSubject(parsed, ride ?? agent ?? subject), before!) : parsed;
  if (previous && continuesCamera(clause, previous)) clause = withPart(clause, { kind: 'camera' });
  clause = resolvePronoun(clause, previous, inherits);
  // "Does not turn left or right": neither of them.
  const isNeither = isAlternative && join === 'or' && hasPart(clause, 'negation', 'idle');
  const neither = previous !== null && (isNeither || spreadsNegation(clause, join, previous, inherits));
  if (neither)
    clause = hasPart(clause, 'idle') ? withoutParts(clause, 'negation') : withPart(clause, { kind: 'negation' });
  return { clause, isSame: inherits && !agent && !ride, inherits, neither };
}

/** A clause whose subject was named in an earlier one. */
function resolveInherited(parsed: Clause, before: Draft): Clause {
  let clause = parsed;
  const action = actionOf(clause);
  // "Goes in and comes out"
  if (
    action?.action === 'appears' &&
    /\bout\b|\bemerge/i.test(clause.text) &&
    before.steps.some(({ step }) => isEntering(step.what))
  )
    clause = withPart(clause, { kind: 'verb', action: { ...action, action: 'leaves' } });
  const verb = actionOf(clause)?.action;
  if (!hasPart(clause, 'negation') || !verb) return clause;
  if (verb === 'appears') {
    const reason = 'whether the same object comes back cannot be detected';
    return { ...clause, unchecked: [...clause.unchecked, { text: excerpt(clause.text), reason, blocks: true }] };
  }
  // "Enters but does not leave": the same one, which is there all the while.
  return verb === 'present' ? clause : withPart(withoutParts(clause, 'negation'), { kind: 'idle' });
}

const isEntering = (what: Target) => what.kind === 'object' && what.action === 'enters';
/** "Gets into a car and drives off": the car continues. */
function rideOf(previous: Clause, clause: Clause): ObjectQuery | null {
  const relation = relationOf(previous);
  const verb = actionOf(clause)?.action;
  const isInside = actionOf(previous)?.action === 'disappears' && relation?.relation === 'near' && !relation.negated;
  return isInside && verb && RIDES.has(verb) ? relation.other : null;
}
const RIDES: ReadonlySet<string> = new Set(['starts', 'moves', 'leaves', 'stops']);

/** Adds a clause to the search before it; false when it starts a search of its own. */
function continueDraft(draft: Draft, joined: JoinedClause): boolean {
  if (draft.steps.length >= MAX_STEPS) return false;
  const { clause, inherits, isSame, neither } = resolveInContext(joined, draft);
  const join = neither ? 'while' : joined.join;
  const both = hasPart(clause, 'simultaneous') || hasPart(draft.last, 'simultaneous');
  const same = neither ? hasPart(clause, 'idle') : isSame;
  if (!tie(draft.steps, draftOf(clause), { join, inherits, same, both })) return false;
  if (neither) draft.steps.at(-2)!.step.duration ??= partOf(clause, 'duration')?.range ?? null;
  draft.pick ??= pickOf(clause);
  draft.last = clause;
  return true;
}

const pickOf = (clause: Clause) => partOf(clause, 'pick')?.pick ?? null;

/** "A car stops, then a person or a dog appears": an alternative shares what came before. */
function startDraft(joined: JoinedClause, before: Draft | null): Draft {
  const { clause, isSame } = resolveInContext(joined, before);
  const own = draftOf(clause);
  const pick = pickOf(clause);
  if (!before || !joined.isAlternative) return { steps: [own], pick, last: clause };
  const { join, within, same, apart } = before.steps.at(-1)!.step;
  const limits = { within: own.step.within ?? within, ...(apart === undefined ? {} : { apart }) };
  const isBoth = joined.join === 'and' && before.steps.length > 1 && !joined.comma;
  const unchecked = isBoth
    ? [...own.step.unchecked, { text: 'and', reason: EITHER, blocks: false }]
    : own.step.unchecked;
  const step = { ...limits, ...own.step, unchecked, join, within: limits.within, same: same && isSame };
  return { steps: [...before.steps.slice(0, -1), { ...own, step }], pick: pick ?? before.pick, last: clause };
}

const EITHER = 'read as either of them: each is looked for on its own';

function draftOf(clause: Clause): StepDraft {
  const within = partOf(clause, 'within');
  const apart = partOf(clause, 'apart');
  const step = {
    ...buildStep(clause),
    ...(within ? { within: within.seconds } : {}),
    ...(apart ? { apart: apart.seconds } : {}),
  };
  return { step, more: relationsOf(clause).slice(1), condition: conditionOf(clause) };
}

/** The same of the camera, which has no relations. */
function asCamera(step: Step): Step {
  const text = step.what.kind === 'object' ? step.what.relation?.other.text : undefined;
  const reason = 'looked for without this, because the position of the camera is not known';
  const unchecked = text === undefined ? step.unchecked : [...step.unchecked, { text, reason, blocks: false }];
  return { ...step, what: { kind: 'camera', move: 'stops', direction: null }, unchecked };
}

/** "The camera pans left and then stops": the camera stops. */
const continuesCamera = (clause: Clause, previous: Clause) =>
  !hasPart(clause, 'subject') && hasPart(clause, 'verb') && isOfCamera(previous);
const isOfCamera = (clause: Clause) => hasPart(clause, 'camera', 'camera_move');

/** "Approaches a car but does not touch it" */
function resolvePronoun(clause: Clause, previous: Clause | null, inherits: boolean): Clause {
  const pronoun = partOf(clause, 'pronoun_relation');
  const antecedent = previous && (relationOf(previous)?.other ?? (inherits ? null : subjectOf(previous)));
  if (!pronoun || !antecedent) return clause;
  return withDefault(clause, { ...pronoun, kind: 'relation', other: antecedent });
}

/** "No cars or people", "neither cars nor people", "nobody enters or leaves": none of them. */
function spreadsNegation(clause: Clause, join: JoinedClause['join'], previous: Clause, inherits: boolean): boolean {
  if (!hasPart(previous, 'negation')) return false;
  if (hasPart(clause, 'negation')) return (join === 'and' || join === 'or') && isBare(clause) && isBare(previous);
  // The verb of the last one has been shared with all.
  const isAlike = actionOf(clause) === actionOf(previous) && !hasPart(clause, 'relation');
  return join === 'or' && (inherits || isBare(clause) || isAlike);
}

/** "A person enters and falls": the same person does both. */
const isSecondVerb = (clause: Clause, previous: Clause) =>
  hasPart(clause, 'unsupported_verb') && !hasPart(clause, 'subject', 'unknown_subject') && hasPart(previous, 'verb');

/** Relates a step to those before it; false if it is independent. */
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
type Tie = { join: JoinedClause['join']; inherits: boolean; same: boolean; both: boolean };

function textOfSteps(steps: readonly Step[], query: string): string {
  const texts = [...new Set(steps.map((step) => step.text))];
  // A direction that was copied is not in the prompt word by word.
  if (texts.length === 1 || texts.some((text) => !query.includes(text))) return texts.join(', ').slice(0, 20_000);
  const at = texts.map((text) => query.indexOf(text));
  const ends = texts.map((text, i) => at[i]! + text.length);
  return query.slice(Math.min(...at), Math.max(...ends)).slice(0, 20_000);
}
