/**
 * The audit log: actor, action, object, outcome, time and origin of every operation that writes, exports data or issues
 * a signed URL. `operations.ts` states how each one is recorded: by the HTTP layer, or by its room if only the room
 * knows the changes. Either way, the entry is written in the transaction of the change.
 */
export { auditJobs } from './chain/jobs.ts';
export { type AuditChain, type ChainState, createAuditChain } from './chain/service.ts';
export { auditRoutes } from './routes.ts';
export { actorOf, clientOf, createAuditService as createAudit } from './service.ts';
export { insertEntry as recordAction } from './store.ts';
export { createAuditTrail } from './trail.ts';
export type { AuditActor, ClientInfo } from './types.ts';
