/**
 * Videos: the record of each video, its upload state, who may see it, its quota, and its deletion. The uploads room and
 * other rooms store the bytes; the analyses room answers prompts about them.
 */
export { getWithChunk } from './access.ts';
export { listChunks, parseChunkId } from './chunks.ts';
export {
  type CalendarFilter,
  calendarConditions,
  calendarFields,
  checkTimeZone,
  clockSource,
  type RecordingTime,
  recordedTime,
  requireTimeZone,
  type StoredClock,
  toCalendarFilter,
  toReading,
  videoConditions,
} from './clock/index.ts';
export { contentKey, sidecarKey, subtitlesKey, trajectoryKey } from './files.ts';
export { videoJobs } from './jobs.ts';
export { LibrarySelection, toVideoFilters } from './listing/index.ts';
export { setQuota, toLimits } from './quota/index.ts';
export { toVideoStatus } from './resources.ts';
export { videosRoutes } from './routes.ts';
export { VideoParams, VideoStatus } from './schema.ts';
export { createVideosService as createVideos } from './service.ts';
export { STATUS_BY_STATE as VIDEO_STATUSES } from './states.ts';
export type {
  InspectedFile,
  NewVideo,
  Quota,
  SelectableVideo,
  Video,
  VideoPage,
  Videos,
} from './types.ts';
