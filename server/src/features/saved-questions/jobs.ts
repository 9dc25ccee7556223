import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

const payload = Type.Object({ runId: Type.String() });

/** Marks a run as failed after its job was given up. */
export const failRun = defineJob({
  name: 'saved-questions.give-up',
  class: 'maintenance',
  payload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 60,
  concurrency: 1,
});

/** Starts the analysis of a run. */
export const startRun = defineJob({
  name: 'saved-questions.run',
  class: 'background',
  payload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 60,
  concurrency: 4,
  givenUp: failRun,
});

/** Sends the digests that are due; repeated every minute. */
export const sendDigests = defineJob({
  name: 'saved-questions.digest',
  class: 'maintenance',
  payload: Type.Object({}),
  retries: 2,
  retryDelayS: 10,
  timeoutS: 600,
  concurrency: 1,
});

/** Stores the readings of questions that a node of an earlier version has saved; repeated every minute. */
export const readQuestions = defineJob({
  name: 'saved-questions.read',
  class: 'maintenance',
  payload: Type.Object({}),
  retries: 0,
  retryDelayS: 1,
  timeoutS: 600,
  concurrency: 1,
});

export const savedQuestionJobs = [startRun, failRun, sendDigests, readQuestions] as const;
