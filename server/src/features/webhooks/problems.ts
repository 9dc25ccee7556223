import { defineProblems, type ProblemTable } from '#platform/problem';

export const WEBHOOK_PROBLEMS = {
  webhook_not_found: { status: 404, sentence: 'There is no webhook with this id.' },
  webhook_forbidden: { status: 403, sentence: 'This webhook belongs to another organization.' },
  webhook_delivery_not_found: {
    status: 404,
    sentence: 'There is no delivery with this id. Deliveries are deleted after 30 days.',
  },
  webhook_url_invalid: {
    status: 400,
    sentence: 'The URL must not contain a user name or password. Verify the signature of messages instead.',
  },
  webhook_address_invalid: {
    status: 400,
    sentence: 'The URL must have exactly one mail address, such as mailto:ada@example.com.',
  },
  webhook_topic_invalid: {
    status: 400,
    sentence: 'The URL must have a topic without wildcards and empty levels, such as mqtt:gate/alerts.',
  },
  webhook_format_other: {
    status: 400,
    sentence:
      'The format does not fit the URL: `mailto:` URLs have the format `email`, `mqtt:` URLs have `mqtt`, and only they.',
  },
  webhook_mail_missing: {
    status: 409,
    sentence: 'This service has no mail server. Its operator configures one with SIGHTLINE_SMTP_URL.',
  },
  mail_link_invalid: {
    status: 403,
    sentence: 'This link is incomplete or has expired. Use the link of a later mail.',
  },
  webhook_broker_missing: {
    status: 409,
    sentence: 'This service has no MQTT broker. Its operator configures one with SIGHTLINE_MQTT_URL.',
  },
  webhook_limit: { status: 409, sentence: 'Your organization has the maximum of 20 webhooks. Delete one first.' },
  webhook_secret_shown_once: {
    status: 409,
    sentence:
      'This request already created a secret. It was shown in the first response and cannot be shown again. Rotate it to get another.',
  },
  webhook_refused: { status: 502, sentence: 'The endpoint did not respond with a status from 200 to 299.' },
  webhook_recipient_unconfirmed: {
    status: 409,
    sentence:
      'The recipient has not confirmed yet that they want these mails, so it was not sent. They get a mail with a link; a test message sends another one, at most three a day.',
  },
  webhook_recipient_declined: {
    status: 409,
    sentence:
      'The recipient does not want mails of your organization. They can change that with the link in an earlier mail.',
  },
  webhook_mail_limited: {
    status: 429,
    sentence: 'The address got as many mails as it may get in a day, so this one was not sent.',
  },
  webhook_disabled: { status: 409, sentence: 'The webhook is disabled. Enable it, then send the message again.' },
  webhook_delivery_failed: {
    status: 500,
    sentence: 'The message could not be sent because of an internal error. Send it again.',
  },
} as const satisfies ProblemTable;

export const problems = defineProblems(WEBHOOK_PROBLEMS);
