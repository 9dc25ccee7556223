/**
 * Analyses: one prompt on one video, from the request to the stored document with its events and evidence images.
 * Observations of a video are stored, so that further prompts decode nothing. Batches start analyses and receive domain
 * events about them.
 */

export type { BatchAnalysis } from './batch-store.ts';
export { formatTimecode, toReadableEvents } from './document.ts';
export {
  type Approval,
  EVENT_EXAMPLE,
  EventConditions,
  type EventFilter,
  type EventKey,
  EventSummary,
  type EventWithDocument,
  eventIdOf,
} from './event-index/index.ts';
export { STORED_EVENT } from './event-schema.ts';
export type { VectorSearchState } from './frame-vectors/index.ts';
export type { StoredIndex } from './index-store.ts';
export { analysisJobs } from './jobs.ts';
export { observeVideos } from './observe-video.ts';
export { toRecordingClock } from './recorded-times.ts';
export type { EventFields, EventState, ListedEvent, OpenAnalysis } from './reviewing/index.ts';
export { analysesRoutes } from './routes.ts';
export { AnalysisParams } from './schema.ts';
export { createAnalyses } from './service.ts';
export type { Analyses } from './service-types.ts';
export type { AnalysisClass } from './types.ts';
export { toEventId } from './types.ts';
export type { VisionAccount } from './vision/index.ts';
