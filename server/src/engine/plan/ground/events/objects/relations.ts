import type { Entity, Modifier, Word } from '../../../meaning/types.ts';
import { BETWEEN, REASONS } from '../../../reasons.ts';
import type { ObjectQuery, Relation } from '../../../schema.ts';
import { TRANSITIVE } from '../../actions.ts';
import { groundViewpoint } from '../../ego.ts';
import { ANYTHING } from '../../objects.ts';
import { drawnLineOf, zoneOf } from '../../zones.ts';
import { isNamed, leafOf, type ObjectDraft } from './draft.ts';
import { takeDrawnLine, takeZone } from './drawn.ts';
import { groundOther, takeLandmark } from './others.ts';

/** "With a dog and a bag": a relation to each of them. */
export function takeRelation(
  draft: ObjectDraft,
  modifier: Extract<Modifier, { type: 'relation' }>,
  isRepeated = false,
): boolean {
  const { ledger, relations } = draft;
  const { word, negation, other } = modifier;
  if (other.kind === 'entity' && other.head.type === 'camera') return takeViewpoint(draft, { ...modifier, other });
  if (other.kind === 'group' && other.conjunction === 'and' && other.members.some((member) => member.negation))
    return false;
  if (other.kind === 'group' && other.conjunction === 'and')
    return other.members.every((member, i) => takeRelation(draft, { ...modifier, other: member }, i > 0));
  const zone = zoneOf(other);
  const drawn = drawnLineOf(other);
  if (zone || drawn) {
    ledger.use(word, ...(negation ? [negation] : []));
    if (drawn) return takeDrawnLine(draft, drawn, leafOf(other), word.sense.relation === 'above');
    const isWithin = word.sense.relation === 'inside' || word.sense.relation === 'on';
    return takeZone(draft, zone!, isWithin ? 'at' : 'past', null, negation !== null);
  }
  if (!negation && BESIDE_LANDMARK.has(word.sense.relation) && takeLandmark(draft, word, other)) return true;
  const object = groundOther(draft, other, word.sense.caveat === BETWEEN);
  if (object === 'place') {
    if (negation || other.kind === 'group' || other.head.type !== 'place') return false;
    return nameSetting(draft, other, word);
  }
  if (!object) return false;
  if (!isRepeated) {
    ledger.use(word, ...(negation && negation.span.from !== word.span.from ? [negation] : []));
    ledger.caveat(word, word.sense.caveat, word.sense.decides ? { decides: true } : {});
  }
  relations.push({ kind: word.sense.relation, other: object.query, negated: (negation !== null) !== object.negated });
  return true;
}

/** "In front of us", "near my car". */
function takeViewpoint(
  draft: ObjectDraft,
  modifier: Extract<Modifier, { type: 'relation' }> & { other: Entity },
): boolean {
  const { ledger } = draft;
  const { relation } = modifier.word.sense;
  // "Runs out in front of us": does not leave.
  if (draft.action === 'leaves' && relation === 'in_front_of') return false;
  if (relation === 'overlaps' || (draft.action === 'loiters' && relation === 'near'))
    return takeOwnCar(draft, modifier.other, relation, modifier);
  const view = isNamed(modifier.other) ? groundViewpoint(modifier, draft.action, ledger, draft.subject) : null;
  if (!view || (view.place && draft.subject.place)) return false;
  if (view.place) draft.subject = { ...draft.subject, place: view.place };
  return true;
}

/** "Touches my car": one in the frame, since somebody is at it. */
export function takeOwnCar(
  draft: ObjectDraft,
  { head: other, modifiers, attributes }: Entity,
  kind: Relation,
  modifier: Extract<Modifier, { type: 'relation' }> | null,
): boolean {
  const { context, ledger, relations } = draft;
  if (other.type !== 'camera' || !other.word.sense.carrier || modifiers.length + attributes.length > 0) return false;
  ledger.note([other.word], REASONS.ownCar);
  if (modifier?.negation) return false;
  if (modifier) {
    ledger.use(modifier.word);
    ledger.caveat(modifier.word, modifier.word.sense.caveat, modifier.word.sense.decides ? { decides: true } : {});
  }
  const car: ObjectQuery = { ...ANYTHING, text: context.textOf([other.word]), classes: [...OWN_CLASSES] };
  relations.push({ kind, other: car, negated: false });
  return true;
}

/** A place beside something: which nothing recognizes. */
function nameSetting(draft: ObjectDraft, other: Entity, relation: Word<'relation'>): boolean {
  const { ledger, predicate } = draft;
  if (
    other.modifiers.length > 0 ||
    other.doing ||
    other.pick ||
    other.amount ||
    other.attributes.length > 0 ||
    other.negation
  )
    return false;
  if (other.head.type !== 'place' || other.head.word.sense.zone) return false;
  const isAnything = draft.subject.classes.length === 0 && draft.subject.colors.length === 0;
  if (isAnything || predicate?.negation) ledger.block([relation, other.head.word], REASONS.place);
  else if (BESIDE.has(relation.sense.relation)) ledger.note([relation, other.head.word], REASONS.place);
  else {
    ledger.use(relation);
    ledger.caveat(relation, relation.sense.caveat);
    ledger.note([other.head.word], REASONS.place);
  }
  return true;
}

/** "Each other", "with another one": the action relates objects of a kind. */
export function takeMutual(
  draft: ObjectDraft,
  { word, relation, other }: Extract<Modifier, { type: 'mutual' }>,
): boolean {
  const { grounded, head, ledger, relations } = draft;
  const kind = relation?.sense.relation ?? word.sense.relation ?? null;
  const verbRelation = head?.type === 'action' ? head.word.sense.relation : undefined;
  const isDone = TRANSITIVE.has(draft.action);
  const related = kind ?? verbRelation ?? (isDone ? 'near' : null);
  if (!related || (!grounded.plural && !other)) return false;
  ledger.use(word, ...(relation ? [relation] : []));
  if (relation) ledger.caveat(relation, relation.sense.caveat);
  if (other) {
    const object = groundOther(draft, other);
    if (!object || object === 'place' || object.negated) return false;
    relations.push({ kind: related, other: object.query, negated: false });
    return true;
  }
  const one = { min: 1, max: null };
  if (draft.subject.count.min <= 2) draft.subject = { ...draft.subject, count: one };
  relations.push({ kind: related, other: { ...draft.subject, count: one }, negated: false });
  return true;
}

/** Class of "my car". */
const OWN_CLASSES: readonly string[] = ['car'];

/** "On the left side of the road": the side is a part of the place. */
const BESIDE: ReadonlySet<Relation> = new Set(['left_of', 'right_of', 'above', 'below']);

/** Relations to a landmark of the scene. */
const BESIDE_LANDMARK: ReadonlySet<Relation> = new Set([
  'near',
  'in_front_of',
  'behind',
  'left_of',
  'right_of',
  'below',
]);
