/**
 * Videos: the record of each video, the states of its arrival (on its way, there, failed with a reason), who may see it, and its deletion.
 * How bytes get here is the uploads room's matter; what is asked of them the analyses room's. Both are built on this one.
 */

export { contentKey, sidecarKey } from './files.ts';
export { videoJobs } from './jobs.ts';
export { videosRoutes } from './routes.ts';
export { VideoId, VideoStatus } from './schema.ts';
export { createVideosService as createVideos } from './service.ts';
export { changeQuota, type Quota } from './space-store.ts';
export { statusOf } from './status.ts';
export type { NewVideo, SpaceLimits, StoredFacts, Video, Videos } from './types.ts';
