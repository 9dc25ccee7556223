import type { Entity, Leaf, Nominal, Predicate } from '../../../meaning/types.ts';
import { REASONS } from '../../../reasons.ts';
import type { Action, Relation } from '../../../schema.ts';
import { isPortable, isRoadVehicle, MOVED, TRANSITIVE } from '../../actions.ts';
import { ROAD_VEHICLES } from '../../classes.ts';
import { decidesOf, leafKey } from '../../ledger.ts';
import { ANYTHING, isPerson } from '../../objects.ts';
import { zoneOf } from '../../zones.ts';
import { isActive, type ObjectDraft } from './draft.ts';

/** The action of the verb; null for one that cannot be grounded here. */
export function takeVerb(draft: ObjectDraft): Action | null {
  const { entity, head, ledger, path, predicate } = draft;
  if (head === null || head.type === 'exists') return 'present';
  switch (head.type) {
    case 'action': {
      const { sense } = head.word;
      if (sense.or) return null;
      // "A bag left on a bench".
      const isAbandoned = sense.action === 'leaves' && predicate!.passive;
      if (isAbandoned && !isPortable(draft.subject) && draft.subject.classes.length > 0) return null;
      // "Is anyone broken down": a vehicle.
      if (
        sense.action === 'stands' &&
        sense.decides &&
        !sense.by &&
        entity?.head.type === 'object' &&
        entity.head.indefinite
      )
        draft.subject = { ...draft.subject, classes: [...ROAD_VEHICLES] };
      const isOn = sense.relation !== undefined && sense.weak && !predicate!.object;
      if (isOn && predicate!.modifiers.some(({ type }) => type === 'side')) return null;
      // "Traffic jam": one word for the objects and what they do.
      const isJoint = entity?.head.type === 'object' && leafKey(entity.head.word) === leafKey(head.word);
      if (!isJoint) ledger.use(head.word);
      const isUnrelated = sense.relation !== undefined && predicate!.negation !== null;
      const isAtZone = predicate!.object !== null && zoneOf(predicate!.object) !== null;
      if (!isUnrelated && !isAtZone && !sense.posed)
        ledger.caveat(head.word, sense.caveat, sense.decides ? { decides: true } : {});
      if (sense.direction) path.direction = sense.direction;
      if (sense.negated) draft.negated = !draft.negated;
      if (sense.relation && !predicate!.object && (sense.relation === 'with' || !sense.weak))
        return selfRelated(draft, sense.relation);
      return isAbandoned ? 'left_behind' : sense.action;
    }
    case 'state':
      ledger.use(head.word);
      return head.word.sense.state === 'moving' ? 'moves' : 'stands';
    case 'color':
      if (draft.subject.colors.length > 0 || predicate!.negation) return null;
      if (entity?.head.type === 'object' && entity.head.word.sense.fixedColor) {
        ledger.block(head.words, entity.head.word.sense.fixedColor);
        draft.isUnknown = true;
        return 'present';
      }
      ledger.use(...head.words);
      for (const word of head.words) ledger.caveat(word, word.sense.caveat, decidesOf(word));
      draft.subject = { ...draft.subject, colors: [...new Set(head.words.flatMap((word) => word.sense.names))] };
      return 'present';
    case 'owns':
      ledger.use(head.word);
      return 'present';
    case 'unseen':
      ledger.block([head.word], head.word.reason);
      draft.isUnknown = true;
      return 'present';
    case 'camera_move':
      return turned(draft);
    case 'is':
      return isA(draft, head.other);
    case 'returns':
      return returned(draft, head.word);
    default:
      return null;
  }
}

/** Takes what poses show of a person, unless something makes it another action, as in "runs up to a car". */
export function settlePose(draft: ObjectDraft): void {
  const { head, ledger, predicate } = draft;
  if (head?.type !== 'action' || !head.word.sense.posed) return;
  const { action, posed, caveat, decides } = head.word.sense;
  if (draft.action === action && isPerson(draft.subject) && !predicate!.object) draft.action = posed!;
  else ledger.caveat(head.word, caveat, decides ? { decides: true } : {});
}

/** "People hug": each other. */
function selfRelated(draft: ObjectDraft, relation: Relation): Action | null {
  const { entity, grounded, predicate, relations } = draft;
  const isPlaced =
    draft.subject.place !== null || predicate!.modifiers.length > 0 || (entity?.modifiers.length ?? 0) > 0;
  if (relation === 'with' || !grounded.plural) return null;
  const isRelated = predicate!.modifiers.some(({ type }) => type === 'relation');
  if (isPlaced && isRelated) return 'present';
  if (isPlaced && !onlyAt(predicate!)) return null;
  relations.push({ kind: relation, other: { ...draft.subject, count: { min: 1, max: null } }, negated: false });
  if (draft.subject.count.min <= 2) draft.subject = { ...draft.subject, count: { min: 1, max: null } };
  draft.isSelf = true;
  return 'present';
}

/** "The car turns left" is of the vehicle with the camera; of any other object a turn is not seen. */
function turned(draft: ObjectDraft): Action | null {
  const { entity, grounded, head, ledger } = draft;
  if (head?.type !== 'camera_move') return null;
  const isOther = !draft.subject.classes.some((name) => name === 'car' || name === 'person');
  const isElsewhere = entity !== null && entity.modifiers.length > 0;
  if (grounded.plain && !isOther && !isElsewhere) return null;
  ledger.block([head.word], REASONS.notTheCamera);
  draft.isUnknown = true;
  return 'present';
}

