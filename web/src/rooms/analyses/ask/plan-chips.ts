import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Plan } from '@sightline/sdk';
import { formatNumber } from '#ui/format/format.ts';
import { quote } from '#ui/format/quoted.tsx';
import {
  ACTIONS,
  CAMERA_MOVES,
  COLORS,
  DIRECTIONS,
  FACTS,
  FROM,
  LIGHT_EVENTS,
  QUANTITIES,
  RELATIONS,
  SIGNALS,
  SOUNDS,
  STATES,
  TO,
  TRENDS,
} from './plan-words.ts';

type Translate = (message: MessageDescriptor) => string;
type Step = Plan['searches'][number]['steps'][number];
type Object = Extract<Step['what'], { kind: 'object' }>;
type Quantity = Extract<Step['what'], { kind: 'quantity' }>;

/** A number with its bounds: "≥ 3", "2", "2–4"; null for "one or more". */
function amountOf({ min, max }: Object['subject']['count']): string | null {
  if (max === null) return min > 1 ? `≥ ${min}` : null;
  return min === max ? `${min}` : `${min}–${max}`;
}

function relationOf({ negated, kind, other }: NonNullable<Object['relation']>, t: Translate): string {
  const relation = `${t(RELATIONS[kind])} ${quote(other.text, t)}`;
  return negated ? `${t(msg`not`)} ${relation}` : relation;
}

function objectChips({ subject, action, direction, from, to, relation }: Object, t: Translate): (string | null)[] {
  const { count, colors, state, place } = subject;
  // "From the left to the right" has its direction in its edges.
  const hasEdges = from !== null || to !== null;
  return [
    amountOf(count),
    ...colors.map((color) => (COLORS[color] ? t(COLORS[color]) : color)),
    state && t(STATES[state]),
    action === 'present' ? null : t(ACTIONS[action]),
    direction && !hasEdges ? t(DIRECTIONS[direction]) : null,
    from && t(FROM[from]),
    to && t(TO[to]),
    place && quote(place.name, t),
    relation && relationOf(relation, t),
  ];
}

/** Units of the quantities, and the factors from those of the plan. */
const UNITS: Record<Quantity['quantity'], [unit: string, factor: number]> = {
  speed: ['km/h', 3.6],
  acceleration: ['m/s²', 1],
  deceleration: ['m/s²', 1],
  lateral_acceleration: ['m/s²', 1],
  yaw_rate: ['°/s', 180 / Math.PI],
  loudness: ['dBFS', 1],
  channel: ['', 1],
};

function rangeOf({ quantity, channel, range: { min, max } }: Quantity): string[] {
  const [own, factor] = UNITS[quantity];
  const unit = channel?.unit ?? own;
  const format = (value: number) =>
    `${formatNumber(value * factor, { maximumFractionDigits: channel ? 3 : 1 })} ${unit}`.trim();
  return [...(min === null ? [] : [`≥ ${format(min)}`]), ...(max === null ? [] : [`≤ ${format(max)}`])];
}

function whatChips(what: Step['what'], t: Translate): (string | null)[] {
  switch (what.kind) {
    case 'object':
      return objectChips(what, t);
    case 'signal':
      return [t(SIGNALS[what.signal])];
    case 'camera':
      return [
        t(CAMERA_MOVES[what.move]),
        what.direction && t(DIRECTIONS[what.direction]),
        what.hard ? t(msg({ context: 'braking', message: 'hard' })) : null,
      ];
    case 'sound':
      return [t(SOUNDS[what.sound])];
    case 'speech':
      return [
        what.about ? t(msg`spoken about`) : t(msg`spoken words`),
        what.words === null ? null : quote(what.words, t),
      ];
    case 'text':
      return [what.text === null ? t(msg`text`) : quote(what.text, t)];
    case 'traffic_light':
      return [t(LIGHT_EVENTS[what.event]), what.color && t(COLORS[what.color]!)];
    case 'quantity':
      return [
        t(QUANTITIES[what.quantity]),
        what.channel ? quote(what.channel.name, t) : null,
        what.trend ? t(TRENDS[what.trend]) : null,
        ...rangeOf(what),
      ];
    case 'fact':
      return [t(FACTS[what.fact])];
    case 'motion':
      return [t(msg`motion`), what.place && quote(what.place.name, t)];
    default:
      return [];
  }
}

const stepOf = (plan: Plan, text: string) =>
  plan.searches.flatMap(({ steps }) => steps).find((each) => each.text === text);

/** The subject of a part of the prompt, in the words of the prompt; null where its conditions say it. */
export function planSubject(plan: Plan, text: string): string | null {
  const what = stepOf(plan, text)?.what;
  return what?.kind === 'object' ? what.subject.text : null;
}

/**
 * The conditions of a part of the prompt, in the language of the page. Parts and steps belong together by their text;
 * empty for a part that is not in the plan.
 */
export function planChips(plan: Plan, text: string, t: Translate): string[] {
  const step = stepOf(plan, text);
  if (!step) return [];
  const { negated, what, duration } = step;
  const chips = [
    negated ? t(msg`not`) : null,
    ...whatChips(what, t),
    duration?.min == null ? null : `≥ ${formatNumber(duration.min)} s`,
    duration?.max == null ? null : `≤ ${formatNumber(duration.max)} s`,
  ];
  return chips.filter((chip) => chip !== null);
}
