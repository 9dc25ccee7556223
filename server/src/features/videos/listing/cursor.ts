import { decodeCursor, encodeCursor, httpProblems } from '#platform/http/index';
import type { Video, VideoSort, VideoSortField } from '../types.ts';
import type { PagePosition } from './store.ts';

/** Values of cursors by the field of the order. The id has the time of the upload, so that order has the name, too. */
const VALUES: Record<VideoSortField, (video: Video) => string> = {
  created_at: ({ name }) => name,
  name: ({ name }) => name,
  duration_s: ({ durationS }) => String(durationS ?? 0),
  recorded_at: ({ recordedAt }) => String(recordedAt?.getTime() ?? Number.NEGATIVE_INFINITY),
};
/** Form of the values that are numbers. */
const NUMBERS: Partial<Record<VideoSortField, RegExp>> = {
  duration_s: /^[\d.]+(?:e[+-]?\d+)?$/,
  recorded_at: /^-?(?:\d+|Infinity)$/,
};

const fieldOf = (sort: VideoSort) => sort.replace('-', '') as VideoSortField;

/** The cursor after a video of a list in this order. */
export const encodeListCursor = (sort: VideoSort, video: Video): string =>
  encodeCursor([sort, VALUES[fieldOf(sort)](video), video.id]);

/** Position that a cursor of a list in this order points to. Throws `cursor_invalid` (400). */
export function parseListCursor(cursor: string, sort: VideoSort): PagePosition {
  const [cursorSort, value, id] = decodeCursor(cursor, 3);
  if (cursorSort !== sort)
    throw httpProblems.cursor_invalid(
      `The query parameter \`cursor\` belongs to a list sorted by ${cursorSort}, not by ${sort}. Start again without it.`,
    );
  const form = NUMBERS[fieldOf(sort)];
  if (form && !form.test(value!)) throw httpProblems.cursor_invalid();
  return { value: value!, id: id! };
}
