import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { cursorPages } from '#api/pages.ts';

const PAGE_SIZE = 50;
/** Interval at which runs are read again. */
const REFRESH_MS = 5_000;

export const PATH = '/api/saved-questions/{saved_question_id}';

export const savedQuestionsQuery = queryOptions({
  queryKey: ['saved-questions'],
  queryFn: async ({ signal }) => (await api.GET('/api/saved-questions', { signal })).data!.saved_questions,
});

/** Runs of a saved question, newest first. */
export const runsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['saved-questions', id, 'runs'],
    ...cursorPages,
    queryFn: async ({ pageParam, signal }) => {
      const params = { path: { saved_question_id: id }, query: { limit: PAGE_SIZE, cursor: pageParam } };
      return (await api.GET(`${PATH}/runs`, { params, signal })).data!;
    },
    refetchInterval: REFRESH_MS,
  });
