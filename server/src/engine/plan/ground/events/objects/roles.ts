import type { Entity, Leaf, Modifier } from '../../../meaning/types.ts';
import { CLOSE_HANDS, REASONS } from '../../../reasons.ts';
import type { Action } from '../../../schema.ts';
import { isPortable, isVehicle, RELATION_OF_SURFACE } from '../../actions.ts';
import { ROAD_VEHICLES } from '../../classes.ts';
import { isLight, leavesOfLight } from '../../lights.ts';
import { isOfClasses, isPerson } from '../../objects.ts';
import { groundPlace } from '../../places.ts';
import { drawnLineOf, zoneOf } from '../../zones.ts';
import { isNamed, leafOf, type ObjectDraft } from './draft.ts';
import { takeDrawnLine, takeZone } from './drawn.ts';
import { groundOther, takeLandmark, takeSurface } from './others.ts';

const USED_BY_HAND = ['cell phone', 'laptop', 'keyboard', 'mouse', 'remote'];
const PHONES = ['cell phone'];

/** "Into the room", "to the car", "at the light": where the action begins, leads to or happens. */
export function takeRole(
  draft: ObjectDraft,
  modifier: Extract<Modifier, { type: 'role' }>,
  isOfNoun: boolean,
): boolean {
  const { context, head, isSomebody, ledger, path, predicate, relations } = draft;
  const { role, surface, word, negation, other } = modifier;
  const zone = zoneOf(other);
  if (zone) {
    const isName = word.id === leafOf(other).id;
    ledger.use(...(isName ? [] : [word]), ...(negation ? [negation] : []));
    return takeZone(draft, zone, role, surface, negation !== null);
  }
  const drawn = drawnLineOf(other);
  if (drawn) {
    ledger.use(word);
    return takeDrawnLine(draft, drawn, leafOf(other), role === 'across' || role === 'past');
  }
  if (other.kind === 'entity' && other.head.type === 'place') {
    const isAnything =
      draft.subject.classes.length === 0 && draft.subject.colors.length === 0 && context.implied === null;
    const isTowards = role === 'into' && draft.action === 'moves';
    const isAway = role === 'out' && draft.action === 'moves';
    if (isTowards) draft.action = 'enters';
    if (isAway) draft.action = 'leaves';
    if (
      (role === 'into' || role === 'out') &&
      !isTowards &&
      !isAway &&
      draft.action !== 'enters' &&
      draft.action !== 'leaves' &&
      draft.action !== 'appears'
    )
      return false;
    if (
      role === 'out' ||
      (isPortable(draft.subject) && !draft.subject.ridden && draft.action === 'leaves' && !predicate?.passive)
    )
      return false;
    if (predicate?.negation && draft.action === 'present') {
      ledger.use(word);
      ledger.block([other.head.word], REASONS.place);
      return other.attributes.length + other.modifiers.length === 0;
    }
    return groundPlace(modifier, ledger, {
      action: draft.action,
      signal: null,
      isAnything,
      isSubject: isOfNoun || draft.action === 'present' || draft.action === 'stands' || draft.action === 'sits',
    });
  }
  if (other.kind === 'entity' && other.head.type === 'camera') {
    const { carrier } = other.head.word.sense;
    if (negation || !isNamed(other)) return false;
    if (role === 'at' && surface === 'on' && !carrier && draft.action === 'present') {
      ledger.note([word, other.head.word], REASONS.onCamera);
      return true;
    }
    if (role === 'past' && draft.action === 'moves') {
      ledger.note([word, other.head.word], REASONS.passing, { decides: true });
      return true;
    }
    if ((role !== 'to' && role !== 'towards') || draft.action !== 'moves' || path.direction !== null) return false;
    const isDriven = head?.type === 'action' && head.word.sense.by !== 'person';
    if (isSomebody && carrier && isDriven) draft.subject = { ...draft.subject, classes: [...ROAD_VEHICLES] };
    ledger.use(word, other.head.word);
    path.direction = 'towards';
    return true;
  }
  if (other.kind === 'entity' && isLight(other)) return role === 'at' && !negation && takeLight(draft, word, other);
  if (!negation && OF_PATHS.has(role) && surface !== 'in' && surface !== 'on' && takeLandmark(draft, word, other))
    return true;
  const object = groundOther(draft, other);
  if (!object || object === 'place') return false;
  ledger.use(word, ...(negation ? [negation] : []));
  if (other.kind === 'entity' && other.head.type === 'unseen') return true;
  const isNot = (negation !== null) !== object.negated;
  const near = (name: Action) => {
    draft.action = name;
    relations.push({ kind: 'near', other: object.query, negated: isNot });
    return true;
  };
  if (role === 'at' && surface !== null) {
    if (isPortable(draft.subject) && draft.action === 'leaves' && !predicate?.passive) return false;
    // A person on a phone uses it.
    const isUsed = surface === 'on' && isPerson(draft.subject) && isOfClasses(USED_BY_HAND, object.query);
    if (isUsed && !isNot && draft.action === 'present' && isOfClasses(PHONES, object.query)) {
      draft.action = 'phones';
      return true;
    }
    if (isUsed) ledger.caveat(word, CLOSE_HANDS);
    relations.push({ kind: isUsed ? 'with' : RELATION_OF_SURFACE[surface], other: object.query, negated: isNot });
    return true;
  }
  if (isNot) return false;
  if ((role === 'to' || role === 'towards') && draft.action === 'moves') return near('approaches');
  if (role === 'past' && draft.action === 'moves') return near('passes');
  if (role === 'across' && draft.action === 'moves') return takeSurface(draft, word, object.query);
  if (role === 'into' && isVehicle(object.query) && (draft.action === 'moves' || draft.action === 'enters')) {
    ledger.caveat(leafOf(other), REASONS.intoVehicle);
    return near('disappears');
  }
  if (
    role === 'out' &&
    isVehicle(object.query) &&
    (draft.action === 'moves' || draft.action === 'leaves' || draft.action === 'appears')
  ) {
    ledger.caveat(leafOf(other), REASONS.outOfVehicle);
    return near('appears');
  }
  return false;
}

/** "The car stops at the red light": which light is that of a vehicle is not known. */
function takeLight(draft: ObjectDraft, at: Leaf, light: Entity): boolean {
  const { grounded, ledger } = draft;
  const leaves = [at, ...leavesOfLight(light)];
  if (grounded.plain && grounded.definite) ledger.note(leaves, REASONS.whoseLight);
  else {
    ledger.block(leaves, REASONS.whoseLight);
    draft.isUnknown = true;
  }
  return true;
}

/** Roles of a landmark of the scene: "at the dumpsters", "past the booth". */
const OF_PATHS: ReadonlySet<string> = new Set(['at', 'to', 'towards', 'past', 'from', 'across']);
