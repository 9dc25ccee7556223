import ipaddr from 'ipaddr.js';
import { invalid } from './invalid.ts';

/** One environment variable: its documentation, and how its text becomes a value. */
export type Variable<T> = Readonly<{
  name: string;
  description: string;
  /** Accepted values, for the documentation. */
  values: string;
  /** Value in effect without the variable, for the documentation. */
  defaultText: string;
  /** Parses the trimmed text, or returns the default for null. Throws a Problem that names the variable. */
  parse(text: string | null): T;
}>;

/** `shown` describes a default that is not a constant, such as one that depends on another variable. */
type Options<D> = { default: D; shown?: string; description: string };
type Value<T, D> = D extends null ? T | null : T;

function define<T, const D extends T | null>(
  name: string,
  { default: fallback, shown, description }: Options<D>,
  values: string,
  read: (text: string) => T,
): Variable<Value<T, D>> {
  const defaultText = shown ?? (fallback === null ? 'none' : String(fallback));
  const parse = (text: string | null) => (text === null ? fallback : read(text)) as Value<T, D>;
  return { name, description, values, defaultText, parse };
}

/** Any text; `rule` is the rest of the sentence "NAME …" for a text that `pattern` does not match. */
export function text<const D extends string | null>(
  name: string,
  options: Options<D> & { pattern?: RegExp; rule?: string; values?: string },
): Variable<Value<string, D>> {
  const { pattern, rule = 'is not valid', values = 'text' } = options;
  return define<string, D>(name, options, values, (value) => {
    if (pattern && !pattern.test(value)) throw invalid(name, rule);
    return value;
  });
}

export function integer<const D extends number | null>(
  name: string,
  options: Options<D> & { min: number; max: number },
): Variable<Value<number, D>> {
  const { min, max } = options;
  const range = `${min} to ${max}`;
  return define<number, D>(name, options, range, (value) => {
    const number = Number(value);
    if (Number.isSafeInteger(number) && number >= min && number <= max) return number;
    throw invalid(name, `must be a whole number from ${range}`);
  });
}

/** A number of hours; the value is in seconds. */
export function hours(name: string, options: Options<number> & { min: number; max: number }): Variable<number> {
  const inHours = integer(name, options);
  return { ...inHours, values: `${inHours.values} hours`, parse: (value) => inHours.parse(value) * 3600 };
}

export function oneOf<const T extends string, const D extends T | null>(
  name: string,
  allowed: readonly T[],
  options: Options<D>,
): Variable<Value<T, D>> {
  return define<T, D>(name, options, allowed.join(', '), (value) => {
    const found = allowed.find((each) => each === value);
    if (found === undefined) throw invalid(name, `must be one of ${allowed.join(', ')}`);
    return found;
  });
}

export function boolean(name: string, options: Options<boolean>): Variable<boolean> {
  const choice = oneOf(name, ['true', 'false'], { ...options, default: options.default ? 'true' : 'false' });
  return { ...choice, parse: (value) => choice.parse(value) === 'true' };
}

/** Comma-separated items, without empty ones. */
export function list(name: string, options: Options<null> & { values: string }): Variable<readonly string[]> {
  const { shown = 'none', description, values } = options;
  const parse = (value: string | null) =>
    (value ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
  return { name, description, values, defaultText: shown, parse };
}

/** Comma-separated addresses and CIDR networks. */
export function networks(name: string, description: string): Variable<readonly string[]> {
  const items = list(name, { default: null, description, values: 'CIDR networks, comma-separated' });
  return {
    ...items,
    parse(value) {
      const found = items.parse(value);
      const wrong = found.find((network) => !ipaddr.isValid(network) && !ipaddr.isValidCIDR(network));
      if (wrong === undefined) return found;
      throw invalid(name, `must be networks such as 10.0.0.0/8, separated by commas; "${wrong}" is not one`);
    },
  };
}
