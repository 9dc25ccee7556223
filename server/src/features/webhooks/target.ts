import { problems } from './problems.ts';
import type { StoredWebhook, WebhookFormat } from './types.ts';

/** Where the messages of a webhook go. */
export type WebhookTarget = { kind: 'http' } | { kind: 'email'; address: string } | { kind: 'mqtt'; topic: string };

const SCHEMES: Record<string, 'email' | 'mqtt'> = { 'mailto:': 'email', 'mqtt:': 'mqtt' };
/** One address, without anything that mail servers read as a list or a name. */
const ADDRESS = /^[^\s@,;:<>()[\]"\\]{1,64}@[^\s@,;:<>()[\]"\\]{1,255}$/u;
/** A topic without wildcards and empty levels. */
const TOPIC = /^[^+#/\p{Cc}]+(\/[^+#/\p{Cc}]+)*$/u;

/** Level above all topics. */
const TOPICS = 'sightline';

type TopicOwner = Pick<StoredWebhook, 'orgId' | 'orgTopic'>;

/**
 * The levels above the topic of a webhook. Organizations share a broker: with the id of its own, none publishes on a
 * topic of another. Earlier webhooks keep their topic.
 */
const topicRootOf = ({ orgId, orgTopic }: TopicOwner): string => (orgTopic ? `${TOPICS}/${orgId}` : TOPICS);

/** Where the messages of a stored webhook go. */
export const targetOf = (webhook: Pick<StoredWebhook, 'url' | 'format'> & TopicOwner): WebhookTarget =>
  parseTarget(webhook.url, webhook.format, topicRootOf(webhook));

/** The MQTT topic of a stored webhook; null if it has none. */
export function topicOf(webhook: Parameters<typeof targetOf>[0]): string | null {
  if (webhook.format !== 'mqtt') return null;
  const target = targetOf(webhook);
  return target.kind === 'mqtt' ? target.topic : null;
}

/** Format of a URL whose webhook names none. */
export const defaultFormat = (url: string): WebhookFormat => SCHEMES[URL.parse(url)?.protocol ?? ''] ?? 'standard';

/**
 * Reads `https://…`, `mailto:ada@example.com` or `mqtt:gate/alerts`, whose topic is below `topicRoot`. Throws
 * `webhook_url_invalid`, `webhook_address_invalid`, `webhook_topic_invalid` or `webhook_format_other` (400).
 */
export function parseTarget(url: string, format: WebhookFormat, topicRoot = TOPICS): WebhookTarget {
  const parsed = URL.parse(url);
  const kind = SCHEMES[parsed?.protocol ?? ''] ?? 'http';
  const wanted = format === 'email' || format === 'mqtt' ? format : 'http';
  if (kind !== wanted) throw problems.webhook_format_other();
  if (kind === 'http') {
    if (parsed?.username || parsed?.password) throw problems.webhook_url_invalid();
    return { kind };
  }
  const rest = decode(url.trim().replace(/^[a-z]+:(\/\/)?/i, ''));
  if (kind === 'email') {
    if (rest === null || !ADDRESS.test(rest)) throw problems.webhook_address_invalid();
    return { kind, address: rest };
  }
  if (rest === null || rest.length > 200 || !TOPIC.test(rest)) throw problems.webhook_topic_invalid();
  return { kind, topic: `${topicRoot}/${rest}` };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The host, address or topic of a webhook, without paths, which may have secrets. */
export const shownTarget = (url: string): string => new URL(url).host || new URL(url).pathname;
