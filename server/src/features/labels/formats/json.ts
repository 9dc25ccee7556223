/** An object of a file; its fields may be anything. */
export type JsonObject = Record<string, unknown>;

/** The value if it is an object, else an empty object. */
export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

/** The value if it is a list, else an empty list. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;

export const frameOf = (value: unknown): number | null => (Number.isSafeInteger(value) ? numberOf(value) : null);

/** A text, or a number as one; empty for anything else. */
export const nameOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

export const textsOf = (...values: unknown[]): string[] =>
  values.filter((value): value is string => typeof value === 'string' && value !== '');
