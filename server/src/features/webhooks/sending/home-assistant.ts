import type { Publication } from '#platform/messaging/index';
import { type Message, WEBHOOK_EVENTS, type WebhookSettings } from '../types.ts';

const configTopic = (webhookId: string) => `homeassistant/event/sightline_${webhookId}/config`;

/** Describes the topic of a webhook to Home Assistant, which then has an event entity of it (MQTT discovery). */
export function toDiscovery(
  topic: string,
  { id, description, eventTypes }: Pick<WebhookSettings, 'description' | 'eventTypes'> & { id: string },
): Publication {
  const types = eventTypes.length > 0 ? eventTypes : Object.keys(WEBHOOK_EVENTS);
  const config = {
    name: description || topic,
    unique_id: `sightline_${id}`,
    state_topic: topic,
    event_types: [...types, 'webhook.ping'],
    device: { identifiers: ['sightline'], name: 'Sightline', manufacturer: 'Sightline' },
    origin: { name: 'Sightline' },
  };
  return { topic: configTopic(id), payload: JSON.stringify(config), retained: true };
}

/** Removes the entity of a webhook. */
export const toRemoval = (webhookId: string): Publication => ({
  topic: configTopic(webhookId),
  payload: '',
  retained: true,
});

/** Fields that Home Assistant reads: the kind of the event, and all others as attributes. */
export const toHomeAssistant = ({ type, subject, sequence, data, createdAt }: Message): object => ({
  event_type: type,
  timestamp: createdAt.toISOString(),
  subject,
  sequence,
  data,
});
