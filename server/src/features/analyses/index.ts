/**
 * Analyses: one prompt asked of one video, from the question to the stored document with its events and evidence pictures.
 * What was observed in a video is kept, so the next prompt on it decodes nothing. Batches ask; news goes back to them.
 */
export { clock, readableEvents } from './document.ts';
export { analysisJobs } from './jobs.ts';
export { observeVideos } from './observe.ts';
export { analysesRoutes } from './routes.ts';
export { type Analyses, type BatchAnalysis, createAnalyses } from './service.ts';
