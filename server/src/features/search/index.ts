/**
 * Search: finds events of completed analyses by words, across the videos of a folder. It never reads video. The result
 * is stored as a session for its owner.
 */
export { searchRoutes } from './routes.ts';
export { createSearch, type EventSearch } from './service.ts';
