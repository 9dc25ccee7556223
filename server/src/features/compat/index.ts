/**
 * Compat: what exists only for clients of the hosted service. Their request forms are translated to queries, their
 * results and datasets are read from the rooms below, and operations that this service does not have are refused with
 * an explanation. No other room imports this one.
 */

export { CONSOLE_ADDRESSES } from './console-addresses.ts';
export { notOfferedRoutes } from './not-offered.ts';
export { compatRoutes } from './routes.ts';
export { createCompat } from './service.ts';
export { UNUSED_FIELDS, UNUSED_PARAMETERS } from './unused-fields.ts';
