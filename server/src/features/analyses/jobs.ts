import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

const payload = Type.Object({
  analysisId: Type.String(),
  waits: Type.Integer({
    minimum: 0,
    description: 'How often it has already waited for its video or for another analysis.',
  }),
});

/** Says of an analysis whose job was given up (its worker died again and again) that it failed. */
export const giveUpAnalysis = defineJob({
  name: 'analyses.give-up',
  payload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 60,
  concurrency: 2,
});

/** Runs one analysis from its prompt to its document. */
export const runAnalysis = defineJob({
  name: 'analyses.run',
  payload,
  retries: 3,
  retryDelayS: 2,
  timeoutS: 12 * 3600,
  concurrency: 4,
  givenUp: giveUpAnalysis,
});

/** Observes in a video what the engine of today can and nobody has yet. Nobody waits for it: analyses observe what they need themselves. */
export const observeVideo = defineJob({
  name: 'analyses.observe',
  payload: Type.Object({ videoId: Type.String() }),
  retries: 3,
  retryDelayS: 10,
  timeoutS: 12 * 3600,
  concurrency: 1,
});

/** Removes the pictures of analyses whose video was deleted. */
export const forgetEvidence = defineJob({
  name: 'analyses.forget',
  payload: Type.Object({ analysisIds: Type.Array(Type.String()) }),
  retries: 20,
  retryDelayS: 5,
  timeoutS: 600,
  concurrency: 1,
});

export const analysisJobs = [runAnalysis, giveUpAnalysis, observeVideo, forgetEvidence] as const;
