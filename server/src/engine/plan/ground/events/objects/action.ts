import type { Entity, Predicate } from '../../../meaning/types.ts';
import { NAMES } from '../../../reasons.ts';
import type { ObjectQuery, ObjectTarget, Target } from '../../../schema.ts';
import { impliedClasses, incapable, MOVED, pathOf, TRANSITIVE } from '../../actions.ts';
import { ANYTHING, type GroundedObject, isPerson } from '../../objects.ts';
import { alone, plain, present } from '../steps.ts';
import type { EventContext, GroundedEvent, Timing } from '../types.ts';
import type { ObjectDraft } from './draft.ts';
import { takeModifier } from './modifiers.ts';
import { settleAction, settlePose, takeVerb } from './verb.ts';
import { takeAgent, takeObject } from './verb-object.ts';

/** Grounds an object and its action, with its path and its relations. */
export function groundAction(
  grounded: GroundedObject,
  entity: Entity | null,
  predicate: Predicate | null,
  context: EventContext,
  timing: Pick<Timing, 'duration'> | null = null,
  more: Partial<ObjectQuery> = {},
): GroundedEvent | null {
  const { ledger } = context;
  const head = predicate?.head ?? null;
  const query: ObjectQuery = { ...grounded.query, ...more };
  const isSomebody = entity?.head.type === 'object' && entity.head.indefinite && isPerson(query);
  // "Did anybody crash": somebody in a vehicle.
  const isDriver = isSomebody && head?.type === 'action' && head.word.sense.action === 'collides' && !predicate?.object;
  const draft: ObjectDraft = {
    grounded,
    entity,
    predicate,
    head,
    context,
    ledger,
    relations: [],
    path: { direction: null, from: null, to: null },
    isSomebody,
    isDriver,
    subject: query,
    action: 'present',
    negated: grounded.negated,
    region: undefined,
    line: undefined,
    isUnknown: entity?.head.type === 'unseen',
    isExcluded: false,
    isSelf: false,
  };
  const { relations, path } = draft;

  if (isDriver)
    draft.subject = { ...draft.subject, text: NAMES.colliding, classes: [...impliedClasses('collides', undefined)!] };

  const verb = takeVerb(draft);
  if (verb === null) return null;
  draft.action = verb;

  for (const modifier of entity?.modifiers ?? []) if (!takeModifier(draft, modifier, true)) return null;
  for (const modifier of predicate?.modifiers ?? []) if (!takeModifier(draft, modifier, false)) return null;
  if (predicate?.object && !takeObject(draft, predicate.object)) return null;
  if (predicate?.agent && !takeAgent(draft, predicate.agent)) return null;
  if (predicate?.passive && !predicate.agent && TRANSITIVE.has(draft.action)) {
    relations.unshift({ kind: 'near', other: draft.subject, negated: false });
    draft.subject = { ...ANYTHING };
  }
  settlePose(draft);
  // "Went in and came out": it leaves.
  if (draft.action === 'appears' && context.hasEntered && head?.type !== 'returns') {
    if (head?.type === 'action' && head.word.sense.exits) draft.action = 'leaves';
    else if (context.isSame) return null;
  }
  if (draft.isUnknown && !predicate?.negation) return alone(plain(knownPart(), draft.negated));
  if (!draft.isUnknown && !settleAction(draft)) return null;

  let idle = false;
  if (predicate?.negation && !draft.isExcluded) {
    ledger.use(predicate.negation);
    if (draft.isUnknown) return alone(plain(knownPart(), draft.negated));
    const last = relations.at(-1);
    const isDouble = draft.negated && !grounded.negated;
    if (draft.negated && !isDouble) return null;
    if (isDouble) draft.negated = false;
    else if (draft.action === 'present' && last) last.negated = !last.negated;
    else if (draft.action === 'present' || draft.action === 'appears') draft.negated = true;
    else if (
      draft.action === 'moves' &&
      path.direction === null &&
      path.from === null &&
      (context.isYesNo || timing?.duration)
    )
      draft.action = 'stands';
    else idle = true;
  }
  if (draft.action === 'appears' && timing?.duration && !draft.negated && !idle) {
    if (relations.length > 0) return null;
    draft.action = 'present';
  }
  if (grounded.isAtMost && draft.action === 'present' && relations.length === 0) {
    draft.subject = { ...draft.subject, count: { min: draft.subject.count.max! + 1, max: null } };
    draft.negated = !draft.negated;
  }
  // "A group gathering on the left": each of them is there.
  if (draft.isSelf && draft.subject.place)
    relations[0] = { ...relations[0]!, other: { ...relations[0]!.other, place: draft.subject.place } };
  const steps = pathOf(draft.action, path);
  if (!steps) return null;
  const [first, ...rest] = relations;
  const what: ObjectTarget = {
    kind: 'object',
    subject: draft.subject,
    action: draft.action,
    idle,
    ...steps,
    ...(draft.region ? { region: draft.region } : {}),
    ...(draft.line ? { line: draft.line } : {}),
    relation: first ?? null,
  };
  if (draft.action === 'approaches' && !first) what.direction = 'towards';
  if (incapable(what)) return null;
  if (isMotionOnly(what)) return alone(plain({ kind: 'motion', place: draft.subject.place }, draft.negated !== idle));
  const isMoved = MOVED.has(draft.action) && first !== undefined;
  const there = present(draft.subject);
  if (draft.isSelf && relations.length > 1) return null;
  const others = (isMoved ? relations : rest).map((relation) => ({ ...plain({ ...there, relation }), same: true }));
  return { main: plain(isMoved ? { ...what, relation: null } : what, draft.negated), meanwhile: others };

  /** The known part of an event that is not searched: a model is shown the frames with this object. */
  function knownPart(): Target {
    return entity?.head.type === 'object' && draft.subject.classes.length > 0
      ? present(draft.subject)
      : { kind: 'unknown' };
  }
}

/** "Something moves": no class, color, count or direction. */
const isMotionOnly = ({ action, direction, relation, subject }: ObjectTarget): boolean =>
  action === 'moves' &&
  direction === null &&
  relation === null &&
  subject.classes.length === 0 &&
  subject.colors.length === 0 &&
  !subject.except &&
  subject.count.min === 1 &&
  subject.count.max === null;
