/** Analysis of a livestream while it is recorded. */
export { toCoverage } from './coverage.ts';
export { toEventPayload } from './event-payload.ts';
export type { LiveEvidence } from './evidence.ts';
export { type AnswerRecorder, type AnswerRecorderDeps, createAnswerRecorder } from './recorded-answer.ts';
export { createSegmentFiles, type SegmentFiles } from './segment-files.ts';
export { createLiveAnalysis, type LiveAnalysisDeps } from './service.ts';
export { listSkippedRanges } from './skipped-ranges.ts';
export { findAnalysis, type LiveAnalysis, startAnalysis } from './store.ts';
