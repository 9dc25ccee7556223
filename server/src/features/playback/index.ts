/**
 * Playback: how the bytes of a video leave again. A key gives out a signed URL that plays for a while without a key; the URL is bound to the
 * video, to this use and to its expiry, and dies with the video.
 */
export { playbackJobs } from './jobs.ts';
export { playbackRoutes } from './routes.ts';
export { createPlaybackService as createPlayback, type Playback } from './service.ts';
