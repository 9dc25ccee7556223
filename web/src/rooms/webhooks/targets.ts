import type { Webhook, WebhookDelivery } from '@sightline/sdk';
import { api } from '#api/client.ts';

/** Interval at which the delivery of a test message is read until it has ended. */
const POLL_MS = 500;
/** Attempts that fail are repeated for hours; a person waits for the first ones only. */
const WAIT_MS = 20_000;

/** Name of a webhook in a list of targets: its purpose, or the address without a secret path. */
export function targetName({ url, description }: Pick<Webhook, 'url' | 'description'>): string {
  if (description) return description;
  const { protocol, pathname, host } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? host : pathname;
}

/** The URL of a target from what a person typed: an address of mail needs no `mailto:`. */
export const toTargetUrl = (format: Webhook['format'], text: string): string =>
  format === 'email' && !text.startsWith('mailto:') ? `mailto:${text}` : text;

/** Sends a test message, and returns its delivery once it has ended, or after the first attempts. */
export async function sendTest(webhookId: string): Promise<WebhookDelivery> {
  const path = { webhook_id: webhookId };
  const { delivery_id } = (await api.POST('/api/webhooks/{webhook_id}/ping', { params: { path } })).data!;
  const params = { path: { ...path, delivery_id } };
  const until = Date.now() + WAIT_MS;
  for (;;) {
    const { data } = await api.GET('/api/webhooks/{webhook_id}/deliveries/{delivery_id}', { params });
    if (data!.status !== 'pending' || Date.now() > until) return data!;
    await new Promise((resolve) => window.setTimeout(resolve, POLL_MS));
  }
}
