import { type AuditActor, recordAction } from '#features/audit/index';
import type { Folders } from '#features/folders/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, type IdPage, type RateLimitStore, readIdPage } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import { type GuardedFetch, isTransientFetchError } from '#platform/net/index';
import type { Sealer, Secrets } from '#platform/secrets/index';
import { createDelivery, type DeliveryDeps } from './delivery.ts';
import * as deliveryStore from './delivery-store.ts';
import { deliverMessage, forgetEntity } from './jobs.ts';
import { problems } from './problems.ts';
import { createPublisher } from './publishing/publisher.ts';
import { createRecipients } from './recipients/service.ts';
import { sealSecret } from './secrets.ts';
import { encodeMessage } from './sending/message-format.ts';
import { createSecret } from './sending/signature.ts';
import * as store from './store.ts';
import { parseTarget, shownTarget, topicOf } from './target.ts';
import type { Delivery, DeliveryStatus, RecipientStatus, StoredWebhook, Webhook, WebhookSettings } from './types.ts';

/** Called in the transaction that creates a secret, with the id of its webhook. */
type SaveReference = (trx: Transaction, webhookId: string) => Promise<void>;
type Secret = { secret: string };

export type WebhooksDeps = Omit<DeliveryDeps, 'jobs' | 'net' | 'sealer' | 'recipients'> & {
  database: Database;
  folders: Pick<Folders, 'require'>;
  jobs: Pick<Jobs, 'send' | 'sendMany' | 'handle'>;
  net: Pick<GuardedFetch, 'check' | 'post'>;
  sealer: Pick<Sealer, 'seal' | 'open'>;
  secrets: Secrets;
  /** Counts mails. */
  limits: Pick<RateLimitStore, 'count'>;
  /** Public URL of the API, without a trailing slash. */
  publicUrl: string;
};

const MAX_WEBHOOKS = 20;

/**
 * Webhooks of an organization, for its admins. Functions with an id throw `webhook_not_found` (404), or
 * `webhook_forbidden` (403) for those of others.
 */
