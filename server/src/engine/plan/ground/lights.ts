import type { Entity, Leaf, Modifier, Predicate, Word } from '../meaning/types.ts';
import type { Action, LightColor, LightTarget } from '../schema.ts';
import type { Ledger } from './ledger.ts';
import { leavesOfAttribute } from './objects.ts';

/** Colors that a lamp of a traffic light has, by the names of colors. */
const LAMPS: Readonly<Record<string, LightColor>> = { red: 'red', green: 'green', yellow: 'yellow', orange: 'yellow' };
/** Actions of a vehicle that stands at a traffic light. */
const STOPS: ReadonlySet<Action> = new Set(['stops', 'stands']);
const SHOWN: ReadonlySet<Action> = new Set(['present', 'appears']);

/** Grounds the lamp of a traffic light: which one is lit, or that it changes. Null for anything else about it. */
export function groundLight(lamp: Entity, predicate: Predicate | null, ledger: Ledger): LightTarget | null {
  const own = colorOf(lamp);
  if (own === undefined) return null;
  ledger.use(...leavesOfLight(lamp));
  if (predicate === null) return { kind: 'traffic_light', event: 'shows', color: own };
  const { head, object, agent } = predicate;
  if (object || agent) return null;
  switch (head.type) {
    case 'exists':
      return own && { kind: 'traffic_light', event: 'shows', color: own };
    case 'action':
      if (!own || !SHOWN.has(head.word.sense.action) || head.word.sense.negated) return null;
      ledger.use(head.word);
      return { kind: 'traffic_light', event: 'shows', color: own };
    case 'color':
    case 'becomes': {
      const stated = head.type === 'color' ? head.words : head.colors;
      const color = stated.length > 0 ? lampOf(stated) : null;
      if (own || color === undefined) return null;
      ledger.use(...stated, ...(head.type === 'becomes' ? [head.word] : []));
      return { kind: 'traffic_light', event: head.type === 'becomes' ? 'turns' : 'shows', color };
    }
    default:
      return null;
  }
}

/** An event of a vehicle at a traffic light, the words that state it, and the modifiers that state something else. */
type LightStop = { what: LightTarget; words: readonly Leaf[]; others: readonly Modifier[] };

/** The vehicle with the camera waits at a traffic light, or runs it. Null for anything else. */
export function findLightStop({ head, object, agent, modifiers, passive }: Predicate): LightStop | null {
  if (agent || passive) return null;
  if (head.type === 'runs') {
    if (object?.kind !== 'entity') return null;
    const color = colorOf(object);
    if (!color) return null;
    return {
      what: { kind: 'traffic_light', event: 'runs', color },
      words: [head.word, ...leavesOfLight(object)],
      others: modifiers,
    };
  }
  const isStop =
    (head.type === 'action' && STOPS.has(head.word.sense.action)) ||
    (head.type === 'state' && head.word.sense.state === 'stationary');
  const at = modifiers.find(isAtLight);
  if (!isStop || object || !at) return null;
  const color = colorOf(at.other);
  if (!color) return null;
  const what: LightTarget = {
    kind: 'traffic_light',
    event: 'waits',
    color,
    ...(at.other.determiner?.type === 'definite' ? { presumed: true } : {}),
  };
  return {
    what,
    words: [head.word, at.word, ...leavesOfLight(at.other)],
    others: modifiers.filter((each) => each !== at),
  };
}

type AtLight = Extract<Modifier, { type: 'role' | 'relation' }> & { readonly other: Entity };

const isAtLight = (modifier: Modifier): modifier is AtLight =>
  ((modifier.type === 'role' && modifier.role === 'at') ||
    (modifier.type === 'relation' && modifier.word.sense.relation === 'in_front_of')) &&
  modifier.negation === null &&
  modifier.other.kind === 'entity' &&
  isLight(modifier.other);

/** True for the lamp of a traffic light. */
export const isLight = ({ head }: Entity): boolean => head.type === 'light';

/** The color of a lamp, null without one; undefined where a plan cannot state its description. */
function colorOf({ head, attributes, modifiers, amount, doing, determiner }: Entity): LightColor | null | undefined {
  if (head.type !== 'light' || modifiers.length > 0 || amount || doing || determiner?.type === 'other')
    return undefined;
  const [color, ...others] = attributes;
  if (others.length > 0 || (color && color.type !== 'color')) return undefined;
  return color ? lampOf(color.words) : null;
}

/** The words of a lamp. */
export const leavesOfLight = ({ head, attributes }: Entity): Leaf[] => [
  ...('word' in head && head.word ? [head.word] : []),
  ...attributes.flatMap(leavesOfAttribute),
];

function lampOf(words: readonly Word<'color'>[]): LightColor | undefined {
  const [only, ...others] = words.flatMap(({ sense }) => sense.names);
  return others.length === 0 ? LAMPS[only!] : undefined;
}
