export { describeAbsence } from './absences/describe-absence.ts';
export type { AbsenceFinding } from './absences/find-absences.ts';
export {
  type AbsenceState,
  continueAbsences,
  endAbsences,
  type ReportedAbsence,
  trackAbsences,
} from './absences/track-absences.ts';
export { type EventChanges, type ReportedEvent, updateEvents } from './event-updates.ts';
export { createLiveEngine, type LiveCoverage, type LiveEngine } from './live-engine.ts';
export type { ModelLook } from './model-look.ts';
export {
  decodeObservedSegment,
  encodeObservedSegment,
  type ObservedSegment,
  type SegmentTail,
} from './observed-segment.ts';
export { createStreamWindow, type StreamWindow } from './stream-window.ts';
