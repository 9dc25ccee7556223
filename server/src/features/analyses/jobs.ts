import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';
import { buildVectorIndex } from './frame-vectors/index.ts';

const payload = Type.Object({
  analysisId: Type.String(),
  waits: Type.Integer({
    minimum: 0,
    description: 'Number of times that it was deferred to wait for its video or for another analysis.',
  }),
});

/** Marks an analysis as failed after its job was given up because its workers crashed repeatedly. */
export const failAbandonedAnalysis = defineJob({
  name: 'analyses.give-up',
  class: 'maintenance',
  payload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 60,
  concurrency: 2,
});

/** Runs one analysis from its prompt to its document. */
export const runAnalysis = defineJob({
  name: 'analyses.run',
  class: 'batch',
  capped: true,
  payload,
  retries: 3,
  retryDelayS: 2,
  timeoutS: 12 * 3600,
  concurrency: 4,
  urgentConcurrency: 2,
  givenUp: failAbandonedAnalysis,
});

/**
 * Makes the missing observations of a video in the background. Analyses do not wait for it: they make those that they
 * need themselves.
 */
export const observeVideo = defineJob({
  name: 'analyses.observe',
  class: 'background',
  payload: Type.Object({
    videoId: Type.String(),
    kinds: Type.Optional(Type.Array(Type.String(), { description: 'Only these; default: all that every video has.' })),
  }),
  retries: 3,
  retryDelayS: 10,
  timeoutS: 12 * 3600,
  concurrency: 1,
});

const runPayload = Type.Object({ runId: Type.String(), videoId: Type.String() });

/** Marks a video of an observation run as failed after its job was given up. */
export const failAbandonedObservation = defineJob({
  name: 'analyses.give-up-observation',
  class: 'maintenance',
  payload: runPayload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 60,
  concurrency: 1,
});

/** Observes one video of an observation run. */
export const observeForRun = defineJob({
  name: 'analyses.observe-for-run',
  class: 'background',
  capped: true,
  payload: runPayload,
  retries: 3,
  retryDelayS: 10,
  timeoutS: 12 * 3600,
  concurrency: 1,
  givenUp: failAbandonedObservation,
});

/** Deletes the evidence images of analyses whose video was erased. */
export const deleteEvidence = defineJob({
  name: 'analyses.forget',
  class: 'maintenance',
  payload: Type.Object({ analysisIds: Type.Array(Type.String()) }),
  retries: 20,
  retryDelayS: 5,
  timeoutS: 600,
  concurrency: 1,
});

/** Stores events, passages and incidents of analyses and observations that were made by earlier versions. */
export const indexEvents = defineJob({
  name: 'analyses.index-events',
  class: 'maintenance',
  payload: Type.Object({}),
  retries: 3,
  retryDelayS: 10,
  timeoutS: 3600,
  concurrency: 1,
});

export const analysisJobs = [
  runAnalysis,
  failAbandonedAnalysis,
  observeVideo,
  observeForRun,
  failAbandonedObservation,
  deleteEvidence,
  indexEvents,
  buildVectorIndex,
] as const;
