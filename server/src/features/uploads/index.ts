/**
 * Uploads: forms, URLs, resumable uploads by tus, and direct uploads to S3 storage. A video is ready once its bytes are
 * stored and the media engine has read them; a refused upload leaves no record and no file.
 */
export { createFilesBeside, type FilesBeside, readFilesBeside, summariesOf } from './files-beside.ts';
export { inspectFile } from './ingest/inspect-file.ts';
export { uploadJobs } from './jobs.ts';
export { uploadsRoutes } from './routes.ts';
export { createUploadsService as createUploads } from './service.ts';
export { createSidecarStore } from './sidecar/index.ts';
export { createSubtitleStore } from './subtitles/index.ts';
export { videoNameFromPath } from './video-names.ts';
