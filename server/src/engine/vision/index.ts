export { CAPTION_MODES, type CaptionMode } from './answers/captions.ts';
export type { Cause, DrivingDecision } from './answers/causes.ts';
export { estimateVision, type VisionEstimate } from './estimate.ts';
export type { GateVerdict } from './live-gate.ts';
export { addUsage, mergeVisionResult } from './merge.ts';
export { detailsOfTrack } from './plan/details.ts';
export {
  isLeftToModel,
  isOrdered,
  isVerifiable,
  MOST_REMARKED,
  MOST_REVIEWS,
  selectQuestions,
  visibleRemarks,
} from './plan/questions.ts';
export { visionProfileUnknown } from './problems.ts';
export { type ProbeReport, probeProfile } from './profiles/probe.ts';
export {
  createVisionProfiles,
  type ProfileHealth,
  type VisionModels,
  type VisionProfiles,
} from './profiles/profiles.ts';
export { createReliability } from './reliability/reliability.ts';
export type { ReviewVerdict } from './reliability/review-check.ts';
export { CLIP_STEP_S } from './session.ts';
export type * from './types.ts';
export {
  createVisionSearch,
  type VisionSearch,
  type VisionSearchOptions,
} from './vision-search.ts';
