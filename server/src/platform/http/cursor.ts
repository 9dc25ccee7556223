import { ID_PATTERN } from '../ids.ts';
import { problems } from './problems.ts';

const ID = new RegExp(ID_PATTERN);

/** A page of a list whose cursor is the id of the page's last row. */
export type IdPage = { limit: number; cursor?: string | null };

/**
 * Reads a page of a list that is ordered by id. `read` gets the id after which the page starts (null: the first page)
 * and how many rows to read: one more than the page has. Throws `cursor_invalid` (400).
 */
export async function readIdPage<Row>(
  { limit, cursor }: IdPage,
  read: (after: string | null, limit: number) => Promise<Row[]>,
  idOf: (row: Row) => string,
): Promise<{ rows: Row[]; hasMore: boolean; nextCursor: string | null }> {
  if (cursor && !ID.test(cursor)) throw problems.cursor_invalid();
  const found = await read(cursor ?? null, limit + 1);
  const rows = found.slice(0, limit);
  const hasMore = found.length > limit;
  return { rows, hasMore, nextCursor: hasMore ? idOf(rows.at(-1)!) : null };
}

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
