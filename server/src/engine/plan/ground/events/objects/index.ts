import type { Entity, Modifier, Predicate } from '../../../meaning/types.ts';
import { REASONS } from '../../../reasons.ts';
import type { ObjectQuery, ObjectTarget } from '../../../schema.ts';
import { isImmobile, OF_CARRIERS } from '../../actions.ts';
import { ROAD_VEHICLES } from '../../classes.ts';
import { isLight } from '../../lights.ts';
import { type GroundedObject, groundObject, isAllTogether } from '../../objects.ts';
import { takeTiming } from '../timing.ts';
import type { EventContext, GroundedEvent, Timing } from '../types.ts';
import { groundAction } from './action.ts';
import { ofPlace, runsLight } from './blocked.ts';
import { isKindOf, mayDrive, resolvePronoun } from './pronouns.ts';

/** An object in the frame, and what it does. */
export function objectInView(
  entity: Entity,
  predicate: Predicate | null,
  timing: Timing,
  isNegated: boolean,
  context: EventContext,
): GroundedEvent | null {
  const { ledger, textOf } = context;
  const resolved = resolvePronoun(entity, predicate, context);
  if (!resolved) return null;
  if (entity.head.type === 'pronoun' && isKindOf(entity, resolved, predicate)) {
    ledger.note([entity.head.word], REASONS.namesAnything);
    return objectInView(resolved, null, timing, isNegated, context);
  }
  const subject = groundObject(resolved, ledger, textOf);
  if (!subject) return ofPlace(resolved, predicate, context);
  if (resolved.pick) {
    if (resolved.amount) return null;
    ledger.use(resolved.pick);
  }
  if (resolved.head.type === 'object' && resolved.head.word.sense.ambiguous && predicate) return null;
  const own = predicate && { ...predicate, modifiers: timing.others };
  if (own?.head.type === 'runs') return runsLight(own, context);
  if (context.isStatement && own && statesAll(resolved, own)) ledger.caveat(resolved.determiner!, REASONS.onlyYesNo);
  const made = groundSubject(
    isNegated ? { ...subject, negated: !subject.negated } : subject,
    resolved,
    own,
    timing,
    context,
  );
  if (entity.head.type !== 'pronoun' || context.antecedent !== null || !mayDrive(entity, predicate))
    return made && withVehicle(made, subject, own);
  // In other footage, any object in the frame may be meant.
  ledger.caveat(entity.head.word, REASONS.namesAnything, { presumed: 'vehicle' });
  return made && withVehicle(made, { ...subject, plain: true }, own);
}

/** "All cars are parked", "everybody leaves". "All cars that stop" are those to look for. */
function statesAll(subject: Entity, { head, modifiers }: Predicate): boolean {
  if (!isAllTogether(subject)) return false;
  if (head.type === 'exists') return modifiers.length > 0;
  if (head.type === 'action') return !subject.plural;
  return head.type === 'state' || head.type === 'color';
}

/** Grounds the description of the noun, and then its verb. */
function groundSubject(
  subject: GroundedObject,
  entity: Entity,
  predicate: Predicate | null,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  const { doing } = entity;
  if (doing === null) return groundAction(subject, entity, predicate, context, timing);
  const inner = takeTiming(doing.modifiers, context);
  if (!inner || inner.conditions.length > 0 || inner.throughout) return null;
  const own = { ...doing, modifiers: inner.others };
  if (predicate === null || predicate.head.type === 'exists') {
    if (predicate && predicate.modifiers.length > 0) return null;
    if (inner.duration && timing.duration) return null;
    timing.duration ??= inner.duration;
    return groundAction(subject, entity, own, context, timing);
  }
  // "A person carrying a bag leaves": with the bag. Two actions of one object are two steps.
  if (inner.duration) return null;
  const described = describeBy(own);
  return (
    described &&
    groundAction(
      subject,
      { ...entity, modifiers: [...entity.modifiers, ...described.modifiers] },
      predicate,
      context,
      timing,
      described.state ? { state: described.state } : {},
    )
  );

  function describeBy(what: Predicate): { modifiers: readonly Modifier[]; state?: 'stationary' | 'moving' } | null {
    const { head } = what;
    if (what.negation || what.agent || what.passive) return null;
    if (head.type === 'state' && what.modifiers.every((each) => each.type === 'side' && each.role === 'at')) {
      context.ledger.use(head.word);
      return { modifiers: what.modifiers, state: head.word.sense.state };
    }
    const relation = head.type === 'action' ? head.word.sense.relation : head.type === 'owns' ? 'with' : undefined;
    if (!relation || !what.object || what.modifiers.length > 0) return null;
    if (head.type !== 'action') return null;
    context.ledger.caveat(head.word, head.word.sense.caveat, head.word.sense.decides ? { decides: true } : {});
    return {
      modifiers: [
        {
          type: 'relation',
          word: { ...head.word, sense: { type: 'relation', relation } },
          negation: null,
          other: what.object,
        },
      ],
    };
  }
}

/** "The car stops": in footage from a vehicle, the vehicle with the camera is meant. */
function withVehicle(made: GroundedEvent, subject: GroundedObject, predicate: Predicate | null): GroundedEvent | null {
  const { what } = made.main;
  if (what.kind !== 'object') return made;
  if (subject.carrier) {
    // "The driver" is not in view of the camera that the vehicle carries.
    const isUnseen = subject.plain && subject.definite && what.action === 'present' && what.relation === null;
    return isUnseen ? withKind('instead') : made;
  }
  if (what.action === 'collides') return subject.plain && subject.definite && !what.relation ? withKind('also') : made;
  const isNear = what.relation === null || (what.relation.kind === 'near' && isImmobile(what.relation.other));
  const isFree = what.direction === null && what.region === undefined && what.subject.place === null;
  if (!subject.plain || !isNear || !isFree || what.line || !isOnRoad(what.subject) || !OF_CARRIERS.has(what.action))
    return made;
  // A light is where the recording vehicle stops, and no place in view.
  const isPlaced = predicate?.modifiers.some(
    (each) => each.type === 'role' && !(each.other.kind === 'entity' && isLight(each.other)),
  );
  if (isPlaced) return subject.definite ? withKind('also') : made;
  return withKind(subject.definite ? 'instead' : 'also');

  function withKind(vehicle: 'instead' | 'also'): GroundedEvent {
    return { ...made, main: { ...made.main, what: { ...(what as ObjectTarget), vehicle } } };
  }
}

const isOnRoad = ({ classes }: ObjectQuery) => classes.every((name) => ROAD_VEHICLES.includes(name));