export function createWebhooks(deps: WebhooksDeps) {
  const { database, folders, jobs, net, messaging, sealer } = deps;
  const { db } = database;
  const recipients = createRecipients(deps);

  async function require(caller: Caller, id: string): Promise<StoredWebhook> {
    const webhook = await store.findWebhook(db, id);
    if (!webhook) throw problems.webhook_not_found();
    if (webhook.orgId !== caller.orgId) throw problems.webhook_forbidden();
    return webhook;
  }

  async function requireDelivery(caller: Caller, webhookId: string, id: string) {
    await require(caller, webhookId);
    const found = await deliveryStore.findDelivery(db, webhookId, id);
    if (!found) throw problems.webhook_delivery_not_found();
    return found;
  }

  /**
   * Throws the problems of `parseTarget`, `webhook_mail_missing` or `webhook_broker_missing` (409), a `fetch_…` problem
   * (400) or those of the folders room.
   */
  async function check(
    caller: Caller,
    { url, format, folderId }: Pick<WebhookSettings, 'url' | 'format'> & { folderId?: string | null },
  ): Promise<void> {
    if (folderId) await folders.require(caller, folderId);
    const { kind } = parseTarget(url, format);
    if (kind === 'email' && !messaging.mailer) throw problems.webhook_mail_missing();
    if (kind === 'mqtt' && !messaging.broker) throw problems.webhook_broker_missing();
    if (kind !== 'http') return;
    // A host that cannot be resolved at the moment is checked again before each request.
    await net.check(url).catch((error) => {
      if (!isTransientFetchError(error)) throw error;
    });
  }

  const record = (
    trx: Transaction,
    by: AuditActor,
    action: string,
    { id, orgId, url }: Pick<Webhook, 'id' | 'orgId' | 'url'>,
  ) => recordAction(trx, by, { orgId, action: `webhook.${action}`, subjectId: id, detail: { host: shownTarget(url) } });

  async function describe(orgId: string, stored: readonly StoredWebhook[]): Promise<Webhook[]> {
    const statuses = await recipients.statuses(orgId, stored);
    return stored.map((webhook, n) => withoutSecrets(webhook, statuses[n]!));
  }

  /** Stores a delivery with its job. */
  async function deliver(trx: Transaction, { orgId }: Pick<Webhook, 'orgId'>, deliveryId: string): Promise<void> {
    await jobs.send(trx, deliverMessage, { deliveryId }, { orgId });
  }

  /** Removes the entity of Home Assistant once the transaction is committed. */
  async function forget(trx: Transaction, { id, orgId }: Pick<Webhook, 'id' | 'orgId'>): Promise<void> {
    await jobs.send(trx, forgetEntity, { webhookId: id }, { orgId });
  }

  const webhooks = {
    ...createPublisher(deps),
    ...createDelivery({ ...deps, recipients }),
    recipients,

    async list(caller: Caller): Promise<Webhook[]> {
      return describe(caller.orgId, await store.listWebhooks(db, caller.orgId));
    },
    async get(caller: Caller, id: string): Promise<Webhook> {
      const [webhook] = await describe(caller.orgId, [await require(caller, id)]);
      return webhook!;
    },

    /** Throws `webhook_not_found` (404) if one of these ids is no webhook of the caller's organization. */
    async requireAll({ orgId }: Pick<Caller, 'orgId'>, ids: readonly string[]): Promise<void> {
      if ((await store.countWebhooks(db, orgId, ids)) < ids.length) throw problems.webhook_not_found();
    },

    /** Creates a webhook with its signing secret. Throws `webhook_limit` (409), or the problems of `check`. */
    async create(
      caller: Caller,
      settings: WebhookSettings,
      { by, saveReference }: { by: AuditActor; saveReference: SaveReference },
    ): Promise<Webhook & Secret> {
      await check(caller, settings);
      const id = newId();
      const secret = createSecret();
      const row = {
        ...settings,
        id,
        orgId: caller.orgId,
        createdBy: caller.userId,
        orgTopic: true,
        knownRecipient: false,
      };
      await database.transaction(async (trx) => {
        const encryptedSecret = sealSecret(sealer, id, secret);
        if (!(await store.insertWebhook(trx, { ...row, encryptedSecret }, MAX_WEBHOOKS)))
          throw problems.webhook_limit();
        if (row.format === 'email') await recipients.request(trx, row);
        await record(trx, by, 'created', row);
        await saveReference(trx, id);
      });
      return { ...(await webhooks.get(caller, id)), secret };
    },

    /** Changes settings; undefined leaves one unchanged. Throws the problems of `check`. */
    async change(caller: Caller, id: string, changes: Partial<WebhookSettings>, by: AuditActor): Promise<Webhook> {
      const current = await require(caller, id);
      const [url, format] = [changes.url ?? current.url, changes.format ?? current.format];
      await check(caller, { url, format, folderId: changes.folderId });
      await database.transaction(async (trx) => {
        // Topics without the organization, and recipients who were never asked, remain only with the URL from before.
        const isMoved = url !== current.url;
        const owned = { orgTopic: current.orgTopic || isMoved, knownRecipient: current.knownRecipient && !isMoved };
        if (!(await store.updateWebhook(trx, id, { ...changes, ...owned }))) throw problems.webhook_not_found();
        if (format === 'email' && isMoved) await recipients.request(trx, current);
        if (current.format === 'mqtt' && format !== 'mqtt') await forget(trx, current);
        await record(trx, by, 'changed', { ...current, url: changes.url ?? current.url });
      });
      return webhooks.get(caller, id);
    },

    /** Deletes a webhook with its deliveries. */
    async remove(caller: Caller, id: string, by: AuditActor): Promise<void> {
      const webhook = await require(caller, id);
      await database.transaction(async (trx) => {
        if (!(await store.deleteWebhook(trx, id))) throw problems.webhook_not_found();
        if (webhook.format === 'mqtt') await forget(trx, webhook);
        await record(trx, by, 'deleted', webhook);
      });
    },

    /** Creates a new secret. For `overlapHours`, messages are signed with both. */
    async rotateSecret(
      caller: Caller,
      id: string,
      overlapHours: number,
      { by, saveReference }: { by: AuditActor; saveReference: SaveReference },
    ): Promise<Webhook & Secret> {
      const webhook = await require(caller, id);
      const secret = createSecret();
      const until = new Date(Date.now() + overlapHours * 3_600_000);
      await database.transaction(async (trx) => {
        const encrypted = sealSecret(sealer, id, secret);
        if (!(await store.rotateSecret(trx, id, encrypted, until))) throw problems.webhook_not_found();
        await record(trx, by, 'secret_rotated', webhook);
        await saveReference(trx, id);
      });
      return { ...(await webhooks.get(caller, id)), secret };
    },

    /** Sends a message that reports nothing, also to a disabled webhook, with one attempt. */
    async ping(caller: Caller, id: string): Promise<Delivery> {
      const webhook = await require(caller, id);
      const message = { type: 'webhook.ping', subject: `webhook/${id}`, data: { webhook_id: id } } as const;
      const deliveryId = await database.transaction(async (trx) => {
        const [created] = await deliveryStore.insertMessages(trx, webhook.orgId, [{ ...message, webhookIds: [id] }]);
        await deliver(trx, webhook, created!);
        return created!;
      });
      return (await requireDelivery(caller, id, deliveryId)).delivery;
    },

    /** Deliveries to a webhook, newest first. Throws `cursor_invalid` (400). */
    async listDeliveries(caller: Caller, id: string, { status, ...page }: IdPage & { status: DeliveryStatus | null }) {
      await require(caller, id);
      const read = (before: string | null, limit: number) =>
        deliveryStore.listDeliveries(db, id, { status, before, limit });
      const { rows, ...next } = await readIdPage(page, read, (row) => row.id);
      return { deliveries: rows, ...next };
    },

    /** A delivery with the body of its message. Throws `webhook_delivery_not_found` (404). */
    async getDelivery(caller: Caller, id: string, deliveryId: string): Promise<Delivery & { body: string }> {
      const { delivery, message } = await requireDelivery(caller, id, deliveryId);
      const { format } = await require(caller, id);
      return { ...delivery, body: encodeMessage(message, format).body };
    },

    /** Sends a message again, as a new delivery. Throws `webhook_disabled` (409) or as `getDelivery` does. */
    async resend(caller: Caller, id: string, deliveryId: string): Promise<Delivery> {
      const webhook = await require(caller, id);
      const { delivery } = await requireDelivery(caller, id, deliveryId);
      if (!webhook.enabled) throw problems.webhook_disabled();
      const created = await database.transaction(async (trx) => {
        const newDelivery = await deliveryStore.insertDelivery(trx, id, delivery.messageId);
        await deliver(trx, webhook, newDelivery);
        return newDelivery;
      });
      return (await requireDelivery(caller, id, created)).delivery;
    },

    /** Deletes messages that are older than `before`. Returns their number. */
    purge: (before: Date): Promise<number> => deliveryStore.deleteOld(db, before),
  };
  return webhooks;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

function withoutSecrets(stored: StoredWebhook, recipient: RecipientStatus | null): Webhook {
  const {
    encryptedSecret: _,
    encryptedPreviousSecret: __,
    pausedUntil: ___,
    orgTopic: ____,
    knownRecipient: _____,
    previousSecretUntil,
    ...webhook
  } = stored;
  return {
    ...webhook,
    recipient,
    topic: topicOf(stored),
    previousSecretUntil: previousSecretUntil && previousSecretUntil > new Date() ? previousSecretUntil : null,
  };
}
