import { Type } from 'typebox';
import { Maybe, Nullable, resource, Timestamp } from '#platform/http/index';
import { WEBHOOK_EVENTS, WEBHOOK_FORMATS, type WebhookEvent, type WebhookFormat } from './types.ts';

const ID = '019a0b1c2d3e7f008000000000000041';
const DELIVERY_ID = '019a0b1c2d3e7f008000000000000042';
const MESSAGE_ID = '019a0b1c2d3e7f008000000000000043';

export const WebhookParams = Type.Object({ webhook_id: Type.String({ description: 'Identifier of the webhook.' }) });
export const WebhookDeliveryParams = Type.Object({
  webhook_id: Type.String({ description: 'Identifier of the webhook.' }),
  delivery_id: Type.String({ description: 'Identifier of the delivery.' }),
});

const names = Object.keys(WEBHOOK_EVENTS) as WebhookEvent[];
const EventType = Type.Union(
  names.map((name) => Type.Literal(name)),
  { description: names.map((name) => `\`${name}\`: ${WEBHOOK_EVENTS[name]}`).join(' ') },
);

const formats = Object.keys(WEBHOOK_FORMATS) as WebhookFormat[];
const Format = Type.Union(
  formats.map((name) => Type.Literal(name)),
  {
    description: `How messages are written; default: that of the URL, \`standard\` for your own endpoint. ${formats.map((name) => `\`${name}\`: ${WEBHOOK_FORMATS[name]}`).join(' ')}`,
  },
);

const SETTINGS = {
  format: Maybe(Format),
  description: Maybe(Type.String({ maxLength: 255, description: 'What the webhook is for.' })),
  event_types: Maybe(
    Type.Array(EventType, {
      maxItems: names.length,
      description: 'Types of messages to send; default, and if empty: all, also those of later versions.',
    }),
  ),
  folder_id: Maybe(
    Type.String({
      maxLength: 255,
      description:
        'Only messages about this folder: its videos, their analyses and events, imports and live sessions into it. Batches and limits belong to no folder. Default: all.',
    }),
  ),
  saved_questions_only: Maybe(
    Type.Boolean({
      description:
        'True: only alerts and digests of saved questions that name this webhook in `webhook_ids`. Default: false.',
    }),
  ),
  enabled: Maybe(Type.Boolean({ description: 'False: no messages are sent or stored. Default: true.' })),
};
const Url = (description: string) => Type.String({ minLength: 1, maxLength: 2_000, description });

export const WebhookRequest = resource(
  'WebhookRequest',
  Type.Object(
    {
      url: Url(
        'Where messages go: an `https` or `http` URL without credentials receives them by POST, `mailto:ada@example.com` by mail, and `mqtt:gate/alerts` as the topic `sightline/<org_id>/gate/alerts` of the MQTT broker.',
      ),
      ...SETTINGS,
    },
    {
      description: 'A webhook to create.',
      examples: [{ url: 'https://hooks.example.com/sightline', event_types: ['video.ready', 'event.found'] }],
    },
  ),
);

export const WebhookChange = resource(
  'WebhookChange',
  Type.Object(
    { url: Maybe(Url('The new URL.')), ...SETTINGS },
    {
      description:
        'Settings to change; others stay as they are. `folder_id: ""` removes the filter. `enabled: true` also enables a webhook that the service disabled.',
      examples: [{ enabled: true }],
    },
  ),
);

export const SecretRotation = resource(
  'WebhookSecretRotation',
  Type.Object(
    {
      overlap_hours: Maybe(
        Type.Integer({
          minimum: 0,
          maximum: 168,
          description: 'Hours in which messages are signed with the previous secret, too; default: 24.',
        }),
      ),
    },
    { description: 'How to rotate the secret.', examples: [{ overlap_hours: 24 }] },
  ),
);

const FIELDS = {
  webhook_id: Type.String({ description: 'Identifier of the webhook.' }),
  url: Type.String({ description: 'URL that receives messages.' }),
  description: Type.String({ description: 'What the webhook is for.' }),
  format: Format,
  event_types: Type.Array(EventType, { description: 'Types of messages that are sent; empty: all.' }),
  folder_id: Nullable(Type.String({ description: 'Only messages about this folder; null: all.' })),
  saved_questions_only: Type.Boolean({
    description: 'True: only alerts and digests of saved questions that name this webhook.',
  }),
  enabled: Type.Boolean({ description: 'False: no messages are sent or stored.' }),
  disabled_reason: Nullable(
    Type.Union([Type.Literal('failing'), Type.Literal('removed')], {
      description:
        '`failing`: the service disabled it after three days without a successful attempt; `removed`: the endpoint responded with status 410. Null: it is enabled, or a user disabled it.',
    }),
  ),
  failing_since: Nullable(
    Timestamp({ description: 'Time of the first failed attempt since the last successful one, ISO 8601, UTC.' }),
  ),
  previous_secret_until: Nullable(
    Timestamp({ description: 'Until then, messages are signed with the previous secret, too. ISO 8601, UTC.' }),
  ),
  recipient: Nullable(
    Type.Union([Type.Literal('unconfirmed'), Type.Literal('confirmed'), Type.Literal('declined')], {
      description:
        'Whether the recipient of mail agreed to it. No message is sent to one who has not confirmed, by a link in a mail that asks, or who declined. Null: it has another format.',
    }),
  ),
  topic: Nullable(
    Type.String({
      description: 'MQTT topic that receives messages, with all its levels; null: it has another format.',
    }),
  ),
  created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
};

const EXAMPLE = {
  webhook_id: ID,
  url: 'https://hooks.example.com/sightline',
  description: 'Night shift',
  format: 'standard' as const,
  event_types: ['video.ready' as const, 'event.found' as const],
  folder_id: null,
  saved_questions_only: false,
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  previous_secret_until: null,
  recipient: null,
  topic: null,
  created_at: '2026-11-21T09:30:00.000Z',
};

export const Webhook = resource(
  'Webhook',
  Type.Object(FIELDS, { description: 'A webhook without its secret.', examples: [EXAMPLE] }),
);

export const WebhookWithSecret = resource(
  'WebhookWithSecret',
  Type.Object(
    { ...FIELDS, secret: Type.String({ description: 'The signing secret, which is shown only once.' }) },
    {
      description: 'A webhook with its new secret.',
      examples: [{ ...EXAMPLE, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' }],
    },
  ),
);

export const WebhookList = resource(
  'WebhookList',
  Type.Object(
    { webhooks: Type.Array(Webhook, { description: 'Webhooks of your organization, oldest first.' }) },
    { description: 'All webhooks.', examples: [{ webhooks: [EXAMPLE] }] },
  ),
);

export const DeletedWebhook = resource(
  'DeletedWebhook',
  Type.Object(
    { status: Type.Literal('deleted'), webhook_id: Type.String({ description: 'Identifier of the webhook.' }) },
    { description: 'A deleted webhook.', examples: [{ status: 'deleted', webhook_id: ID }] },
  ),
);

const Status = Type.Union([Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('failed')], {
  description: '`pending` until an attempt succeeds, then `delivered`; `failed` after the last attempt.',
});

export const DeliveryListQuery = Type.Object({
  status: Maybe(Status),
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of deliveries; default: 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

const DELIVERY_FIELDS = {
  delivery_id: Type.String({ description: 'Identifier of the delivery.' }),
  webhook_id: Type.String({ description: 'Identifier of the webhook.' }),
  message_id: Type.String({ description: 'The `webhook-id` of the message; the same if it is sent again.' }),
  type: Type.String({ description: 'Type of the message; `webhook.ping` for a test.' }),
  subject: Type.String({ description: 'What the message is about, such as `video/019a…`.' }),
  status: Status,
  attempts: Type.Integer({ minimum: 0, description: 'Number of attempts so far.' }),
  created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
  next_attempt_at: Nullable(Timestamp({ description: 'Time of the next attempt; null if there is none.' })),
  last_attempt_at: Nullable(Timestamp({ description: 'Time of the latest attempt; null before the first.' })),
  duration_ms: Nullable(Type.Integer({ minimum: 0, description: 'Milliseconds of the latest attempt.' })),
  response_status: Nullable(Type.Integer({ description: 'HTTP status of the latest response; null without one.' })),
  response_excerpt: Nullable(Type.String({ description: 'The first 1,024 bytes of the latest response.' })),
  error: Nullable(Type.String({ description: 'Code of the latest failure; null without one.' })),
  message: Nullable(Type.String({ description: 'Reason of the latest failure in a sentence; null without one.' })),
};

const DELIVERY_EXAMPLE = {
  delivery_id: DELIVERY_ID,
  webhook_id: ID,
  message_id: MESSAGE_ID,
  type: 'video.ready',
  subject: 'video/019a0b1c2d3e7f008000000000000010',
  status: 'delivered' as const,
  attempts: 1,
  created_at: '2026-11-21T09:30:00.000Z',
  next_attempt_at: null,
  last_attempt_at: '2026-11-21T09:30:00.120Z',
  duration_ms: 84,
  response_status: 204,
  response_excerpt: '',
  error: null,
  message: null,
};

export const WebhookDelivery = resource(
  'WebhookDelivery',
  Type.Object(DELIVERY_FIELDS, { description: 'A message on its way to an endpoint.', examples: [DELIVERY_EXAMPLE] }),
);

export const WebhookDeliveryDetail = resource(
  'WebhookDeliveryDetail',
  Type.Object(
    {
      ...DELIVERY_FIELDS,
      body: Type.String({ description: 'The body of the message, in the format of the webhook.' }),
    },
    {
      description: 'A delivery with its message.',
      examples: [{ ...DELIVERY_EXAMPLE, body: '{"type":"video.ready","timestamp":"2026-11-21T09:30:00.000Z"}' }],
    },
  ),
);

export const WebhookDeliveryList = resource(
  'WebhookDeliveryList',
  Type.Object(
    {
      deliveries: Type.Array(WebhookDelivery, { description: 'Deliveries, newest first.' }),
      has_more: Type.Boolean({ description: 'True if more deliveries follow.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    {
      description: 'A page of deliveries.',
      examples: [{ deliveries: [DELIVERY_EXAMPLE], has_more: false, next_cursor: null }],
    },
  ),
);

export const MailRecipientParams = Type.Object({
  org_id: Type.String({ description: 'Identifier of the organization that sends mails.' }),
});
export const MailRecipientQuery = Type.Object({
  address: Type.String({ minLength: 1, maxLength: 320, description: 'Mail address of the recipient.' }),
  token: Type.String({ minLength: 1, maxLength: 255, description: 'Token of the link in a mail.' }),
});
export const MailAnswer = resource(
  'MailAnswer',
  Type.Object(
    {
      answer: Maybe(
        Type.Union([Type.Literal('confirm'), Type.Literal('decline')], {
          description: '`confirm`: mails may be sent; `decline` (default): none are sent.',
        }),
      ),
    },
    { description: 'What a recipient of mail answers.', examples: [{ answer: 'confirm' }] },
  ),
);
