/** Review state of events: a part of their analysis document, from which their rows follow. */
export type { OpenAnalysis } from './open-analysis.ts';
export { createReviewing, type Reviewing } from './service.ts';
export type { EventFields, EventState, ListedEvent } from './types.ts';
