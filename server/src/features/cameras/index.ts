/**
 * Cameras: sources that are recorded whenever they are wanted. While a camera is on, this room keeps a live session of
 * it running and starts the next one when a session ends. All recordings of a camera have its id.
 */

export { cameraJobs } from './jobs.ts';
export { createPublishing } from './publishing.ts';
export { camerasRoutes } from './routes.ts';
export { rotateCameraSecrets } from './secrets.ts';
export { createCameras } from './service.ts';
