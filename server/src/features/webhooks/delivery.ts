import { recordAction } from '#features/audit/index';
import type { Database, Transaction } from '#platform/db/index';
import type { JobContext, Jobs } from '#platform/jobs/index';
import type { Messaging } from '#platform/messaging/index';
import type { GuardedFetch } from '#platform/net/index';
import type { Sealer } from '#platform/secrets/index';
import * as deliveryStore from './delivery-store.ts';
import { deliverMessage, failDelivery, forgetEntity } from './jobs.ts';
import { problems } from './problems.ts';
import type { Recipients } from './recipients/service.ts';
import { openSecrets } from './secrets.ts';
import { toRemoval } from './sending/home-assistant.ts';
import { sendMessage } from './sending/sender.ts';
import * as store from './store.ts';
import { shownTarget } from './target.ts';
import type { AttemptResult, Delivery, StoredWebhook } from './types.ts';

/** Seconds between attempts; ten attempts in 23.6 hours. */
export const RETRY_DELAYS_S = [5, 60, 300, 1_800, 3_600, 7_200, 14_400, 21_600, 36_000];
/** Retries of endpoints that failed together spread over this share of the delay. */
const JITTER = 0.1;
/** A message that waited for an unresponsive endpoint is not retried past this age. */
const MAX_AGE_MS = 26 * 3_600_000;
/** An endpoint is disabled after failed attempts over this time without a success. */
const MAX_FAILING_MS = 3 * 24 * 3_600_000;
/** An endpoint that did not respond at all gets no further request for this time, so that it holds up no other. */
const PAUSE_S = 30;
const REMOVED_STATUS = 410;

export type DeliveryDeps = {
  database: Database;
  jobs: Pick<Jobs, 'send' | 'handle'>;
  net: Pick<GuardedFetch, 'post'>;
  messaging: Messaging;
  sealer: Pick<Sealer, 'open'>;
  recipients: Pick<Recipients, 'permit' | 'request' | 'registerJobs'>;
  /** Seconds between attempts. */
  retryDelaysS?: readonly number[];
};

/** Delivers messages: one job is one attempt, and stores its result together with the job of the next attempt. */
export function createDelivery({
  database,
  jobs,
  net,
  messaging,
  sealer,
  recipients,
  retryDelaysS = RETRY_DELAYS_S,
}: DeliveryDeps) {
  const { db } = database;

  async function attempt({ deliveryId }: { deliveryId: string }, { signal }: JobContext): Promise<void> {
    const found = await deliveryStore.findPending(db, deliveryId);
    if (!found) return;
    const { delivery, endpoint, message } = found;
    if (!endpoint.enabled && delivery.type !== 'webhook.ping') {
      return deliveryStore.fail(db, deliveryId, problems.webhook_disabled());
    }
    const pauseMs = (endpoint.pausedUntil?.getTime() ?? 0) - Date.now();
    if (pauseMs > 0 && delivery.type !== 'webhook.ping') return postpone(endpoint, delivery, pauseMs / 1000);
    const permit = await recipients.permit(endpoint);
    if (permit?.state === 'refused') {
      if (delivery.type === 'webhook.ping') await database.transaction((trx) => recipients.request(trx, endpoint));
      return deliveryStore.fail(db, deliveryId, permit.problem);
    }
    if (permit?.state === 'limited') {
      const isTooOld = Date.now() - delivery.createdAt.getTime() + permit.afterS * 1000 > MAX_AGE_MS;
      if (isTooOld) return deliveryStore.fail(db, deliveryId, problems.webhook_mail_limited());
      return postpone(endpoint, delivery, permit.afterS);
    }
    const secrets = openSecrets(sealer, endpoint);
    const links = permit?.links ?? null;
    const result = await sendMessage({ net, ...messaging }, { endpoint, secrets, message, links }, signal);
    await database.transaction((trx) => save(trx, endpoint, delivery, result));
  }

  /** Stores a result. A worker that was frozen meanwhile stores nothing: another one has made this attempt. */
  async function save(trx: Transaction, endpoint: StoredWebhook, delivery: Delivery, result: AttemptResult) {
    const delayS = result.ok || result.responseStatus === REMOVED_STATUS ? null : nextDelayS(delivery);
    if (!(await deliveryStore.saveAttempt(trx, delivery, result, delayS))) return;
    if (delayS !== null) await sendAgain(trx, endpoint, delivery, delayS);
    if (delivery.type === 'webhook.ping') return;
    if (result.ok) return store.markWorking(trx, endpoint.id);
    const failingSince = await store.markFailing(trx, endpoint.id, result.responseStatus === null ? PAUSE_S : 0);
    if (result.responseStatus === REMOVED_STATUS) await disable(trx, endpoint, 'removed');
    else if (failingSince && Date.now() - failingSince.getTime() > MAX_FAILING_MS) {
      await disable(trx, endpoint, 'failing');
    }
  }

  function nextDelayS({ type, attempts, createdAt }: Delivery): number | null {
    const delayS = retryDelaysS[attempts];
    // The user who sends a ping waits for its result.
    if (delayS === undefined || type === 'webhook.ping') return null;
    const isTooOld = Date.now() - createdAt.getTime() + delayS * 1000 > MAX_AGE_MS;
    return isTooOld ? null : Math.ceil(delayS * (1 + JITTER * Math.random()));
  }

  async function postpone(endpoint: StoredWebhook, delivery: Delivery, pauseS: number): Promise<void> {
    const delayS = Math.ceil(pauseS * (1 + JITTER * Math.random()));
    await database.transaction(async (trx) => {
      if (await deliveryStore.postpone(trx, delivery, delayS)) await sendAgain(trx, endpoint, delivery, delayS);
    });
  }

  const sendAgain = (trx: Transaction, { orgId }: StoredWebhook, { id }: Delivery, startAfterS: number) =>
    jobs.send(trx, deliverMessage, { deliveryId: id }, { orgId, startAfterS });

  /** Disables an endpoint and leaves a notice in the audit log. */
  async function disable(trx: Transaction, { id, orgId, url }: StoredWebhook, reason: 'failing' | 'removed') {
    if (!(await store.disable(trx, id, reason))) return;
    const detail = { host: shownTarget(url), reason };
    await recordAction(trx, null, { orgId, action: 'webhook.disabled', subjectId: id, detail });
  }

  return {
    registerJobs(): void {
      recipients.registerJobs();
      jobs.handle(deliverMessage, attempt);
      jobs.handle(failDelivery, ({ deliveryId }) =>
        deliveryStore.fail(db, deliveryId, problems.webhook_delivery_failed()),
      );
      jobs.handle(forgetEntity, async ({ webhookId }, { signal }) => {
        const removed = await messaging.broker?.publish([toRemoval(webhookId)], signal);
        if (removed?.ok === false) throw new Error(removed.reason);
      });
    },
  };
}
