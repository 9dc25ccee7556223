/**
 * Search: finds events of completed analyses by words, across the videos of a folder. It never reads video. The result
 * is stored as a session for its owner. Also finds frames by words or an image, among stored vectors.
 */
export { frameSearchRoutes } from './frames/routes.ts';
export { createFrameSearch } from './frames/service.ts';
export { searchRoutes } from './routes.ts';
export { createSearch, type EventSearch } from './service.ts';
