/**
 * API keys: created, listed, revoked, and checked on every request. A key is shown once; only its SHA-256 is stored.
 * Revocation is final and takes effect on all nodes: they cache a checked key for at most a second, and drop it on
 * notification.
 */
export { keysRoutes } from './routes.ts';
export type { ApiKey } from './schema.ts';
export { createKeysService as createKeys, type Keys } from './service.ts';
export { createUrlTokens, type Issuer, type UrlTokens } from './url-tokens.ts';
