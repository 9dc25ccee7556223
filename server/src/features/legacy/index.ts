/**
 * Legacy: request forms of older clients. Each is translated to a query; features that this service does not have are
 * rejected with an explanation.
 */
export { notOfferedRoutes } from './not-offered.ts';
export { legacyRoutes } from './routes.ts';
export { createLegacy } from './service.ts';
