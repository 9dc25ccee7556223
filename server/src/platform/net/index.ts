/**
 * Net: fetching what users name. A URL from a request may lead anywhere, so the address behind it is checked first, and again after each
 * redirect, and the connection goes to exactly the address that was checked: private, loopback, link-local and metadata addresses
 * are refused unless the operator allowed their network.
 */
export { type Download, download } from './download.ts';
export { createGuardedFetch, type GuardedFetch, type GuardedFetchSettings } from './guarded-fetch.ts';
export { FETCH_RATE, type MinimumRate, watchRate } from './minimum-rate.ts';
export { openRelay } from './relay.ts';
export { isTransient, translate } from './translate.ts';
