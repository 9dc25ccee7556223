/**
 * Uploads: how videos get here: as a form with the file, streamed to storage, or as a URL that a worker fetches. A video is ready once its
 * bytes are stored and the media engine has read them; what is refused leaves nothing behind.
 */
export { examine } from './arrival.ts';
export { uploadJobs } from './jobs.ts';
export { nameOfPath } from './names.ts';
export { uploadsRoutes } from './routes.ts';
export { createUploadsService as createUploads } from './service.ts';
export { checkSidecar } from './sidecar.ts';
