import { problems } from './problems.ts';

/** The position after the last row of a page, as opaque text. */
export const encodeCursor = (place: readonly string[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

/** The position in a cursor, with `length` parts. Throws `cursor_invalid` (400). */
export function decodeCursor(cursor: string, length: number): string[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    // PostgreSQL text cannot contain NUL, so such a position is invalid too.
    const valid = Array.isArray(place) && place.length === length && place.every((part) => typeof part === 'string');
    if (valid && !place.some((part) => part.includes('\0'))) return place;
  } catch {}
  throw problems.cursor_invalid();
}
