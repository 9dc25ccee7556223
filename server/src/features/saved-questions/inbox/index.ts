/** Alerts as a user reads them: what is new, and which questions are muted. */
export { createInbox } from './inbox.ts';
export * as inboxStore from './inbox-store.ts';
export { inboxRoutes } from './routes.ts';
