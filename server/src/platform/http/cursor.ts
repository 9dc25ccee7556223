import { problems } from './problems.ts';

/** Where a page of a list ended, as opaque text: what the next one's rows come after. */
export const encodeCursor = (place: readonly string[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

/** The place in it, of `length` parts. Throws `cursor_invalid` (400) for text that no page gave. */
export function decodeCursor(cursor: string, length: number): string[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    // What PostgreSQL cannot hold as text is no place either.
    const valid = Array.isArray(place) && place.length === length && place.every((part) => typeof part === 'string');
    if (valid && !place.some((part) => part.includes('\0'))) return place;
  } catch {}
  throw problems.cursor_invalid();
}
