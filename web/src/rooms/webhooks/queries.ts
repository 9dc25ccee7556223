import type { WebhookDelivery } from '@sightline/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { cursorPages } from '#api/pages.ts';

const PAGE_SIZE = 50;
/** Interval at which deliveries are read again. */
const REFRESH_MS = 5_000;

export type DeliveryStatus = WebhookDelivery['status'];

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await api.GET('/api/webhooks', { signal })).data!.webhooks,
});

export const deliveriesQuery = (webhookId: string, status: DeliveryStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', webhookId, 'deliveries', status],
    ...cursorPages,
    queryFn: async ({ pageParam, signal }) => {
      const params = { path: { webhook_id: webhookId }, query: { limit: PAGE_SIZE, cursor: pageParam, status } };
      return (await api.GET('/api/webhooks/{webhook_id}/deliveries', { params, signal })).data!;
    },
    refetchInterval: REFRESH_MS,
  });
