import { actorOf } from '#features/audit/index';
import { type App, routes } from '#platform/http/index';
import { problems } from './problems.ts';
import {
  DeletedWebhook,
  DeliveryListQuery,
  SecretRotation,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryList,
  WebhookDeliveryParams,
  WebhookList,
  WebhookParams,
  WebhookRequest,
  WebhookWithSecret,
} from './schema.ts';
import type { Webhooks } from './service.ts';
import { defaultFormat } from './target.ts';
import type { Delivery, Webhook as WebhookRow } from './types.ts';

const DEFAULT_LIMIT = 100;
const DEFAULT_OVERLAP_HOURS = 24;

export function webhooksRoutes(app: App, webhooks: Webhooks): void {
  const route = routes(app, { tag: 'Webhooks', scope: 'admin' });

  route.post(
    '/api/webhooks',
    {
      id: 'createWebhook',
      // Not `replay`: the response contains the secret, which is stored only encrypted.
      idempotency: 'resumable',
      summary: 'Create a webhook',
      description:
        'Sends messages about events of your organization to a URL, signed by Standard Webhooks. The signing secret is shown only in this response. Messages have whatever happens in the organization, personal videos included.',
      body: WebhookRequest,
      response: WebhookWithSecret,
      errors: [404, 409],
    },
    async (request) => {
      const { caller, body, savedReference } = request;
      if (savedReference !== null) throw problems.webhook_secret_shown_once();
      const { url, description, format, eventTypes, folderId, savedQuestionsOnly, enabled } = body;
      const settings = {
        url,
        description: description ?? '',
        eventTypes: [...new Set(eventTypes ?? [])],
        folderId: folderId || null,
        savedQuestionsOnly: savedQuestionsOnly ?? false,
        enabled: enabled ?? true,
        format: format ?? defaultFormat(url),
      };
      return toResource(
        await webhooks.create(caller, settings, {
          by: actorOf(request),
          saveReference: (trx, id) => request.saveReference(id, trx),
        }),
      );
    },
  );

  route.get(
    '/api/webhooks',
    {
      id: 'listWebhooks',
      summary: 'List webhooks',
      description: 'Lists the webhooks of your organization, oldest first.',
      response: WebhookList,
    },
    async ({ caller }) => ({ webhooks: (await webhooks.list(caller)).map(toResource) }),
  );

  route.get(
    '/api/webhooks/:webhook_id',
    {
      id: 'getWebhook',
      summary: 'Get a webhook',
      description: 'Returns a webhook, without its secret.',
      params: WebhookParams,
      response: Webhook,
      errors: [404],
    },
    async ({ caller, params }) => toResource(await webhooks.get(caller, params.webhookId)),
  );

  route.patch(
    '/api/webhooks/:webhook_id',
    {
      id: 'changeWebhook',
      summary: 'Change a webhook',
      description: 'Changes the settings that the request has. Messages that wait are sent to the new URL.',
      params: WebhookParams,
      body: WebhookChange,
      response: Webhook,
      errors: [404],
    },
    async (request) => {
      const { caller, params, body } = request;
      const { url, description, format, eventTypes, folderId, savedQuestionsOnly, enabled } = body;
      const changes = {
        url: url ?? undefined,
        description: description ?? undefined,
        enabled: enabled ?? undefined,
        savedQuestionsOnly: savedQuestionsOnly ?? undefined,
        eventTypes: eventTypes ? [...new Set(eventTypes)] : undefined,
        folderId: folderId == null ? undefined : folderId || null,
        format: format ?? undefined,
      };
      return toResource(await webhooks.change(caller, params.webhookId, changes, actorOf(request)));
    },
  );

  route.delete(
    '/api/webhooks/:webhook_id',
    {
      id: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Deletes a webhook with its deliveries; messages that wait are not sent.',
      params: WebhookParams,
      response: DeletedWebhook,
      errors: [404],
    },
    async (request) => {
      const { webhookId } = request.params;
      await webhooks.remove(request.caller, webhookId, actorOf(request));
      return { status: 'deleted' as const, webhookId };
    },
  );

  route.post(
    '/api/webhooks/:webhook_id/rotate-secret',
    {
      id: 'rotateWebhookSecret',
      idempotency: 'resumable',
      summary: 'Rotate the secret of a webhook',
      description:
        'Creates a new signing secret, which is shown only in this response. Until the overlap is over, messages have two signatures, one of the previous secret.',
      params: WebhookParams,
      body: SecretRotation,
      response: WebhookWithSecret,
      errors: [404, 409],
    },
    async (request) => {
      const { caller, params, body, savedReference } = request;
      if (savedReference !== null) throw problems.webhook_secret_shown_once();
      return toResource(
        await webhooks.rotateSecret(caller, params.webhookId, body.overlapHours ?? DEFAULT_OVERLAP_HOURS, {
          by: actorOf(request),
          saveReference: (trx, id) => request.saveReference(id, trx),
        }),
      );
    },
  );

  route.post(
    '/api/webhooks/:webhook_id/ping',
    {
      id: 'pingWebhook',
      summary: 'Test a webhook',
      description:
        'Sends a message of the type `webhook.ping`, also to a disabled webhook, with one attempt. Read the delivery until its status is not `pending`.',
      params: WebhookParams,
      response: WebhookDelivery,
      errors: [404],
    },
    async ({ caller, params }) => toDeliveryResource(await webhooks.ping(caller, params.webhookId)),
  );

  route.get(
    '/api/webhooks/:webhook_id/deliveries',
    {
      id: 'listWebhookDeliveries',
      summary: 'List deliveries',
      description: 'Lists the deliveries of the last 30 days with the results of their latest attempts, newest first.',
      params: WebhookParams,
      query: DeliveryListQuery,
      response: WebhookDeliveryList,
      errors: [404],
    },
    async ({ caller, params, query: { limit, cursor, status } }) => {
      const page = { limit: limit ?? DEFAULT_LIMIT, cursor, status: status ?? null };
      const { deliveries, ...next } = await webhooks.listDeliveries(caller, params.webhookId, page);
      return { deliveries: deliveries.map(toDeliveryResource), ...next };
    },
  );

  route.get(
    '/api/webhooks/:webhook_id/deliveries/:delivery_id',
    {
      id: 'getWebhookDelivery',
      summary: 'Get a delivery',
      description: 'Returns a delivery with the body of its message.',
      params: WebhookDeliveryParams,
      response: WebhookDeliveryDetail,
      errors: [404],
    },
    async ({ caller, params }) =>
      toDeliveryResource(await webhooks.getDelivery(caller, params.webhookId, params.deliveryId)),
  );

  route.post(
    '/api/webhooks/:webhook_id/deliveries/:delivery_id/resend',
    {
      id: 'resendWebhookDelivery',
      summary: 'Send a message again',
      description: 'Sends the message of a delivery again, with the same `webhook-id`, as a new delivery.',
      params: WebhookDeliveryParams,
      response: WebhookDelivery,
      errors: [404, 409],
    },
    async ({ caller, params }) =>
      toDeliveryResource(await webhooks.resend(caller, params.webhookId, params.deliveryId)),
  );
}

const toResource = <W extends WebhookRow>({ id, ...webhook }: W) => ({ ...webhook, webhookId: id });

const toDeliveryResource = <D extends Delivery>({ id, problemCode, problemMessage, ...delivery }: D) => ({
  ...delivery,
  deliveryId: id,
  error: problemCode,
  message: problemMessage,
});
