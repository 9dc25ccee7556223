import type { Entity, EntityAttribute, Leaf, Modifier, SidePlace } from '../meaning/types.ts';
import { NAMES, REASONS } from '../reasons.ts';
import { regionOf } from '../region.ts';
import type { ObjectQuery, Region, Side } from '../schema.ts';
import { ROAD_VEHICLES } from './classes.ts';
import { decidesOf, type Ledger } from './ledger.ts';

/** An entity as an object that the detector finds. */
export type GroundedObject = {
  query: ObjectQuery;
  /** None of them: "no car", "nobody". */
  negated: boolean;
  /** Without color, count, place or remark, in the singular: may stand for the vehicle that carries the camera. */
  plain: boolean;
  definite: boolean;
  /** "The driver". */
  carrier: boolean;
  plural: boolean;
  /** Only an upper limit: "at most two". */
  isAtMost: boolean;
};

export const ANYTHING: ObjectQuery = {
  text: NAMES.anything,
  classes: [],
  colors: [],
  count: { min: 1, max: null },
  state: null,
  place: null,
};

/** Most colors of one object, and longest excerpt of the prompt. */
const MAX_COLORS = 20;
const MAX_TEXT = 500;
/** Largest count of a plan. */
const MAX_COUNT = 10_000;

/** Words that an entity consists of, as they are quoted. */
export const quotedLeaves = ({ head, attributes }: Entity): Leaf[] => [
  ...attributes.flatMap(leavesOfAttribute),
  ...('words' in head ? head.words : [head.word]),
];

/** The words of an attribute. */
export function leavesOfAttribute(attribute: EntityAttribute): readonly Leaf[] {
  switch (attribute.type) {
    case 'color':
      return attribute.words;
    case 'side':
      return leavesOfSide(attribute.place);
    default:
      return [attribute.word];
  }
}

/**
 * Grounds an entity as an object: its class, colors, count, state and place. Null for what is no object, such as a
 * place or a pronoun. What nobody can see blocks the search by its name.
 */
export function groundObject(
  entity: Entity,
  ledger: Ledger,
  textOf: (leaves: readonly Leaf[]) => string,
): GroundedObject | null {
  const { head, attributes, amount, determiner, negation } = entity;
  if (head.type !== 'object' && head.type !== 'unseen') return null;
  const sense = head.type === 'object' ? head.word.sense : null;
  const query: ObjectQuery = {
    ...ANYTHING,
    text: textOf(quotedLeaves(entity)).slice(0, MAX_TEXT),
    classes: [...(sense?.classes ?? [])],
    count: { min: sense?.min ?? 1, max: null },
    ...(sense?.ridden ? { ridden: true } : {}),
    ...(sense?.afoot ? { afoot: true } : {}),
  };
  let isQualified = false;
  for (const attribute of attributes) {
    isQualified = true;
    switch (attribute.type) {
      case 'color':
        if (sense?.fixedColor) ledger.block(attribute.words, sense.fixedColor);
        else {
          ledger.use(...attribute.words);
          query.colors = [...new Set(attribute.words.flatMap((word) => word.sense.names))].slice(0, MAX_COLORS);
          for (const word of attribute.words) ledger.caveat(word, word.sense.caveat, decidesOf(word));
        }
        break;
      case 'state':
        ledger.use(attribute.word);
        query.state = attribute.word.sense.state;
        break;
      case 'side':
        ledger.use(...attribute.place.sides, ...attribute.place.parts);
        query.place = placeOf(attribute.place);
        break;
      case 'vague':
        ledger.note([attribute.word], attribute.word.sense.reason);
        break;
      case 'unseen':
        ledger.block([attribute.word], attribute.word.reason);
        break;
      case 'signal':
        return null;
    }
  }
  if (head.type === 'unseen') ledger.block(head.words, head.words.at(-1)!.reason);
  else {
    ledger.use(head.word);
    ledger.caveat(head.word, sense!.caveat, sense!.decides ? { decides: true } : {});
    isQualified ||= sense!.caveat !== undefined && !sense!.carrier;
  }
  if (determiner?.type === 'other') ledger.note([determiner], REASONS.others, { decides: true });
  if (negation) ledger.use(negation);
  let isNone = negation !== null || sense?.negated === true;
  let isAtMost = false;
  if (amount) {
    ledger.use(...amount.words);
    isQualified = true;
    const count = countOf(amount.min, amount.max);
    if (amount.min === 0 && amount.max === null) isNone = true;
    else query.count = count;
    isAtMost = amount.min === null;
  }
  if (determiner?.type === 'definite' && !isNone) query.definite = true;
  return {
    query,
    negated: isNone,
    plain:
      !isQualified &&
      // "The car at the gate" is one in view.
      entity.modifiers.length === 0 &&
      !entity.plural &&
      determiner?.type !== 'indefinite' &&
      determiner?.type !== 'any' &&
      determiner?.type !== 'other' &&
      head.type === 'object' &&
      (isOfClasses(ROAD_VEHICLES, query) || sense?.carrier === true),
    definite: determiner?.type === 'definite',
    carrier: sense?.carrier === true,
    plural: entity.plural || query.count.min > 1,
    isAtMost,
  };
}

