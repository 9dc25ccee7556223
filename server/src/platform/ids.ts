import { v7 } from 'uuid';

/** A new opaque id: 32 lower-case hex digits of a UUIDv7 (RFC 9562), so that ids sort by age. */
export function newId(): string {
  return v7().replaceAll('-', '');
}

/** A new id with a readable prefix, for the kinds that existing clients know by one: `ij_` + 24 hex digits. */
export function newPrefixedId(prefix: string): string {
  return `${prefix}_${newId().slice(0, 24)}`;
}

export const ID_PATTERN = '^[0-9a-f]{32}$';
