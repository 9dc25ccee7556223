import type { Client } from 'openapi-fetch';
import type { operations, paths } from '../api.generated.ts';
import type { VideoPassage } from '../resources.generated.ts';

/** Filters of what is spoken and read in videos; all must match. */
export type PassageQuery = Omit<NonNullable<operations['listPassages']['parameters']['query']>, 'cursor'>;

/** Spoken sentences and texts in frames, of videos that were queried or observed for them. */
export type PassageOperations = {
  /** Yields the passages that match, newest videos first and by time, page by page; `limit` is the size of a page. */
  passages(query?: PassageQuery, options?: { signal?: AbortSignal }): AsyncGenerator<VideoPassage>;
};

export const createPassageOperations = (api: Client<paths>): PassageOperations => ({
  async *passages(query = {}, { signal } = {}) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data } = await api.GET('/api/passages', { params: { query: { ...query, cursor } }, signal });
      yield* data!.passages;
      cursor = data!.next_cursor;
    }
  },
});
