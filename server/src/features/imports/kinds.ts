import type { Kinds, ObjectKind } from './types.ts';

/** The kind that takes an object: the one its name says, else the first. */
export const kindOf = (kinds: Kinds, key: string): ObjectKind => namedKind(kinds, key) ?? kinds[0];

/** The kind that an object's name says it is, by its ending alone. */
export const namedKind = (kinds: Kinds, key: string): ObjectKind | undefined =>
  kinds.find(({ extensions }) => extensions.some((extension) => key.toLowerCase().endsWith(extension)));
