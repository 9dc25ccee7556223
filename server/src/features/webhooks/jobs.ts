import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

const payload = Type.Object({ deliveryId: Type.String() });

/** Marks a delivery as failed after its job was given up. */
export const failDelivery = defineJob({
  name: 'webhooks.give-up',
  class: 'maintenance',
  payload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 60,
  concurrency: 1,
});

/** Sends the mail that asks the recipient of a webhook, if they have not answered. */
export const askRecipient = defineJob({
  name: 'webhooks.ask-recipient',
  class: 'background',
  payload: Type.Object({ webhookId: Type.String() }),
  retries: 5,
  retryDelayS: 60,
  timeoutS: 60,
  concurrency: 2,
});

/**
 * Makes one attempt to deliver a message. An attempt that the endpoint refuses is no failure of the job: it sends the
 * job of the next attempt. The retries here are for internal errors.
 */
export const deliverMessage = defineJob({
  name: 'webhooks.deliver',
  class: 'background',
  payload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 60,
  concurrency: 8,
  givenUp: failDelivery,
});

/** Removes the entity of a deleted webhook from Home Assistant. */
export const forgetEntity = defineJob({
  name: 'webhooks.forget-entity',
  class: 'maintenance',
  payload: Type.Object({ webhookId: Type.String() }),
  retries: 20,
  retryDelayS: 30,
  timeoutS: 60,
  concurrency: 1,
});

export const webhookJobs = [askRecipient, deliverMessage, failDelivery, forgetEntity] as const;
