import { createHash } from 'node:crypto';
import { type ClientInfo, recordAction } from '#features/audit/index';
import type { Database, Transaction } from '#platform/db/index';
import type { RateLimitStore } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import type { Messaging } from '#platform/messaging/index';
import type { Problem } from '#platform/problem';
import type { Secrets } from '#platform/secrets/index';
import { askRecipient } from '../jobs.ts';
import { problems } from '../problems.ts';
import { findWebhook, listWebhooks } from '../store.ts';
import { targetOf } from '../target.ts';
import type { RecipientStatus, StoredWebhook } from '../types.ts';
import * as store from './store.ts';

const DAY_MS = 24 * 3_600_000;
/** Lifetime of the links in mails. */
const LINK_MS = 365 * DAY_MS;
/** Mails to one address, of all organizations together. More wait. */
const MAILS = { perMinute: 10, perDay: 200 };
/** Mails that ask one address, of all organizations together, and such mails of one organization. */
const REQUESTS_PER_DAY = { address: 3, organization: 50 };
const PURPOSE = 'mail-recipient';

/** Whether a mail may be sent now: with its links, not at all, or after some seconds. */
export type MailPermit =
  | { state: 'granted'; links: MailLinks }
  | { state: 'refused'; problem: Problem }
  | { state: 'limited'; afterS: number };

export type MailLinks = { organization: string; settingsUrl: string };

/** State of a recipient, for the page of a link. */
export type MailConsent = { organization: string; address: string; status: RecipientStatus };

export type RecipientsDeps = {
  database: Database;
  jobs: Pick<Jobs, 'send' | 'handle'>;
  messaging: Messaging;
  secrets: Secrets;
  limits: Pick<RateLimitStore, 'count'>;
  publicUrl: string;
};

type Key = { orgId: string; address: string };
type MailWebhook = Pick<StoredWebhook, 'id' | 'orgId' | 'orgTopic' | 'url' | 'format' | 'knownRecipient'>;

/** Addresses are compared in lower case: mail servers do not tell their letters apart. */
const addressOf = (webhook: MailWebhook): string | null => {
  const target = targetOf(webhook);
  return target.kind === 'email' ? target.address.toLowerCase() : null;
};

const statusOf = (known: boolean, recipient: store.MailRecipient | null | undefined): RecipientStatus => {
  if (recipient?.declinedAt) return 'declined';
  return known || recipient?.confirmedAt ? 'confirmed' : 'unconfirmed';
};

/**
 * Recipients of mail. A person agrees once to the mails of an organization, by a link in a mail that asks; until then
 * nothing else is sent there. Each mail has a link that stops them.
 */
