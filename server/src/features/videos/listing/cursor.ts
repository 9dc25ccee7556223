import { decodeCursor, encodeCursor, httpProblems } from '#platform/http/index';
import type { Video, VideoSort } from '../types.ts';
import type { PagePosition } from './store.ts';

/** The cursor after a video of a list in this order. */
export const encodeListCursor = (sort: VideoSort, { id, name, durationS }: Video): string =>
  encodeCursor([sort, sort.endsWith('duration_s') ? String(durationS ?? 0) : name, id]);

/** Position that a cursor of a list in this order points to. Throws `cursor_invalid` (400). */
export function parseListCursor(cursor: string, sort: VideoSort): PagePosition {
  const [cursorSort, value, id] = decodeCursor(cursor, 3);
  if (cursorSort !== sort)
    throw httpProblems.cursor_invalid(
      `The query parameter \`cursor\` belongs to a list sorted by ${cursorSort}, not by ${sort}. Start again without it.`,
    );
  const isNumber = value!.trim() !== '' && Number.isFinite(Number(value));
  if (sort.endsWith('duration_s') && !isNumber) throw httpProblems.cursor_invalid();
  return { value: value!, id: id! };
}
