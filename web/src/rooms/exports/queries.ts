import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { cursorPages } from '#api/pages.ts';
import { ownAddress } from '#rooms/analyses/types.ts';

const PAGE_SIZE = 100;
const POLL_MS = 2_000;

/** Exports of the user, newest first; polled while one is being written. */
export const exportsQuery = infiniteQueryOptions({
  queryKey: ['exports'],
  ...cursorPages,
  queryFn: async ({ pageParam, signal }) =>
    (await api.GET('/api/exports', { params: { query: { limit: PAGE_SIZE, cursor: pageParam } }, signal })).data!,
  refetchInterval: ({ state: { data } }) =>
    data?.pages.some((page) => page.exports.some(({ status }) => status === 'processing')) ? POLL_MS : false,
});

/** Saves the file behind a signed address; the service names it. */
export function download(url: string): void {
  const link = document.createElement('a');
  link.href = ownAddress(url);
  link.download = '';
  link.click();
}
