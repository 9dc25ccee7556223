/**
 * Livestreams. A worker records the source of a session segment by segment under a lease, reconnects when the
 * connection breaks, and analyzes the stream while it is recorded. At the end the recording becomes a video. Callers
 * who may read a session play it by a signed manifest.
 */
export { liveJobs } from './jobs.ts';
export { createLive } from './live.ts';
export { liveRoutes } from './routes.ts';
export { rotateSourceSecrets } from './source-secrets.ts';
