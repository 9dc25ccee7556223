import { findUnit } from '../../channels/index.ts';
import { DIMENSIONS } from '../meaning/dimensions.ts';
import { isSilentLeaf, leavesOf } from '../meaning/leaves.ts';
import type { Leaf, MeasuredAmount, Modifier, Predicate, Word } from '../meaning/types.ts';
import { NAMES, REASONS } from '../reasons.ts';
import type { ObjectQuery, Range, Target } from '../schema.ts';
import { ROAD_VEHICLES } from './classes.ts';
import type { Ledger } from './ledger.ts';
import { ANYTHING, leavesOfSide, placeOf } from './objects.ts';
import { zoneOf } from './zones.ts';

/** A target of the whole frame, the sound or the vehicle, and the modifiers that state something else. */
type FrameTarget = { what: Target; negated: boolean; others: readonly Modifier[] };

/** "0 km/h": the speed that receivers report at rest, in m/s. */
const AT_REST = 0.5;
/** "Of 80 km/h": five percent either way. */
const QUANTITY_TOLERANCE = 0.05;

/** Grounds a signal, a sound, motion or a measured quantity. Null for anything else. */
export function groundFrame({ head, modifiers, agent }: Predicate, ledger: Ledger): FrameTarget | null {
  switch (head.type) {
    case 'signal': {
      const { signal, caveat, decides, indoors } = head.word.sense;
      ledger.use(head.word, ...leavesOf(agent, isSilentLeaf));
      ledger.caveat(head.word, caveat, indoors ? { presumed: 'vehicle' } : decides ? { decides } : {});
      return { what: { kind: 'signal', signal }, negated: false, others: modifiers };
    }
    case 'sound': {
      const { sound, caveat, decides } = head.word.sense;
      // "A dog barks": the one who makes it is part of its name.
      ledger.use(head.word, ...leavesOf(agent, isSilentLeaf));
      ledger.caveat(head.word, caveat, decides ? { decides } : {});
      const maker = makerOf(agent);
      return { what: { kind: 'sound', sound, ...(maker ? { maker } : {}) }, negated: false, others: modifiers };
    }
    case 'motion': {
      const zone = inZone(modifiers, ledger);
      if (zone) {
        ledger.use(head.word);
        const { region, modifier } = zone;
        const others = modifiers.filter((each) => each !== modifier);
        return { what: { kind: 'motion', place: region }, negated: head.word.sense.negated === true, others };
      }
      const [side] = modifiers.filter((each) => each.type === 'side');
      if (side && side.role !== 'at') return null;
      if (side) ledger.use(...leavesOfSide(side.place));
      ledger.use(head.word);
      const place = side ? placeOf(side.place) : null;
      const others = modifiers.filter((each) => each !== side);
      return { what: { kind: 'motion', place }, negated: head.word.sense.negated === true, others };
    }
    case 'quantity':
      return groundQuantity(head.word, modifiers, ledger);
    default:
      return null;
  }
}

/** "The man" of "the man is talking": an object in view. Anybody may be only heard. */
function makerOf(agent: Predicate['agent']): string | null {
  if (agent?.kind !== 'entity' || agent.head.type !== 'object' || agent.head.indefinite) return null;
  return agent.determiner?.type === 'any' ? null : agent.head.word.text.toLowerCase().slice(0, MAX_MAKER);
}
const MAX_MAKER = 50;

/** "Motion in zone door". */
function inZone(modifiers: readonly Modifier[], ledger: Ledger) {
  for (const modifier of modifiers) {
    if (modifier.type !== 'role' || modifier.role !== 'at' || modifier.negation) continue;
    const zone = zoneOf(modifier.other);
    if (!zone) continue;
    ledger.use(modifier.word, ...leavesOf(zone.entity, isSilentLeaf));
    return { region: zone.region, modifier };
  }
  return null;
}