const countOf = (min: number | null, max: number | null): ObjectQuery['count'] => {
  const limit = (n: number) => Math.max(1, Math.min(MAX_COUNT, Math.round(n)));
  return { min: limit(min ?? 1), max: max === null ? null : limit(max) };
};

/** All classes are among these, and there is one. */
export const isOfClasses = (classes: readonly string[], query: ObjectQuery) =>
  query.classes.length > 0 && query.classes.every((name) => classes.includes(name));

/** The region that side words name; null for sides that contradict each other. */
export const placeOf = ({ sides, parts }: SidePlace): Region | null =>
  regionOf(
    sides.map(({ sense }) => sense.side),
    parts.some(({ sense }) => sense.part === 'half'),
  );

/** The only edge of the frame that is named: "left", "left side". Null for areas such as "top left", "left half". */
export function edgeOf({ sides, parts }: SidePlace): Side | null {
  const [only, ...others] = sides;
  const isArea = parts.some(({ sense }) => sense.part !== 'edge');
  return others.length > 0 || isArea || only!.sense.side === 'middle' ? null : only!.sense.side;
}

export const leavesOfSide = ({ sides, parts }: SidePlace): Leaf[] => [...sides, ...parts];

/** Grounds clothes: their color, and the part of the body. Returns null where more than one garment is named. */
export function groundClothes(
  query: ObjectQuery,
  modifier: Extract<Modifier, { type: 'worn' }>,
  ledger: Ledger,
): ObjectQuery | null {
  const { colors, garment } = modifier;
  if (garment === null) {
    ledger.use(...colors);
    for (const word of colors)
      ledger.caveat(word, word.sense.caveat ?? (isPerson(query) ? undefined : REASONS.wholeObject), decidesOf(word));
    return {
      ...query,
      colors: mergeColors(
        query,
        colors.flatMap(({ sense }) => sense.names),
      ),
    };
  }
  if (garment.head.type !== 'garment' || garment.amount || garment.negation || garment.modifiers.length > 0)
    return null;
  const { word } = garment.head;
  const own = garment.attributes.flatMap((attribute) => (attribute.type === 'color' ? attribute.words : []));
  for (const attribute of garment.attributes) {
    if (attribute.type === 'vague') ledger.note([attribute.word], attribute.word.sense.reason);
    else if (attribute.type === 'unseen') ledger.block([attribute.word], attribute.word.reason);
    else if (attribute.type !== 'color') return null;
  }
  ledger.use(...own);
  for (const color of own) ledger.caveat(color, color.sense.caveat, decidesOf(color));
  const names = own.length > 0 ? own.flatMap(({ sense }) => sense.names) : (word.sense.colors ?? []);
  if (names.length === 0) {
    ledger.block([word], REASONS.clothing);
    return query;
  }
  ledger.use(word);
  if (query.colors.length > 0) return null;
  const isWorn = isPerson(query);
  ledger.caveat(word, isWorn ? word.sense.caveat : REASONS.wholeObject, own.length === 0 ? { decides: true } : {});
  const worn = isWorn && word.sense.part ? { worn: word.sense.part } : {};
  return { ...query, colors: mergeColors(query, names), ...worn };
}

const mergeColors = (query: ObjectQuery, names: readonly string[]) =>
  [...new Set([...query.colors, ...names])].slice(0, MAX_COLORS);

export const isPerson = ({ classes }: ObjectQuery) => classes.includes('person');

/** "All cars", "everybody": "every car" may be each of them by itself. */
export const isAllTogether = ({ determiner, head, plural }: Entity): boolean =>
  determiner?.whole === 'all' && head.type === 'object' && (plural || determiner.id === head.word.id);
