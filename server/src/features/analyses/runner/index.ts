/** The job that runs one analysis: progress, deferral and failure. */
export { resumeDeferred } from './deferral.ts';
export { failAnalysis, toFinalProblem } from './failure.ts';
export { createAnalysisRunner } from './runner.ts';
