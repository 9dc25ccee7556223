/**
 * The audit log: who did what with keys, sessions, members, integrations and scheduled imports, on what, when and from where. A room writes an entry in the transaction of the change itself,
 * so that neither is there without the other; nothing changes or removes one.
 */
export { auditRoutes } from './routes.ts';
export { type Actor, actorOf, createAuditService as createAudit, type Place, placeOf } from './service.ts';
export { insertEntry as recordAction } from './store.ts';
