/** Observations of videos: made once per video, kind and version, and stored beside the video. */
export { createObservations, type ObservationCache } from './cache.ts';
export { discardAll, listObservedVideos } from './store.ts';
export { createStoredObservations, type StoredObservationReader } from './stored-observations.ts';
export type { DetectorChoice } from './types.ts';
