import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { cursorPages } from '#api/pages.ts';

const PAGE_SIZE = 100;

export const membersQuery = infiniteQueryOptions({
  queryKey: ['members'],
  ...cursorPages,
  queryFn: async ({ pageParam, signal }) =>
    (await api.GET('/api/members', { params: { query: { limit: PAGE_SIZE, cursor: pageParam } }, signal })).data!,
});

export const invitationsQuery = infiniteQueryOptions({
  queryKey: ['invitations'],
  ...cursorPages,
  queryFn: async ({ pageParam, signal }) =>
    (await api.GET('/api/invitations', { params: { query: { limit: PAGE_SIZE, cursor: pageParam } }, signal })).data!,
});
