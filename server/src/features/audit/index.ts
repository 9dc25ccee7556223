/**
 * The audit log: actor, action, object, time and origin of changes to keys, sessions, members, integrations and
 * scheduled imports, of deleted analyses and of reviews. A room writes an entry in the transaction of the change, so
 * that both exist or neither. Entries are never changed or removed.
 */
export { auditRoutes } from './routes.ts';
export { actorOf, clientOf, createAuditService as createAudit } from './service.ts';
export { insertEntry as recordAction } from './store.ts';
export type { AuditActor, ClientInfo } from './types.ts';
