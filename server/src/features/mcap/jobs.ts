import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

const payload = Type.Object({ ingestId: Type.String() });

/** Says of a recording whose job was given up that it failed. */
export const giveUpRecording = defineJob({
  name: 'mcap.give-up',
  payload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 600,
  concurrency: 1,
});

/** Brings a recording from a bucket. */
export const transferRecording = defineJob({
  name: 'mcap.transfer',
  payload,
  retries: 4,
  retryDelayS: 5,
  timeoutS: 12 * 3600,
  concurrency: 4,
  shared: true,
  givenUp: giveUpRecording,
});

/** Makes videos and telemetry of a recording that is here. */
export const processRecording = defineJob({
  name: 'mcap.process',
  payload,
  retries: 3,
  retryDelayS: 5,
  timeoutS: 23 * 3600,
  concurrency: 2,
  shared: true,
  givenUp: giveUpRecording,
});

/** Removes the file of a recording that has ended. */
export const dropRecording = defineJob({
  name: 'mcap.drop',
  payload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 600,
  concurrency: 2,
});

/** Ends ingests whose file never came, or that nobody had processed. */
export const expireIngests = defineJob({
  name: 'mcap.expire',
  payload: Type.Object({}),
  retries: 0,
  retryDelayS: 1,
  timeoutS: 600,
  concurrency: 1,
});

export const mcapJobs = [transferRecording, processRecording, giveUpRecording, dropRecording, expireIngests] as const;