function isA(draft: ObjectDraft, other: Nominal): Action | null {
  const { predicate } = draft;
  if (other.kind === 'group') return null;
  if (isAmong(draft, other)) return oneOf(draft, other);
  if (predicate!.negation || !nameBlocked(draft, other)) return null;
  draft.isUnknown = true;
  return 'present';
}

/** "Vehicles that are trucks", "that are not cars": classes that the noun has. */
function isAmong(
  { subject }: ObjectDraft,
  { head, modifiers, doing, pick, amount, negation, attributes }: Entity,
): boolean {
  const isPlain = modifiers.length + attributes.length === 0 && !doing && !pick && !amount && !negation;
  if (!isPlain || head.type !== 'object' || subject.except) return false;
  const { classes, ridden, ambiguous, min } = head.word.sense;
  const isAny = subject.classes.length === 0;
  const isPart = classes.length > 0 && (isAny || classes.length < subject.classes.length);
  return isPart && !ridden && !ambiguous && !min && (isAny || classes.every((name) => subject.classes.includes(name)));
}

function oneOf(draft: ObjectDraft, { head }: Entity): Action | null {
  const { ledger, predicate } = draft;
  if (head.type !== 'object') return null;
  const { classes, caveat, decides, afoot } = head.word.sense;
  ledger.use(head.word);
  ledger.caveat(head.word, caveat, decides ? { decides: true } : {});
  if (predicate!.negation) {
    ledger.use(predicate!.negation);
    draft.isExcluded = true;
    draft.subject = { ...draft.subject, except: { classes: [...classes], colors: [] } };
  } else draft.subject = { ...draft.subject, classes: [...classes], ...(afoot ? { afoot } : {}) };
  return 'present';
}

function nameBlocked(draft: ObjectDraft, other: Entity): boolean {
  const { ledger } = draft;
  if (
    other.modifiers.length > 0 ||
    other.doing ||
    other.pick ||
    other.amount ||
    other.negation ||
    other.attributes.length > 0
  )
    return false;
  const leaves = 'words' in other.head ? other.head.words : [other.head.word];
  ledger.block(leaves, REASONS.identity);
  return true;
}

/** "Comes back": it was there before, and went. Only a sequence can state that. */
function returned(draft: ObjectDraft, word: Leaf): Action | null {
  const { context, ledger, predicate } = draft;
  if (context.isFirst || predicate!.negation) {
    ledger.block([word], REASONS.noEarlier);
    draft.isUnknown = true;
  } else if (context.hasLeft) ledger.use(word);
  else ledger.note([word], REASONS.same);
  return 'appears';
}

/** Actions that need another object, or none, or that a passive means otherwise. */
export function settleAction(draft: ObjectDraft): boolean {
  const { entity, head, isDriver, ledger, path, predicate, relations } = draft;
  const related = relations[0];
  // "Follows near a person": the object of the verb is missing.
  const isDone =
    draft.action !== 'approaches' &&
    draft.action !== 'passes' &&
    draft.action !== 'close_ahead' &&
    TRANSITIVE.has(draft.action);
  if (isDone && related && !predicate!.object && !predicate!.agent && !predicate!.passive && !isMutual(predicate!))
    return false;
  const isBareEntry =
    draft.action === 'enters' &&
    path.from === null &&
    draft.region === undefined &&
    predicate!.modifiers.length === 0 &&
    !predicate!.object;
  if (isPortable(draft.subject) && !draft.subject.ridden && draft.action === 'leaves' && !predicate?.passive)
    return false;
  if (isPortable(draft.subject) && isBareEntry && entity?.head.type === 'object')
    ledger.caveat(entity.head.word, REASONS.intoFrame, { decides: true });
  if (
    MOVED.has(draft.action) &&
    head?.type === 'action' &&
    !predicate!.passive &&
    !predicate!.object &&
    isActive(head.word)
  )
    return false;
  // "Passes a ball": hands it over.
  const isHandedOver = related && isPortable(related.other) && !related.other.classes.includes('bicycle');
  if (draft.action === 'passes' && isHandedOver && isPerson(draft.subject)) return false;
  if (draft.action === 'passes' && !related) draft.action = 'moves';
  if (draft.action === 'passes' && related && related.kind !== 'near') draft.action = 'moves';
  if (draft.action === 'close_ahead' && entity !== null && related) draft.action = 'follows';
  if (draft.action === 'follows' && !related)
    relations.push({
      kind: 'near',
      other: { ...ANYTHING, classes: isRoadVehicle(draft.subject) ? draft.subject.classes : [] },
      negated: false,
    });
  if (predicate?.passive && draft.action === 'leaves') {
    if (!isPortable(draft.subject) && draft.subject.classes.length > 0) return false;
    draft.action = 'left_behind';
  }
  if (MOVED.has(draft.action) && isPerson(draft.subject)) return false;
  if (draft.action === 'collides' && !related && entity !== null && !isDriver && !isRoadVehicle(draft.subject))
    return false;
  return true;
}

const onlyAt = ({ modifiers }: Predicate) => modifiers.every((each) => each.type === 'side' && each.role === 'at');

const isMutual = ({ modifiers }: Predicate) => modifiers.some(({ type }) => type === 'mutual');
