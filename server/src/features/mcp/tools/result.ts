import type { CallToolResult } from '@modelcontextprotocol/server';

/** A result as JSON text, which every client shows. */
export const toResult = (value: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
});

/** The named fields of an object that has more than a model needs. */
export const pick = <T extends object>(from: T, names: readonly (keyof T & string)[]): Partial<T> =>
  Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]])) as Partial<T>;
