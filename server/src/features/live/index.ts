/**
 * Livestreams. A worker records the source of a session segment by segment under a lease, reconnects when the
 * connection breaks, and analyzes the stream while it is recorded. At the end the recording becomes a video. Callers
 * who may read a session play it by a signed manifest.
 */
export { liveJobs } from './jobs.ts';
export { createLive, type LiveRoom } from './live.ts';
export { problems as liveProblems } from './problems.ts';
export { liveRoutes } from './routes.ts';
export {
  DEFAULT_POST_ROLL_S,
  DEFAULT_PRE_ROLL_S,
  PostRoll,
  PreRoll,
  Recording,
  SourceUrl,
} from './schema/index.ts';
export { rotateSourceSecrets } from './source-secrets.ts';
export {
  isPushUrl,
  type PushedSources,
  parseSourceUrl,
  redactSourceUrl,
  type SourceTest,
  toPushUrl,
} from './sources/index.ts';
export { OPEN_STATUSES, type RecordingMode, type RecordingSettings, type SessionStatus } from './types.ts';
