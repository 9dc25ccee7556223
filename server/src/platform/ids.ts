import { v7 } from 'uuid';

/** A new opaque id: 32 lower-case hex digits of a UUIDv7 (RFC 9562). Ids sort by age. */
export function newId(): string {
  return v7().replaceAll('-', '');
}

export const ID_PATTERN = '^[0-9a-f]{32}$';
