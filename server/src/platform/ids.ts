import { v7 } from 'uuid';

/** A new opaque id: 32 lower-case hex digits of a UUIDv7 (RFC 9562). Ids sort by age. */
export function newId(): string {
  return v7().replaceAll('-', '');
}

export const ID_PATTERN = '^[0-9a-f]{32}$';

/**
 * Bound of the ids created at `time`, moved by `hours`: ids start with their creation time in milliseconds. Clocks of
 * nodes may differ by an hour, so lists move it by one and compare the exact time as well.
 */
export function idAt(time: Date, hours: number): string {
  const ms = Math.max(0, time.getTime() + hours * 3_600_000);
  return ms.toString(16).padStart(12, '0');
}
