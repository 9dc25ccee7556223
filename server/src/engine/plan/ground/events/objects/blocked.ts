import { isSilentLeaf, leavesOf } from '../../../meaning/leaves.ts';
import type { Entity, Leaf, Nominal, Predicate } from '../../../meaning/types.ts';
import { NO_PLACES, REASONS } from '../../../reasons.ts';
import { leafKey } from '../../ledger.ts';
import { findLightStop } from '../../lights.ts';
import { groundObject, leavesOfSide } from '../../objects.ts';
import { alone, plain } from '../steps.ts';
import type { EventContext, GroundedEvent } from '../types.ts';

/** The rest of an event that is blocked anyway: each of its words is named. */
export function blockedRest({ object, agent, modifiers }: Predicate, context: EventContext): GroundedEvent | null {
  const { ledger } = context;
  for (const nominal of [
    object,
    agent,
    ...modifiers.flatMap((each) => ('other' in each && each.other ? [each.other] : [])),
  ]) {
    if (nominal && !nameObject(nominal, context)) return null;
  }
  for (const modifier of modifiers) {
    if (modifier.type === 'relation' || modifier.type === 'role')
      ledger.use(modifier.word, ...(modifier.negation ? [modifier.negation] : []));
    else if (modifier.type === 'side') ledger.use(...leavesOfSide(modifier.place));
    else if (modifier.type === 'direction') ledger.use(modifier.word);
    else return null;
  }
  return alone(plain({ kind: 'unknown' }));
}

/** Names an object that belongs to a blocked verb. */
export function nameObject(nominal: Nominal, context: EventContext): boolean {
  if (nominal.kind === 'group') return nominal.members.every((member) => nameObject(member, context));
  if (nominal.modifiers.length > 0 || nominal.doing || nominal.pick) return false;
  const { head } = nominal;
  if (head.type === 'object' || head.type === 'unseen')
    return groundObject(nominal, context.ledger, context.textOf) !== null;
  if (nominal.attributes.length > 0 || nominal.amount || nominal.negation) return false;
  context.ledger.use(...('words' in head ? head.words : [head.word]));
  return true;
}

/** "A car runs a red light": which light is that of a vehicle in the frame is not known. */
export function runsLight(predicate: Predicate, { ledger }: EventContext): GroundedEvent | null {
  const stop = findLightStop(predicate);
  if (!stop || stop.others.length > 0 || predicate.negation) return null;
  ledger.block(stop.words, REASONS.whoseLight);
  return alone(plain({ kind: 'unknown' }));
}

/** "A gate opens": nothing recognizes a place, nor its actions. */
export function ofPlace(entity: Entity, predicate: Predicate | null, { ledger }: EventContext): GroundedEvent | null {
  if (entity.head.type !== 'place' || entity.head.word.sense.zone || !predicate) return null;
  const { word } = entity.head;
  ledger.block([word], NO_PLACES);
  for (const leaf of leavesOf([entity, predicate], isSilentLeaf))
    if (leafKey(leaf) !== leafKey(word)) ledger.block([leaf], reasonOf(leaf));
  return alone(plain({ kind: 'unknown' }));
}

const reasonOf = (leaf: Leaf): string =>
  'reason' in leaf && typeof leaf.reason === 'string' ? leaf.reason : NO_PLACES;
