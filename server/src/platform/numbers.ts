/** Decimals of numbers in responses: microseconds for times and positions. */
const DECIMALS = 1e6;
/** Smaller numbers keep significant digits instead, so that they do not become 0. */
const SMALL = 1e-3;

/** Rounds away the noise of binary fractions: 12.300000000000001 becomes 12.3, and a third 0.333333. */
export function rounded(value: number): number {
  if (Number.isInteger(value)) return value;
  return Math.abs(value) < SMALL ? Number(value.toPrecision(6)) : Math.round(value * DECIMALS) / DECIMALS;
}

/** JSON text with all numbers rounded. */
export const roundedJson = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'number' ? rounded(part) : part));

/**
 * Rounds all numbers of a value, copying only objects that change. Objects in the field `exempt` are unchanged: they
 * contain numbers that users stated.
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
