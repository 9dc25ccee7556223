/** Events of all analyses as rows, derived from the documents: lists, facets and counts by video. */
export { eventIndexRoutes } from './routes.ts';
export { createEventIndex, type EventIndex } from './service.ts';
