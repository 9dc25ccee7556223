/** Observation of chosen videos by chosen observers, before anyone asks: progress, cancellation. */
export { createRunHandler } from './handler.ts';
export { observationRunsRoutes } from './routes.ts';
export { createObservationRuns } from './service.ts';
export { end as endRunVideo } from './store.ts';
export type { ObservationRuns } from './types.ts';
