/**
 * Comparisons: a changed prompt or model against an earlier one, on videos that people reviewed. The changed query is
 * an ordinary batch; the verdicts of reviewers on the events of both are the ground truth.
 */
export { isSameEvent, matchIntervals } from './matching.ts';
export { comparisonsRoutes } from './routes.ts';
export { createComparisons } from './service.ts';
