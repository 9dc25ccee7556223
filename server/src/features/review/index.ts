/**
 * Review: people decide whether events are right, correct them and add those that were missed. The state of an event is
 * a part of its analysis document (`analyses/reviewing`); this room stores who changed what, and how many reviewers the
 * events of a folder need.
 */
export type { Label, LabelCounts } from './labels/index.ts';
export { reviewRoutes } from './routes.ts';
export { meanInterval, wilson } from './scores/intervals.ts';
export { EstimateField } from './scores/schema.ts';
export { createReview } from './service.ts';
export type { Review } from './service-types.ts';