export function createRecipients({ database, jobs, messaging, secrets, limits, publicUrl }: RecipientsDeps) {
  const { db } = database;

  function linkFor({ orgId, address }: Key): string {
    const token = secrets.sign(PURPOSE, `${orgId}\n${address}`, new Date(Date.now() + LINK_MS));
    return `${publicUrl}/api/mail-recipients/${orgId}?${new URLSearchParams({ address, token })}`;
  }

  /** Counts a use of each subject. Returns the seconds until all of them are below their limits again; 0: now. */
  async function count(subjects: Readonly<Record<string, { perMinute: number; perDay: number }>>): Promise<number> {
    let afterS = 0;
    for (const [subject, { perMinute, perDay }] of Object.entries(subjects)) {
      for (const used of await limits.count([subject], perMinute)) {
        if (used.dayCount > perDay) afterS = Math.max(afterS, used.dayLeftS);
        else if (used.minuteCount > perMinute) afterS = Math.max(afterS, used.minuteLeftS);
      }
    }
    return afterS;
  }

  const limitOf = (perDay: number) => ({ perMinute: perDay, perDay });
  const subjectOf = (address: string) => createHash('sha256').update(address).digest('base64url');

  /** Sends the mail that asks a recipient, unless they have answered or got too many such mails. */
  async function ask(webhookId: string, signal: AbortSignal): Promise<void> {
    const webhook = await findWebhook(db, webhookId);
    const address = webhook && addressOf(webhook);
    if (!webhook || !address || !messaging.mailer) return;
    const key = { orgId: webhook.orgId, address };
    if (statusOf(webhook.knownRecipient, await store.findRecipient(db, key)) !== 'unconfirmed') return;
    const organization = await store.organizationName(db, webhook.orgId);
    const waitS = await count({
      [`mail requests to ${subjectOf(address)}`]: limitOf(REQUESTS_PER_DAY.address),
      [`mail requests of ${webhook.orgId}`]: limitOf(REQUESTS_PER_DAY.organization),
    });
    if (waitS > 0) return;
    const mail = { ...toRequest({ organization: organization ?? '', url: linkFor(key) }), to: address };
    const sent = await messaging.mailer.send({ ...mail, id: `${webhookId}-${Date.now()}` }, signal);
    if (!sent.ok) throw new Error(sent.reason);
    await store.markRequested(db, key);
  }

  const recipients = {
    registerJobs(): void {
      jobs.handle(askRecipient, ({ webhookId }, { signal }) => ask(webhookId, signal));
    },

    /** Asks the recipient of a webhook if they have not answered; in the transaction that needs them. */
    async request(trx: Transaction, webhook: Pick<StoredWebhook, 'id' | 'orgId'>): Promise<void> {
      await jobs.send(trx, askRecipient, { webhookId: webhook.id }, { orgId: webhook.orgId, unlessWaiting: true });
    },

    /** Whether a mail to the recipient of a webhook may be sent now; counts it. Null: it does not send mail. */
    async permit(webhook: MailWebhook): Promise<MailPermit | null> {
      const address = addressOf(webhook);
      if (!address) return null;
      const key = { orgId: webhook.orgId, address };
      const recipient = await store.findRecipient(db, key);
      const status = statusOf(webhook.knownRecipient, recipient);
      if (status === 'declined') return { state: 'refused', problem: problems.webhook_recipient_declined() };
      if (status === 'unconfirmed') {
        // A node of the previous version creates a webhook without that mail.
        if (!recipient?.requestedAt) await database.transaction((trx) => recipients.request(trx, webhook));
        return { state: 'refused', problem: problems.webhook_recipient_unconfirmed() };
      }
      const afterS = await count({ [`mail to ${subjectOf(address)}`]: MAILS });
      if (afterS > 0) return { state: 'limited', afterS };
      const organization = (await store.organizationName(db, webhook.orgId)) ?? '';
      return { state: 'granted', links: { organization, settingsUrl: linkFor(key) } };
    },

    /** The status of the recipients of these webhooks of one organization; null for those that send no mail. */
    async statuses(orgId: string, webhooks: readonly MailWebhook[]): Promise<(RecipientStatus | null)[]> {
      const addresses = webhooks.map(addressOf);
      if (addresses.every((address) => address === null)) return addresses.map(() => null);
      const known = await store.recipientsOf(db, orgId);
      return webhooks.map(({ knownRecipient }, n) => {
        const address = addresses[n];
        return address == null ? null : statusOf(knownRecipient, known.get(address));
      });
    },

    /** State of the recipient of a link; null if the link is not valid. */
    async read(key: Key, token: string): Promise<MailConsent | null> {
      if (secrets.verify(PURPOSE, `${key.orgId}\n${key.address}`, token) !== 'ok') return null;
      const organization = await store.organizationName(db, key.orgId);
      if (organization === null) return null;
      const webhooks = await listWebhooks(db, key.orgId);
      const known = webhooks.some((webhook) => webhook.knownRecipient && addressOf(webhook) === key.address);
      return { organization, address: key.address, status: statusOf(known, await store.findRecipient(db, key)) };
    },

    /** Stores what the holder of a valid link answers. */
    async answer(key: Key, agrees: boolean, place: ClientInfo): Promise<void> {
      await database.transaction(async (trx) => {
        const subjectId = await store.saveAnswer(trx, key, agrees);
        if (subjectId === null) return;
        const actor = { userId: null, keyId: null, sessionId: null, ...place };
        const action = agrees ? 'mail_recipient.confirmed' : 'mail_recipient.declined';
        const detail = { address: key.address };
        await recordAction(trx, actor, { orgId: key.orgId, action, subjectId, detail });
      });
    },
  };
  return recipients;
}

export type Recipients = ReturnType<typeof createRecipients>;

/** The mail that asks a recipient. It has no text of users but the name of the organization, in one line. */
function toRequest({ organization, url }: { organization: string; url: string }): { subject: string; text: string } {
  const name = organization.replaceAll(/\s+/g, ' ').slice(0, 100).toWellFormed();
  return {
    subject: `Confirm mails about videos of ${name}`,
    text: `An administrator of "${name}" entered your address as a recipient of messages about videos, such as alerts.

To receive them, open this link and confirm:
${url}

Without your confirmation, no messages are sent. If you do not know "${name}", ignore this mail, or choose "Do not send" on that page.
`,
  };
}
