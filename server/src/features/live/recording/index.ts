/** Recording of a livestream: one worker at a time captures segments, and finalizes them as videos of the library. */
export { createRecorder, type RecorderDeps, SOURCE_TIMEOUTS } from './recorder.ts';
export { type ExpiredSession, listAbandonedSessions, listExpiredSessions, markRecordingsDeleted } from './store.ts';
