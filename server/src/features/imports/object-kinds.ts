import type { ObjectKind, ObjectKinds } from './types.ts';

/** Returns the kind by the object's extension, else the first kind. */
export const kindForKey = (kinds: ObjectKinds, key: string): ObjectKind => kindByExtension(kinds, key) ?? kinds[0];

export const kindByExtension = (kinds: ObjectKinds, key: string): ObjectKind | undefined =>
  kinds.find(({ extensions }) => extensions.some((extension) => key.toLowerCase().endsWith(extension)));
