import type { ActionSense } from '../../../meaning/senses.ts';
import type { Entity, Nominal, Word } from '../../../meaning/types.ts';
import { BETWEEN, REASONS } from '../../../reasons.ts';
import type { Action } from '../../../schema.ts';
import { isPortable, isRidden, isVehicle, isWalked, MOVED, TRANSITIVE } from '../../actions.ts';
import { ROAD_VEHICLES } from '../../classes.ts';
import { isPerson } from '../../objects.ts';
import { drawnLineOf, zoneOf } from '../../zones.ts';
import { nameObject } from './blocked.ts';
import { isNamed, leafOf, type ObjectDraft } from './draft.ts';
import { takeDrawnLine, takeZone } from './drawn.ts';
import { groundOther, takeSurface } from './others.ts';
import { takeOwnCar } from './relations.ts';

/** "Carries a bag", "passes a car", "enters the room". */
export function takeObject(draft: ObjectDraft, object: Nominal): boolean {
  const { context, head, ledger, relations } = draft;
  if (draft.isUnknown && head?.type === 'unseen') return nameObject(object, context);
  if (head?.type === 'owns') return ownedBy(draft, object);
  if (head?.type !== 'action') return false;
  const { sense } = head.word;
  const zone = zoneOf(object);
  if (zone) return takeZone(draft, zone, 'bare', null, false);
  const drawn = drawnLineOf(object);
  if (drawn) return takeDrawnLine(draft, drawn, leafOf(object), true);
  if (object.kind === 'entity' && object.head.type === 'place') {
    if (
      object.modifiers.length > 0 ||
      object.doing ||
      object.amount ||
      object.pick ||
      object.attributes.length > 0 ||
      object.negation ||
      object.head.word.sense.zone
    )
      return false;
    const { word } = object.head;
    if (draft.action === 'approaches') draft.action = 'moves';
    else if (!OF_PLACES.has(draft.action)) return false;
    if (word.sense.solid && draft.action === 'enters') ledger.block([word], REASONS.place);
    else
      ledger.note(
        [word],
        REASONS.place,
        word.sense.passed && draft.action !== 'moves' ? { decides: draft.action !== 'crosses' } : {},
      );
    return true;
  }
  if (object.kind === 'entity' && object.head.type === 'line') return takeLine(draft, object, object.head.word);
  if (object.kind === 'entity' && object.head.type === 'camera') return takeCamera(draft, object, sense);
  const members = object.kind === 'group' && object.conjunction === 'and' ? object.members : [object];
  for (const member of members) {
    const isBetween = sense.relation === 'near' && draft.action === 'appears';
    const other = groundOther(draft, member, isBetween);
    if (!other || other === 'place' || other.negated) return false;
    if (member.kind === 'entity' && member.head.type === 'unseen') continue;
    if (sense.relation) {
      relations.push({ kind: sense.relation, other: other.query, negated: false });
      // "Runs out between two cars".
      if (isBetween) ledger.caveat(leafOf(member), BETWEEN);
    } else if (TRANSITIVE.has(draft.action) || draft.action === 'loiters')
      relations.push({ kind: 'near', other: other.query, negated: false });
    else if (sense.by === 'person' && draft.action === 'moves' && isWalked(other.query))
      relations.push({ kind: 'with', other: other.query, negated: false });
    else if ((draft.action === 'enters' || OUT_OF.has(draft.action)) && isVehicle(other.query)) {
      const isIn = draft.action === 'enters';
      ledger.caveat(leafOf(member), isIn ? REASONS.intoVehicle : REASONS.outOfVehicle);
      draft.action = isIn ? 'disappears' : 'appears';
      relations.push({ kind: 'near', other: other.query, negated: false });
    } else if (draft.action === 'taken_away' || draft.action === 'left_behind') {
      if (members.length > 1 || !isPerson(draft.subject) || draft.subject.colors.length > 0) return false;
      draft.subject = other.query;
    } else if (draft.action === 'leaves' && isPortable(other.query)) {
      if (members.length > 1 || !isPerson(draft.subject) || draft.subject.colors.length > 0) return false;
      draft.subject = other.query;
      draft.action = 'left_behind';
    } else if (draft.action !== 'crosses' || !takeSurface(draft, leafOf(member), other.query)) return false;
  }
  return true;
}

