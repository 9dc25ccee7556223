/**
 * Search: events that were found before, across the videos of a folder, by words. A search looks at what analyses have told, never at video; its result
 * is kept as a session for its owner to read.
 */
export { searchRoutes } from './routes.ts';
export { createSearch } from './service.ts';