function groundQuantity(
  word: Extract<Predicate['head'], { type: 'quantity' }>['word'],
  modifiers: readonly Modifier[],
  ledger: Ledger,
): FrameTarget | null {
  const measures = modifiers.flatMap((each) => (each.type === 'measure' ? [each.amount] : []));
  const others = modifiers.filter(({ type }) => type !== 'measure');
  const [amount, ...more] = measures;
  const quantity = word?.sense.quantity ?? 'speed';
  if (more.length > 0) return null;
  if (word && quantity === 'channel') return groundChannel(word, amount, others, ledger);
  if (amount) {
    if (amount.dimension !== DIMENSIONS[quantity]) return null;
    ledger.use(...(word ? [word] : []), ...amount.words);
    if (amount.unitless) ledger.caveat(amount.words.at(-1)!, REASONS.noUnit);
    return { what: { kind: 'quantity', quantity, range: rangeOf(amount) }, negated: false, others };
  }
  if (!word || word.sense.min === undefined) return null;
  ledger.use(word);
  ledger.caveat(word, word.sense.caveat);
  return {
    what: { kind: 'quantity', quantity, range: { min: word.sense.min, max: word.sense.max ?? null } },
    negated: false,
    others,
  };
}

/** A recorded number, by the words that name it: in a range, or as it changes. */
function groundChannel(
  word: Word<'quantity'>,
  amount: MeasuredAmount | undefined,
  others: readonly Modifier[],
  ledger: Ledger,
): FrameTarget | null {
  const { channel: name = '', trend } = word.sense;
  ledger.use(word, ...(amount?.words ?? []));
  if (!amount) {
    if (!trend) return null;
    const range = { min: null, max: null };
    return {
      what: { kind: 'quantity', quantity: 'channel', channel: { name, unit: null }, trend, range },
      negated: false,
      others,
    };
  }
  const { unit, ...range } = limitsOf(amount);
  return { what: { kind: 'quantity', quantity: 'channel', channel: { name, unit }, range }, negated: false, others };
}

/** The limits of a channel as the prompt states them, with their unit. "At 20 %": within some percent of it. */
function limitsOf({ words, min, max, bare }: MeasuredAmount): Range & { unit: string | null } {
  const units = words.filter(isUnit);
  const factor = units.at(-1)?.sense.factor ?? 1;
  const sign = words.some((leaf) => (leaf as { isNegative?: boolean }).isNegative) ? -1 : 1;
  const stated = (value: number | null) => (value === null ? null : round((sign * value) / factor));
  const unit = unitOf(words);
  const [low, high] = [stated(min), stated(max)];
  const isExact = low !== null && (bare ? high === null : low === high);
  if (!isExact) return { min: low, max: high, unit };
  const margin = Math.abs(low) * CHANNEL_TOLERANCE;
  return { min: round(low - margin), max: round(low + margin), unit };
}

const isUnit = (leaf: Leaf): leaf is Word<'unit'> =>
  'sense' in leaf && (leaf.sense as { type?: unknown }).type === 'unit';

/** The symbol of the last known unit among words; null without one. */
export const unitOf = (words: readonly Leaf[]): string | null => {
  const unit = words.findLast(isUnit);
  return unit ? findUnit(unit.text) : null;
};
const CHANNEL_TOLERANCE = 0.02;

/** Limits of a measured quantity. */
export function rangeOf({ min, max, bare }: MeasuredAmount): Range {
  if (!bare && min !== null && min === max)
    return { min: round(min * (1 - QUANTITY_TOLERANCE)), max: round(min * (1 + QUANTITY_TOLERANCE)) };
  return bare && min === 0 ? { min: 0, max: AT_REST } : { min, max };
}
const round = (value: number) => Math.round(value * 1e6) / 1e6;

/** Classes that make a place one that is not empty: a room with chairs is empty all the same. */
export const LIVELY: ObjectQuery = {
  ...ANYTHING,
  text: NAMES.lively,
  classes: ['person', 'bicycle', ...ROAD_VEHICLES, 'cat', 'dog'],
};