/** "Overtakes us", "cuts in front of us", "touches my car". */
function takeCamera(draft: ObjectDraft, object: Entity, { relation, caveat, by }: ActionSense): boolean {
  const { head, isSomebody, ledger } = draft;
  if (object.head.type !== 'camera' || !isNamed(object)) return false;
  if (relation === 'overlaps') return takeOwnCar(draft, object, relation, null);
  if (draft.action === 'loiters') return takeOwnCar(draft, object, 'near', null);
  if (!TOWARDS_CAMERA.has(draft.action)) return false;
  const isDriven = by !== 'person' && draft.action !== 'approaches';
  if (isSomebody && isDriven && object.head.word.sense.carrier)
    draft.subject = { ...draft.subject, classes: [...ROAD_VEHICLES] };
  if (draft.action === 'overtakes' && !isRidden(draft.subject)) return false;
  if (draft.action === 'passes') {
    const word = head!.type === 'action' ? head!.word : object.head.word;
    if (caveat === undefined) ledger.caveat(word, REASONS.passing, { decides: true });
    draft.action = 'moves';
  }
  ledger.use(object.head.word);
  return true;
}

/** "Crosses the middle line": one that halves the frame. */
function takeLine(draft: ObjectDraft, object: Entity, word: Word<'line'>): boolean {
  const { context, ledger } = draft;
  const isPlain = object.modifiers.length + object.attributes.length === 0 && !object.amount && !object.negation;
  if (!isPlain || draft.action !== 'crosses' || draft.line) return false;
  if (word.sense.line === null) {
    ledger.block([word], REASONS.noLine);
    draft.isUnknown = true;
    return true;
  }
  ledger.use(word);
  ledger.caveat(word, REASONS.halvingLine);
  draft.line =
    typeof word.sense.line === 'object'
      ? word.sense.line
      : { name: context.textOf([word]).toLowerCase(), ...HALVES[word.sense.line] };
  return true;
}

function ownedBy(draft: ObjectDraft, object: Nominal): boolean {
  const { relations } = draft;
  const members = object.kind === 'group' ? (object.conjunction === 'and' ? object.members : []) : [object];
  return (
    members.length > 0 &&
    members.every((member) => {
      const other = groundOther(draft, member);
      if (!other || other === 'place') return false;
      relations.push({ kind: 'with', other: other.query, negated: other.negated });
      return true;
    })
  );
}

/** "Overtaken by a truck": the truck does it. */
export function takeAgent(draft: ObjectDraft, agent: Nominal): boolean {
  const { predicate, relations } = draft;
  if (agent.kind === 'group' || !predicate!.passive) return false;
  const other = groundOther(draft, agent);
  if (!other || other === 'place' || other.negated) return false;
  if (MOVED.has(draft.action)) return isPerson(other.query) && other.query.colors.length === 0;
  if (!TRANSITIVE.has(draft.action) || relations.length > 0) return false;
  relations.push({ kind: 'near', other: draft.subject, negated: false });
  draft.subject = other.query;
  return true;
}

/** Actions of vehicles on the one with the camera. */
const TOWARDS_CAMERA: ReadonlySet<Action> = new Set(['approaches', 'overtakes', 'passes', 'cuts_in', 'blocks_way']);

/** Actions that the name of a place completes. */
const OF_PLACES: ReadonlySet<Action> = new Set(['enters', 'leaves', 'crosses', 'appears', 'starts']);

/** Actions that begin at another object: "comes out of the truck". */
const OUT_OF: ReadonlySet<Action> = new Set(['leaves', 'appears']);

/** Lines that halve the frame. */
const HALVES = {
  vertical: { from: { x: 0.5, y: 0 }, to: { x: 0.5, y: 1 } },
  horizontal: { from: { x: 0, y: 0.5 }, to: { x: 1, y: 0.5 } },
} as const;
