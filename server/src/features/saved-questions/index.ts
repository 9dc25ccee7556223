/**
 * Saved questions: prompts that the service runs by itself on new videos. A run is stored with its job in the
 * transaction that makes the video available, so that it is neither lost nor doubled, and its matching events are
 * published as alerts in the transaction that completes the analysis.
 */
export type { CameraQuestion } from './camera-store.ts';
export { savedQuestionJobs } from './jobs.ts';
export { savedQuestionsRoutes } from './routes.ts';
export { createSavedQuestions, type SavedQuestions } from './service.ts';
