/**
 * Playback: serves videos, and images, clips and HLS streams generated from them, by signed URL. A signed URL works
 * without a key until it expires, for one video and one kind of file only.
 */
export { playbackJobs } from './jobs.ts';
export { playbackRoutes } from './routes.ts';
export { createPlayback } from './service.ts';
export type { Playback } from './types.ts';
