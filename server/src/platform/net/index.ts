/**
 * Net: fetches URLs from users, protected against SSRF. The address behind a URL is checked before the connection and
 * after each redirect, and the connection goes to the checked address. Private, loopback, link-local and metadata
 * addresses are refused unless the operator allows their network.
 */
export { type Download, download } from './download.ts';
export { isTransientFetchError, toFetchProblem } from './fetch-errors.ts';
export { freePort } from './free-port.ts';
export { createGuardedFetch, type GuardedFetch, type GuardedFetchSettings } from './guarded-fetch.ts';
export { createRateWatch, FETCH_RATE, type MinimumRate } from './minimum-rate.ts';
export { removePartialFiles } from './partial-file.ts';
export { downloadPinnedFile } from './pinned-file.ts';
export { problems as netProblems } from './problems.ts';
export { openRelay } from './relay.ts';
