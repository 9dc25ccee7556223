/** A unit: `factor` and `offset` convert its values to the base unit of its dimension. */
type UnitOfChannel = { readonly dimension: string; readonly factor: number; readonly offset?: number };

/** Units that a recording or a prompt may state, with the ways in which they are written: the first is its symbol. */
const WRITTEN: readonly (readonly [names: string, dimension: string, factor: number, offset?: number])[] = [
  ['%, pct, percent, percentage', 'share', 0.01],
  ['V, volt, volts', 'voltage', 1],
  ['mV, millivolt, millivolts', 'voltage', 0.001],
  ['kV, kilovolt, kilovolts', 'voltage', 1000],
  ['A, amp, amps, ampere, amperes', 'current', 1],
  ['mA, milliamp, milliamps', 'current', 0.001],
  ['W, watt, watts', 'power', 1],
  ['kW, kilowatt, kilowatts', 'power', 1000],
  ['Ah, amp hours, ampere hours', 'charge', 1],
  ['mAh, milliamp hours', 'charge', 0.001],
  ['Wh, watt hours', 'energy', 1],
  ['kWh, kilowatt hours', 'energy', 1000],
  ['°C, degc, celsius, centigrade, degrees celsius, degree celsius, degrees c', 'temperature', 1],
  ['°F, degf, fahrenheit, degrees fahrenheit, degree fahrenheit, degrees f', 'temperature', 5 / 9, -160 / 9],
  ['K, kelvin, kelvins', 'temperature', 1, -273.15],
  ['Pa, pascal, pascals', 'pressure', 1],
  ['hPa, hectopascal, hectopascals, mbar, millibar, millibars', 'pressure', 100],
  ['kPa, kilopascal, kilopascals', 'pressure', 1000],
  ['MPa, megapascal, megapascals', 'pressure', 1e6],
  ['bar, bars', 'pressure', 1e5],
  ['psi', 'pressure', 6894.757],
  ['m, meter, meters', 'length', 1],
  ['cm, centimeter, centimeters', 'length', 0.01],
  ['mm, millimeter, millimeters', 'length', 0.001],
  ['km, kilometer, kilometers', 'length', 1000],
  ['ft, feet, foot', 'length', 0.3048],
  ['in, inch, inches', 'length', 0.0254],
  ['mi, mile, miles', 'length', 1609.344],
  ['m/s, mps, ms-1, meters per second', 'speed', 1],
  ['km/h, kmh, kph, kmph, kilometers per hour', 'speed', 1 / 3.6],
  ['mph, miles per hour', 'speed', 0.44704],
  ['kn, kt, kts, knot, knots', 'speed', 0.514444],
  ['m/s², m/s2, mps2, m/s^2, ms-2', 'acceleration', 1],
  ['g, gs', 'acceleration', 9.80665],
  ['rad, radian, radians', 'angle', 1],
  ['°, deg, degs, degree, degrees', 'angle', Math.PI / 180],
  ['rad/s, rads, radps, radians per second', 'rate', 1],
  ['°/s, deg/s, degs/s, dps, degps, degrees per second', 'rate', Math.PI / 180],
  ['rpm, rev/min, revolutions per minute', 'rate', Math.PI / 30],
  ['N, newton, newtons', 'force', 1],
  ['kN, kilonewton, kilonewtons', 'force', 1000],
  ['Nm, n·m, newton meters', 'torque', 1],
  ['kg, kilogram, kilograms, kilo, kilos', 'mass', 1],
  ['Hz, hertz', 'frequency', 1],
  ['kHz, kilohertz', 'frequency', 1000],
  ['s, sec, secs, second, seconds', 'time', 1],
  ['ms, msec, millisecond, milliseconds', 'time', 0.001],
  ['us, µs, microsecond, microseconds', 'time', 1e-6],
  ['min, mins, minute, minutes', 'time', 60],
  ['h, hour, hours', 'time', 3600],
  ['L, l, liter, liters', 'volume', 1],
  ['gal, gallon, gallons', 'volume', 3.785412],
  ['lx, lux', 'illuminance', 1],
  ['T, tesla', 'field', 1],
  ['µT, microtesla', 'field', 1e-6],
  ['dB, decibel, decibels', 'level', 1],
];

const UNITS = new Map<string, UnitOfChannel>();
const BY_NAME = new Map<string, string>();
for (const [names, dimension, factor, offset = 0] of WRITTEN) {
  const [symbol, ...others] = names.split(', ');
  UNITS.set(symbol!, { dimension, factor, offset });
  for (const each of [symbol!, ...others]) BY_NAME.set(plain(each), symbol!);
}
/** Symbols that differ only by case: "mPa" is hardly meant, and "MA" neither. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('º', '°')
    .replaceAll('μ', 'µ')
    .replaceAll(/[\s_]+/g, '')
    .replace(/tre(?=s?(?:$|per))/, 'ter');
}

/** The symbol of a unit as it is written in a prompt or a recording; null if it is not known. */
export const findUnit = (text: string): string | null =>
  UNITS.has(text.trim()) ? text.trim() : (BY_NAME.get(plain(text)) ?? null);

/** Ends of names that state a unit: `tire_pressure_kpa`. Single letters are those that few names end with otherwise. */
const SUFFIXES = new Set(
  'pct percent percentage v mv volts volt a ma amps amp w kw ah mah wh kwh c degc celsius degf fahrenheit kelvin pa hpa kpa mbar bar psi m cm mm km ft mps kmh kph kmph mph kn kts mps2 rad deg rads degs dps rpm nm hz khz s sec ms us l lux lx kg'.split(
    ' ',
  ),
);

/** The unit that a name ends with, in brackets or as its last word; null if it states none. */
export function unitOfName(name: string): string | null {
  const bracketed = /[([]([^)\]]{1,20})[)\]]\s*$/.exec(name)?.[1];
  if (bracketed !== undefined) return findUnit(bracketed);
  const words = name
    .split('/')
    .at(-1)!
    .split(/[_\s.-]+/);
  const last = words.at(-1)!.toLowerCase();
  return words.length > 1 && SUFFIXES.has(last) ? findUnit(last) : null;
}

/** A value in another unit; null if the units are of different dimensions. */
export function convertUnit(value: number, from: string, to: string): number | null {
  const [a, b] = [UNITS.get(from), UNITS.get(to)];
  if (!a || !b || a.dimension !== b.dimension) return from === to ? value : null;
  return (value * a.factor + (a.offset ?? 0) - (b.offset ?? 0)) / b.factor;
}
