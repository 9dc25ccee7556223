/** Events of all analyses as rows, derived from the documents: lists, facets and counts by video. */
export { eventIndexRoutes } from './routes.ts';
export { EVENT_EXAMPLE, EventConditions, EventSummary } from './schema.ts';
export { createEventIndex, type EventIndex, eventIdOf } from './service.ts';
export { lockVideo, lockVideos, refreshWords } from './store.ts';
export type { Approval, EventFilter, EventKey, EventWithDocument, Severity } from './types.ts';
