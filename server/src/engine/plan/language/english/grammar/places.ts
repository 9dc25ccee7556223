import type { Entity, Leaf, Modifier, Nominal, PlaceRole, SidePlace, Surface } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { Unlikely } from '../../../parse/rules.ts';
import { BETWEEN, REASONS } from '../../../reasons.ts';
import type { Relation } from '../../../terms.ts';
import type { Categories } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import { entity, isObject, joined, modified, wears } from './build.ts';

/** Attributes before a noun, and what may stand behind a noun or a verb: places, relations, clothes, times. */
export function placeRules(rule: AddRule<Categories>): void {
  rule('Colors', ['Color'], 'a red car', (color) => [color]);
  rule('Colors', ['Color', 'And', 'Color'], 'a black and white dog', (a, _, b) => [a, b], 0.3);
  rule('Colors', ['Color', 'Or', 'Color'], 'red or blue cars', (a, _, b) => [a, b], 0.3);
  rule(
    'Colors',
    ['Color', 'Comma', 'Color', 'Or', 'Color'],
    'red, blue or white cars',
    (a, _, b, _or, c) => [a, b, c],
    0.3,
  );

  rule('Attribute', ['Colors'], 'a red car', (words) => ({ type: 'color', words }));
  rule('Attribute', ['State'], 'a parked car', (word) => ({ type: 'state', word }));
  rule('Attribute', ['Vague'], 'a big car', (word) => ({ type: 'vague', word }), MODIFIER);
  rule('Attribute', ['UnseenAdjective'], 'a wooden chair', (word) => ({ type: 'unseen', word }), 0.5);
  rule('Attribute', ['UnseenPhrase'], 'an unusual car', (word) => ({ type: 'unseen', word }), 0.3);
  rule('Attribute', ['SidePhrase'], 'the left car', (place) => ({ type: 'side', place }), 0.8);

  rule('SidePhrase', ['Side'], 'a car on the left', (side) => ({ sides: [side], parts: [] }));
  rule('SidePhrase', ['Side', 'Side'], 'motion in the top left', (a, b) => ({ sides: [a, b], parts: [] }));
  rule('SidePhrase', ['SidePhrase', 'Part'], 'a car in the left half', ({ sides, parts }, part) =>
    parts.length === 0 ? { sides, parts: [part] } : null,
  );
  rule(
    'SidePhrase',
    ['Determiner', 'SidePhrase'],
    'a car on the left',
    (determiner, place) => (determiner.type === 'definite' ? place : null),
    0.05,
  );
  rule(
    'SidePhrase',
    ['SidePhrase', 'Of', 'Determiner', 'Picture'],
    'a car in the left half of the picture',
    (place, _, _the, picture) => (isMiddleOf(place, picture) ? new Unlikely(place, 0.5) : place),
  );
  rule('SidePhrase', ['SidePhrase', 'Of', 'Picture'], 'a car in the left half of frame', (place) => place);

  rule(
    'Sides',
    ['SidePhrase', 'Comma', 'Sides'],
    'a car enters from the left, the right or the top',
    (a, _, others) => [a, ...others],
  );
  rule('Sides', ['SidePhrase', 'Or', 'SidePhrase'], 'a car in the left or right half', (a, _, b) => [
    a.parts.length === 0 ? { ...a, parts: b.parts } : a,
    b,
  ]);
  const withSide = (role: PlaceRole, place: SidePlace): Modifier => ({ type: 'side', role, place });
  rule('Complement', ['In', 'SidePhrase'], 'a car on the left', (_, place) => withSide('at', place));
  rule('Complement', ['From', 'SidePhrase'], 'a car enters from the left', (_, place) => withSide('from', place));
  rule('Complement', ['To', 'SidePhrase'], 'a car moves to the left', (_, place) => withSide('to', place));
  const withSides = (role: PlaceRole, places: Categories['Sides']): Modifier => ({
    type: 'either',
    members: places.map((place) => withSide(role, place)),
  });
  rule('Complement', ['In', 'Sides'], 'a car on the left or right', (_, places) => withSides('at', places));
  rule('Complement', ['From', 'Sides'], 'a car enters from the left or the right', (_, places) =>
    withSides('from', places),
  );
  rule('Complement', ['To', 'Sides'], 'a car moves to the left or right', (_, places) => withSides('to', places));
  rule('Modifier', ['Sides'], 'a car leaves left or right', (places) => withSides('bare', places), 0.3);
  rule('Modifier', ['Into', 'SidePhrase'], 'a person walks into the left half', (_, place) => withSide('into', place));
  rule('Modifier', ['Towards', 'SidePhrase'], 'a car moves towards the left', (_, place) => withSide('to', place));
  rule('Modifier', ['SidePhrase'], 'a car moves left', (place) => withSide('bare', place), 0.3);
  rule('Modifier', ['Direction'], 'a car moves upwards', (word) => ({ type: 'direction', word }));

  rule('Complement', ['Relation', 'Subject'], 'a person near a car', (word, other) =>
    related(other, (plain) => ({ type: 'relation', word, negation: null, other: plain })),
  );
  rule(
    'Complement',
    ['Relation', 'Or', 'Relation', 'Subject'],
    'a cup in front of or behind the bottle',
    (a, _, b, other) => {
      if (other.kind === 'group' || other.pick || other.head.type === 'garment') return null;
      const members = [a, b].map((word): Modifier => ({ type: 'relation', word, negation: null, other }));
      return { type: 'either', members };
    },
    MODIFIER,
  );
  rule(
    'Complement',
    ['Complement', 'Or', 'Complement'],
    'a cup next to a bottle or behind a bowl',
    (a, _, b) => oneOf(a, b),
    MODIFIER,
  );
  rule(
    'Modifier',
    ['Modifier', 'Or', 'Modifier'],
    'a car drives upwards or downwards',
    (a, _, b) => oneOf(a, b),
    MODIFIER,
  );
  rule('Modifier', ['Modifier', 'And', 'Modifier'], 'camera moves up and down', (a, _, b) => coursesOf(a, b), MODIFIER);
  rule(
    'Modifier',
    ['Modifier', 'Comma', 'Modifier'],
    'camera pans left, right and up',
    (a, _, b) => (b.type === 'either' ? coursesOf(a, b) : null),
    MODIFIER,
  );
  rule('Complement', ['Direction'], 'pedestrians left to right', (word) =>
    / to /i.test(word.text) ? { type: 'direction', word } : null,
  );
  rule('Modifier', ['From', 'Direction'], 'vehicles crossing from left to right', (_, word) =>
    / to /i.test(word.text) ? { type: 'direction', word } : null,
  );
  rule('Complement', ['From', 'Relation', 'Subject'], 'a person comes from behind a car', (_, word, other) =>
    related(other, (plain) => ({ type: 'relation', word, negation: null, other: plain })),
  );
  rule('Complement', ['Not', 'Relation', 'Subject'], 'a dog not near a person', (negation, word, other) =>
    related(other, (plain) => ({ type: 'relation', word, negation, other: plain })),
  );
  rule('Complement', ['Without', 'Subject'], 'a person without a dog', (word, other) =>
    related(other, (plain) => ({ type: 'relation', word: withRelation(word), negation: word, other: plain })),
  );
  rule('Complement', ['Relation', 'Subject', 'OnIt'], 'a truck with a person on it', (word, other) =>
    word.sense.relation === 'with'
      ? related(other, (plain) => ({ type: 'relation', word, negation: null, other: plain }))
      : null,
  );
  rule(
    'Complement',
    ['Relation', 'Subject', 'Relation', 'Pronoun'],
    'a truck with a person next to it',
    (word, other, beside, pronoun) => {
      const relation = word.sense.relation === 'with' ? CONVERSE[beside.sense.relation] : undefined;
      if (!relation) return null;
      const both = { ...joined(word, [beside, pronoun]), sense: { ...beside.sense, relation } };
      return related(other, (plain) => ({ type: 'relation', word: both, negation: null, other: plain }));
    },
  );
  rule('Complement', ['Without', 'Subject', 'Here'], 'a person without a dog there', (word, other) =>
    related(other, (plain) => ({ type: 'relation', word: withRelation(word), negation: word, other: plain })),
  );
  const betweenThem = ({ span, text, id }: Leaf, other: Nominal) =>
    related(
      other,
      (plain): Modifier => ({
        type: 'relation',
        word: { span, text, id, sense: { type: 'relation', relation: 'near', caveat: BETWEEN } },
        negation: null,
        other: plain,
      }),
    );
  rule('Complement', ['Between', 'Subject'], 'a person between two cars', (word, other) =>
    isPlural(other) ? betweenThem(word, other) : null,
  );
  const worn = (word: Leaf, other: Nominal, negation: Leaf | null) =>
    related(other, (plain): Modifier => ({ type: 'relation', word: withRelation(word), negation, other: plain }));
  rule('Complement', ['Wearing', 'Subject'], 'a person wearing a tie', (word, other) =>
    word.form === 'ing' && isWearable(other) ? worn(word, other, null) : null,
  );
  rule('Complement', ['Not', 'Wearing', 'Subject'], 'a person not wearing a tie', (negation, word, other) =>
    word.form === 'ing' && isWearable(other) ? worn(word, other, negation) : null,
  );
  rule('Complement', ['Relation', 'Reciprocal'], 'two cars next to each other', (relation, word) => ({
    type: 'mutual',
    word,
    relation,
  }));
  rule('Complement', ['Reciprocal'], 'two cars side by side', (word) => ({ type: 'mutual', word, relation: null }));

  const inRole = (role: PlaceRole, surface: Surface, word: Leaf, other: Nominal, negation: Leaf | null = null) =>
    related(other, (plain): Modifier => ({ type: 'role', role, surface, word, negation, other: plain }));
  rule('Complement', ['In', 'Subject'], 'a person at the door', (word, other) =>
    inRole('at', word.surface, word, other),
  );
  rule(
    'Complement',
    ['Not', 'In', 'Subject'],
    'a banana not in the bowl',
    (negation, word, other) => inRole('at', word.surface, word, other, negation),
    0.1,
  );
  rule('Complement', ['Not', 'Wearing', 'Colors'], 'people not in orange', (negation, _, colors) => ({
    type: 'worn',
    colors,
    garment: null,
    negation,
  }));
  rule('Complement', ['In', 'Determiner', 'Picture'], 'people in every frame', (_, determiner) =>
    determiner.type === 'each' ? { type: 'unseen', word: { ...determiner, reason: REASONS.eachPicture } } : null,
  );
  rule('Complement', ['UnseenPhrase'], 'a car upside down', (word) => ({ type: 'unseen', word }), 0.1);
  rule(
    'Complement',
    ['From', 'Subject'],
    'a person comes from the gate',
    (word, other) => inRole('from', null, word, other),
    MODIFIER,
  );
  rule('Modifier', ['Into', 'Subject'], 'a ball rolls into a room', (word, other) => inRole('into', null, word, other));
  rule('Modifier', ['To', 'Subject'], 'a person walks to a car', (word, other) => inRole('to', null, word, other));
  rule('Modifier', ['Towards', 'Subject'], 'a person walks towards a car', (word, other) =>
    inRole('towards', null, word, other),
  );
  rule('Modifier', ['Out', 'Subject'], 'a person walks out of the room', (word, other) =>
    inRole('out', null, word, other),
  );
  rule('Modifier', ['Past', 'Subject'], 'a person strolls past a car', (word, other) =>
    inRole('past', null, word, other),
  );
  rule('Modifier', ['Across', 'Subject'], 'a person enters through the door', (word, other) =>
    inRole('across', null, word, other),
  );
  rule('Modifier', ['Direction', 'Subject'], 'a person walks down the street', (direction, other) =>
    other.kind === 'entity' &&
    other.head.type === 'place' &&
    direction.sense.direction !== 'away' &&
    !other.head.word.sense.steep
      ? inRole('across', null, direction, other)
      : null,
  );

  rule('Complement', ['Wearing', 'Colors'], 'a person in red', (_, colors) => ({
    type: 'worn',
    colors,
    garment: null,
    negation: null,
  }));
  rule('Complement', ['Wearing', 'NounPhrase'], 'a person wearing a red jacket', (_, garment) =>
    garment.head.type === 'garment' ? { type: 'worn', colors: [], garment, negation: null } : null,
  );
  rule('Complement', ['With', 'NounPhrase'], 'a person with a red jacket', (_, garment) =>
    garment.head.type === 'garment' ? { type: 'worn', colors: [], garment, negation: null } : null,
  );
  rule(
    'VerbPhrase',
    ['VerbPhrase', 'Direction', 'NounPhrase'],
    'people walking up the stairs',
    ({ form, predicate: what }, word, place) =>
      place.head.type === 'place' && place.head.word.sense.steep === true && isBarePlace(place)
        ? { form, predicate: modified(modified(what, { type: 'direction', word }), atPlace(place, place.head.word)) }
        : null,
    MODIFIER,
  );
  rule('Complement', ['SettingAdverb'], 'a person outside', (word) => placeAdverb(word));
  rule('Modifier', ['Complement'], 'a person stands near a car', (modifier) => modifier);

  rule('Modifier', ['For', 'Measure'], 'a person stands for 10 seconds', (_, amount) =>
    amount.dimension === 'time' ? { type: 'lasting', amount } : null,
  );
  rule(
    'Modifier',
    ['Measure'],
    'a person stands longer than 10 seconds',
    (amount) => (amount.dimension === 'time' && !amount.bare ? { type: 'lasting', amount } : null),
    MODIFIER,
  );
  rule('Modifier', ['Throughout'], 'a person stands all the time', (word) => ({ type: 'throughout', word }));
  rule('Modifier', ['Vague'], 'a car stops suddenly', (word) => ({ type: 'vague', word }), MODIFIER);
  rule('Modifier', ['Only', 'SignalTime'], 'cars only at night', (_, word) => ({ type: 'signal', word }), MODIFIER);
  rule('Modifier', ['SignalTime'], 'a person at night', (word) => ({ type: 'signal', word }));
  rule('Modifier', ['UnseenAdverb'], 'a car stops politely', (word) => ({ type: 'unseen', word }), 0.5);
  rule('Modifier', ['Again'], 'a car stops again', (word) => ({ type: 'again', word }));
}

