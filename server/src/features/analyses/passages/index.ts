/** Spoken sentences of videos and texts in their frames, as rows: derived from stored observations, for searches. */
export { passageRoutes } from './routes.ts';
export { createPassages } from './service.ts';
export { storePassages, updateOfVideo } from './store.ts';
export type { Passages } from './types.ts';
