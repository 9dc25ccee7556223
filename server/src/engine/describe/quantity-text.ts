import type { Quantity, Target, Trend } from '../plan/index.ts';
import { seconds } from './words.ts';

type OwnQuantity = Exclude<Quantity, 'channel'>;
type Unit = { name: string; words: RegExp; factor: number };

const UNITS_OF_ACCELERATION: Unit[] = [
  { name: 'm/s²', words: /m\/s/i, factor: 1 },
  { name: 'g', words: /\d\s*g\b/i, factor: 9.80665 },
];

/** Units that a prompt may use, with their size in the unit of the plan; the first is the default. */
const UNITS_OF: Record<OwnQuantity, Unit[]> = {
  speed: [
    { name: 'km/h', words: /km\/?h|kmh|kph|kilomet/i, factor: 1 / 3.6 },
    { name: 'mph', words: /mph|miles? per hour|mi\/h/i, factor: 0.44704 },
    { name: 'knots', words: /knots?\b/i, factor: 1852 / 3600 },
    { name: 'm/s', words: /m\/s|met(er|re)s? per second/i, factor: 1 },
  ],
  acceleration: UNITS_OF_ACCELERATION,
  deceleration: UNITS_OF_ACCELERATION,
  lateral_acceleration: UNITS_OF_ACCELERATION,
  yaw_rate: [
    { name: '°/s', words: /°|deg/i, factor: Math.PI / 180 },
    { name: 'rad/s', words: /rad/i, factor: 1 },
  ],
  loudness: [{ name: 'dBFS', words: /dB/i, factor: 1 }],
};

/** Units of time besides the second, largest first, with their length in seconds. */
const UNITS_OF_TIME = [
  { name: 'h', words: /hour|hr\b|\d\s*h\b|\bh\b|stunde|hora|heure|小时/i, factor: 3600 },
  { name: 'min', words: /min|分/i, factor: 60 },
];

/** Writes times in the unit of the prompt: "2 min" where it says "2 minutes", else "120 s". */
export const timeTextOf =
  (prompt: string) =>
  (value: number): string => {
    const isWhole = (factor: number) => value >= factor / 4 && Number.isInteger((value / factor) * 4);
    const unit = UNITS_OF_TIME.find(({ words, factor }) => words.test(prompt) && isWhole(factor));
    return unit ? `${value / unit.factor} ${unit.name}` : seconds(value);
  };

/** "Battery below 20 %", "motor temperature rises". */
function channelText({ channel, trend, range: { min, max } }: QuantityTarget, negated: boolean): string {
  const { name, unit } = channel!;
  const not = negated ? 'not ' : '';
  if (trend) return `${name} ${negated ? TRENDS[trend].not : TRENDS[trend].is}`;
  if (min === null && max === null) return name;
  const limits =
    min !== null && max !== null ? `between ${min} and ${max}` : min !== null ? `above ${min}` : `below ${max}`;
  return `${name} ${not}${limits}${unit ? ` ${unit}` : ''}`;
}

const TRENDS: Record<Trend, { is: string; not: string }> = {
  rises: { is: 'rises', not: 'does not rise' },
  falls: { is: 'falls', not: 'does not fall' },
  changes: { is: 'changes', not: 'does not change' },
  constant: { is: 'stays the same', not: 'does not stay the same' },
};

type QuantityTarget = Extract<Target, { kind: 'quantity' }>;

/** "Speed above 30 km/h", in the unit of the prompt. */
export function quantityText(what: QuantityTarget, negated: boolean, prompt: string): string {
  if (what.channel || what.quantity === 'channel') return what.channel ? channelText(what, negated) : 'a channel';
  const {
    quantity,
    range: { min, max },
  } = what;
  const units = UNITS_OF[quantity];
  const unit = units.find(({ words }) => words.test(prompt)) ?? units[0]!;
  const format = (value: number) => String(Math.round((value / unit.factor) * 100) / 100);
  if (min === null && max === null) return quantity.replaceAll('_', ' ');
  const limits =
    min !== null && max !== null
      ? `between ${format(min)} and ${format(max)}`
      : min !== null
        ? `above ${format(min)}`
        : `below ${format(max ?? 0)}`;
  return `${quantity.replaceAll('_', ' ')} ${negated ? 'not ' : ''}${limits} ${unit.name}`;
}

/** "42.3 km/h", in the unit of the prompt. */
export function quantityValueText(quantity: OwnQuantity, value: number, prompt: string): string {
  const units = UNITS_OF[quantity];
  const unit = units.find(({ words }) => words.test(prompt)) ?? units[0]!;
  return `${Math.round((value / unit.factor) * 10) / 10} ${unit.name}`;
}
