import type { EncryptedSecret } from '#platform/secrets/index';

/** Types of messages, with what they report. */
export const WEBHOOK_EVENTS = {
  'video.ready': 'A video was uploaded, imported or recorded, and can be asked about.',
  'video.failed': 'An upload or import of a video failed.',
  'analysis.completed': 'An analysis of a video was completed.',
  'analysis.failed': 'An analysis failed or was canceled.',
  'event.found': 'An analysis found an event; at most 100 messages for one analysis.',
  'alert.raised':
    'A saved question found an event in a new video, or in a camera that is recorded, that matches its rule.',
  'digest.created': 'The daily digest of a saved question: yesterday in at most five lines, and a recap clip.',
  'event.reviewed': 'Someone reviewed, corrected or added an event, or undid that.',
  'batch.completed': 'All analyses of a batch have ended.',
  'import.completed': 'An import is over, and imported at least one object or had nothing to import.',
  'import.failed': 'An import is over, and imported nothing.',
  'live.event': 'An event of a livestream began or ended.',
  'live.ended': 'A live session and its analysis are over.',
  'camera.fault':
    'A camera that is on sends nothing for half a minute, or a picture that is black or does not change for ten seconds.',
  'camera.recovered': 'A camera with a fault sends a changing picture again, or was switched off.',
  'limit.reached': 'The organization has used 90 or 100 percent of its number of videos or its storage.',
} as const;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
/** `webhook.ping` is sent on request only, to one endpoint. */
export type MessageType = WebhookEvent | 'webhook.ping';

/** Formats of messages, with the endpoints that take them. */
export const WEBHOOK_FORMATS = {
  standard: 'JSON of Standard Webhooks, for your own endpoints.',
  slack: 'A sentence and a link for incoming webhooks of Slack, Mattermost and Rocket.Chat.',
  discord: 'The same for webhooks of Discord.',
  teams: 'The same for webhooks of Microsoft Teams (Workflows).',
  ntfy: 'The same for the URL of an ntfy topic.',
  email: 'Mail to the address of a `mailto:` URL, if the operator has configured a mail server.',
  mqtt: 'JSON to the topic of an `mqtt:` URL below `sightline/` and the id of the organization, with discovery by Home Assistant, if the operator has configured a broker.',
} as const;

export type WebhookFormat = keyof typeof WEBHOOK_FORMATS;

export type WebhookSettings = {
  url: string;
  description: string;
  format: WebhookFormat;
  /** Empty: all types. */
  eventTypes: WebhookEvent[];
  /** Only messages about this folder; null: all. */
  folderId: string | null;
  /** True: only what saved questions that name it announce. */
  savedQuestionsOnly: boolean;
  enabled: boolean;
};

export type Webhook = WebhookSettings & {
  id: string;
  orgId: string;
  createdBy: string;
  /** Reason if the service disabled it: every attempt of three days failed, or the endpoint responded with 410. */
  disabledReason: 'failing' | 'removed' | null;
  /** Time of the first failed attempt since the last successful one. */
  failingSince: Date | null;
  /** End of the time in which messages are signed with the previous secret, too. */
  previousSecretUntil: Date | null;
  /** Whether the recipient of mail agreed to it; null for other formats. */
  recipient: RecipientStatus | null;
  /** MQTT topic; null for other formats. */
  topic: string | null;
  createdAt: Date;
};

/** Whether the recipient of mail agreed to it. */
export type RecipientStatus = 'unconfirmed' | 'confirmed' | 'declined';

export type StoredWebhook = Omit<Webhook, 'topic' | 'recipient'> & {
  /** True for mail to a recipient from before recipients had to agree. */
  knownRecipient: boolean;
  /** True if the MQTT topic starts with the organization. */
  orgTopic: boolean;
  encryptedSecret: EncryptedSecret;
  encryptedPreviousSecret: EncryptedSecret | null;
  pausedUntil: Date | null;
};

/** A fact to report. `folderId` selects endpoints; facts about no folder go to endpoints without a filter only. */
export type ReportedFact = {
  type: WebhookEvent;
  /** The object that it is about, such as `video/019a…`: the order key. */
  subject: string;
  folderId: string | null;
  /** Fields by their wire names. */
  data: Record<string, unknown>;
};

/** A message as it is stored. */
export type Message = {
  id: string;
  type: MessageType;
  subject: string;
  sequence: number;
  data: Record<string, unknown>;
  createdAt: Date;
};

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** A message on its way to an endpoint, with the result of the latest attempt. */
export type Delivery = {
  id: string;
  webhookId: string;
  messageId: string;
  type: MessageType;
  subject: string;
  status: DeliveryStatus;
  attempts: number;
  createdAt: Date;
  nextAttemptAt: Date | null;
  lastAttemptAt: Date | null;
  /** Milliseconds until the response or the failure. */
  durationMs: number | null;
  responseStatus: number | null;
  /** The first bytes of the response. */
  responseExcerpt: string | null;
  problemCode: string | null;
  problemMessage: string | null;
};

/** Result of one attempt. */
export type AttemptResult = Pick<Delivery, 'responseStatus' | 'responseExcerpt' | 'problemCode' | 'problemMessage'> & {
  ok: boolean;
  durationMs: number;
};
