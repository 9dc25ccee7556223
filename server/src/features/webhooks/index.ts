/**
 * Webhooks: messages about events of an organization to its own endpoints, by Standard Webhooks. A message is stored in
 * the transaction of the change that it reports, and delivered at least once by jobs.
 */
export { webhookJobs } from './jobs.ts';
export { recipientsRoutes } from './recipients/routes.ts';
export { webhooksRoutes } from './routes.ts';
export { rotateWebhookSecrets } from './secrets.ts';
export { createWebhooks } from './service.ts';
