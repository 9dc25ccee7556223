/** The job that runs one analysis: progress, deferral and failure. */
export { type ClassifiedEvent, type ClassifyOptions, createEventClassifier } from './classify-events.ts';
export { resumeDeferred } from './deferral.ts';
export { failAnalysis, toFinalProblem } from './failure.ts';
export { createAnalysisRunner } from './runner.ts';
