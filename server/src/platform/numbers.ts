/** Decimals of numbers on the wire: microseconds for times and positions. */
const DECIMALS = 1e6;
/** Below this a number keeps as many significant digits instead, so that small ones do not become 0. */
const SMALL = 1e-3;

/** The number without the noise of binary fractions: 12.300000000000001 is 12.3, and a third is 0.333333. */
export function rounded(value: number): number {
  if (Number.isInteger(value)) return value;
  return Math.abs(value) < SMALL ? Number(value.toPrecision(6)) : Math.round(value * DECIMALS) / DECIMALS;
}

/** JSON text in which all numbers are rounded. */
export const roundedJson = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'number' ? rounded(part) : part));

/**
 * The same value with all numbers rounded; what needs no rounding is not copied. Objects of the field `exempt` are left alone:
 * they hold numbers that users stated.
 */
export function roundNumbers(value: unknown, exempt: string): unknown {
  if (typeof value === 'number') return rounded(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => roundNumbers(item, exempt));
    return items.every((item, i) => Object.is(item, value[i])) ? value : items;
  }
  if (!isPlain(value)) return value;
  let copy: Record<string, unknown> | null = null;
  for (const [name, part] of Object.entries(value)) {
    const round = name === exempt ? part : roundNumbers(part, exempt);
    if (Object.is(round, part)) continue;
    copy ??= { ...value };
    copy[name] = round;
  }
  return copy ?? value;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
