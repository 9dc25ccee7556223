export { estimateRecall, whyNoObjects } from './detector-recall.ts';
export { findObjects } from './find-objects.ts';
export { findPeakConcurrency, mergeMatches } from './groups.ts';
export { EVENT_ACTIONS } from './track/track-actions.ts';
export { createTrackViews } from './track-views.ts';
