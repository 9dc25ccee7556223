/**
 * API keys: made, listed, revoked, and checked on every request. A key is shown once; only its SHA-256 is stored. Revoking is final and
 * holds on every node at once: nodes remember a checked key for at most a second and forget it when they hear of a revocation.
 */
export { keysRoutes } from './routes.ts';
export { createKeysService as createKeys, type KeyRecord, type Keys } from './service.ts';