const ALTERNATIVE: ReadonlySet<Modifier['type']> = new Set(['relation', 'role', 'side', 'direction', 'signal']);
/** Alternatives of one kind: "next to a bottle or behind a bowl". */
function oneOf(a: Modifier, b: Modifier): Modifier | null {
  if (isCourse(a)) return coursesOf(a, b);
  const isAlternative = (a.type === b.type && ALTERNATIVE.has(a.type)) || (a.type === 'signal' && b.type === 'role');
  return isAlternative ? { type: 'either', members: [a, b] } : null;
}

/** Where something moves to: "left", "upwards". */
const isCourse = (modifier: Modifier) =>
  modifier.type === 'direction' || (modifier.type === 'side' && modifier.role === 'bare');

/** "Left, right and up": one search for each. */
function coursesOf(a: Modifier, b: Modifier): Modifier | null {
  const members = [a, ...(b.type === 'either' ? b.members : [b])];
  return members.every(isCourse) ? { type: 'either', members } : null;
}

/** A modifier belongs to the noun before it, rather than to the noun inside of another modifier. */
function related(other: Nominal, make: (plain: Nominal) => Modifier): Modifier | Unlikely<Modifier> | null {
  const members: readonly Entity[] = other.kind === 'group' ? other.members : [other];
  if (members.some(({ head, pick }) => head.type === 'garment' || pick !== null)) return null;
  if (other.kind === 'group' && !members.every(isObject)) return null;
  const isDeep = members.some(
    (each) =>
      each.doing !== null || each.modifiers.some(({ type }) => type !== 'side' && !(type === 'worn' && wears(each))),
  );
  return isDeep ? new Unlikely(make(other), 0.5) : make(other);
}

