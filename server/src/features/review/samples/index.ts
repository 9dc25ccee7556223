/** Samples of time without events: an estimate of recall that includes events that nobody noticed. */
export { sampleRoutes } from './routes.ts';
export { countSamples } from './sample-store.ts';
export { createSamples, type Samples } from './samples.ts';
