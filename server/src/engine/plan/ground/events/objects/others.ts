import type { Entity, Leaf, Nominal } from '../../../meaning/types.ts';
import { NO_CLASS, NO_PLACES, REASONS, UNKNOWN_WORD } from '../../../reasons.ts';
import type { ObjectQuery } from '../../../schema.ts';
import { type GroundedObject, groundClothes, groundObject, isOfClasses, leavesOfSide, placeOf } from '../../objects.ts';
import { groundPlace } from '../../places.ts';
import type { ObjectDraft } from './draft.ts';
import { isPersonal } from './pronouns.ts';

/** The other object of a relation; `place` for one that nothing recognizes. */
export function groundOther(draft: ObjectDraft, other: Nominal, isEither = false): GroundedObject | 'place' | null {
  const { context, ledger } = draft;
  if (other.kind === 'group') return groundAlternatives(draft, other.members, other.conjunction === 'or');
  if (other.head.type === 'place') return 'place';
  if (other.head.type === 'pronoun') return groundMentioned(draft, other, other.head.word);
  if (other.doing || other.pick) return null;
  const isAgain = other.determiner?.type === 'other';
  const object = groundObject(isAgain ? { ...other, determiner: null } : other, ledger, context.textOf);
  if (!object || object.isAtMost) return null;
  if (isAgain) ledger.use(other.determiner!);
  let query = object.query;
  if (other.head.type === 'unseen') draft.isUnknown = true;
  for (const modifier of other.modifiers) {
    const isNearby = modifier.type === 'role' && modifier.role === 'bare';
    if (isNearby && groundPlace(modifier, ledger, { action: null, signal: null, isAnything: false, isSubject: false }))
      continue;
    if (modifier.type === 'worn') {
      const dressed = modifier.negation ? null : groundClothes(query, modifier, ledger);
      if (!dressed) return null;
      query = dressed;
      continue;
    }
    if (modifier.type !== 'side' || modifier.role !== 'at' || query.place !== null) return null;
    ledger.use(...leavesOfSide(modifier.place));
    query = { ...query, place: placeOf(modifier.place) };
  }
  if (other.head.type === 'object' && other.amount && !isEither) ledger.caveat(other.head.word, REASONS.uncounted);
  return { ...object, query };
}

/** "Without it": the only object that the steps before name beside their subjects. */
function groundMentioned(draft: ObjectDraft, { plural }: Entity, pronoun: Leaf): GroundedObject | null {
  const { context, ledger } = draft;
  const [only, ...others] = context.mentioned.filter(
    (each) => each.head.type === 'object' && !isPersonal(each.head.word) && each.plural === plural,
  );
  if (!only || others.length > 0 || only.negation || only.doing || only.modifiers.length > 0) return null;
  ledger.use(pronoun);
  return groundObject({ ...only, determiner: null }, ledger, context.textOf);
}

/** "Near a car or a bus": any of these classes. */
function groundAlternatives(draft: ObjectDraft, members: readonly Entity[], isOr: boolean): GroundedObject | null {
  if (!isOr) return null;
  const objects = members.map((member) => groundOther(draft, member));
  if (!objects.every((each): each is GroundedObject => each !== null && each !== 'place')) return null;
  const isBare = objects.every(
    ({ query, negated: isNone }) =>
      !isNone &&
      query.colors.length === 0 &&
      query.count.min === 1 &&
      query.count.max === null &&
      query.place === null &&
      query.state === null &&
      !query.ridden,
  );
  if (!isBare) return null;
  const classes = [...new Set(objects.flatMap(({ query }) => query.classes))];
  const afoot = objects.some(({ query }) => query.afoot) ? { afoot: true } : {};
  return { ...objects[0]!, query: { ...objects[0]!.query, classes, ...afoot } };
}

/**
 * "By the dumpsters": something certain in the scene that no observer knows is a place, which narrows the question.
 * False for other objects.
 */
export function takeLandmark({ ledger, subject, action }: ObjectDraft, word: Leaf, other: Nominal): boolean {
  if (other.kind === 'group' || other.head.type !== 'unseen' || other.determiner?.type !== 'definite') return false;
  const { head, attributes, modifiers, doing, amount, negation, pick } = other;
  if (attributes.length + modifiers.length > 0 || doing || amount || negation || pick) return false;
  if (subject.classes.length === 0 || !OF_LANDMARKS.has(action)) return false;
  const [only, ...more] = head.words;
  // A word of no dictionary may be anything, and of two words one may be a person.
  const isNoun = more.length === 0 && 'number' in only! && only.number !== null;
  if (!isNoun || !NAMELESS.has(only!.reason) || only!.robot) return false;
  ledger.note([word, ...head.words], REASONS.anyPlace);
  return true;
}

/** Reasons for which a noun names no person. */
const NAMELESS: ReadonlySet<string> = new Set([UNKNOWN_WORD, NO_CLASS, NO_PLACES]);
/** Actions that are the same wherever they happen. */
const OF_LANDMARKS: ReadonlySet<string> = new Set([
  'present',
  'stands',
  'sits',
  'loiters',
  'moves',
  'falls',
  'lies',
  'crouches',
]);

/** "Walks across the table": moves while it is on it. False for objects that nothing walks on. */
export function takeSurface(draft: ObjectDraft, word: Leaf, query: ObjectQuery): boolean {
  if (!isOfClasses(SURFACES, query)) return false;
  draft.ledger.caveat(word, REASONS.acrossObject);
  draft.action = 'moves';
  draft.relations.push({ kind: 'on', other: query, negated: false });
  return true;
}

const SURFACES = ['dining table', 'couch', 'bed', 'bench', 'keyboard'];