const isPlural = (other: Nominal) => other.kind === 'group' || other.plural || other.amount !== null;

/** Objects that people wear, and the detector knows. */
const isWearable = (other: Nominal) =>
  other.kind === 'entity' &&
  other.head.type === 'object' &&
  other.head.word.sense.classes.every((name) => WEARABLE.has(name)) &&
  other.head.word.sense.classes.length > 0;
const WEARABLE: ReadonlySet<string> = new Set(['tie', 'backpack', 'handbag']);

const withRelation = ({ span, text, id }: Leaf) => ({
  span,
  text,
  id,
  sense: { type: 'relation', relation: 'with' } as const,
});

/** A place in one word: "outside". */
const placeAdverb = (word: Categories['SettingAdverb']): Modifier => atPlace(entity({ type: 'place', word }), word);

/** Somewhere in a place that a preposition does not name. */
export const atPlace = (other: Entity, word: Leaf): Modifier => ({
  type: 'role',
  role: 'bare',
  surface: null,
  word,
  negation: null,
  other,
});

/** A place without a description. */
export const isBarePlace = ({ head, attributes, modifiers, amount, negation, doing }: Entity): boolean =>
  head.type === 'place' && attributes.length + modifiers.length === 0 && !amount && !negation && !doing;

/** "The middle third of the video" is a time. */
const isMiddleOf = ({ sides }: SidePlace, { text }: Leaf): boolean =>
  sides.some(({ sense }) => sense.side === 'middle') && /^(?:video|clip|footage|recording|film|movie|vid)$/i.test(text);

/** "With a person behind it": the truck is in front of the person. */
const CONVERSE: Partial<Record<Relation, Relation>> = {
  near: 'near',
  too_close_to: 'too_close_to',
  overlaps: 'overlaps',
  in_front_of: 'behind',
  behind: 'in_front_of',
  left_of: 'right_of',
  right_of: 'left_of',
  above: 'below',
  below: 'above',
  on: 'with',
  inside: 'with',
};
