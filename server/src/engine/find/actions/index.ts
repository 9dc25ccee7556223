export { findUnknownClasses } from './candidates.ts';
export { describeDetector, describeUnknownClasses, estimateRecall, whyNoObjects } from './detector-recall.ts';
export { findObjects } from './find-objects.ts';
export { mergeMatches } from './groups.ts';
export { showsPoses } from './poses/pose-actions.ts';
export { findRiders } from './relations/relations.ts';
export { EVENT_ACTIONS, isInstant } from './track/track-actions.ts';
export { createTrackViews } from './track-views.ts';
