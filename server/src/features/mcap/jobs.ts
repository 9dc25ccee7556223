import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

const payload = Type.Object({ ingestId: Type.String() });

/** Marks an ingest as failed after its job was given up. */
export const failIngest = defineJob({
  name: 'mcap.give-up',
  class: 'maintenance',
  payload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 600,
  concurrency: 1,
});

/** Transfers a recording from a bucket. */
export const transferRecording = defineJob({
  name: 'mcap.transfer',
  class: 'batch',
  capped: true,
  payload,
  retries: 4,
  retryDelayS: 5,
  timeoutS: 12 * 3600,
  concurrency: 4,
  givenUp: failIngest,
});

/** Converts a stored recording to videos and telemetry. */
export const processRecording = defineJob({
  name: 'mcap.process',
  class: 'batch',
  capped: true,
  payload,
  retries: 3,
  retryDelayS: 5,
  timeoutS: 23 * 3600,
  concurrency: 2,
  givenUp: failIngest,
});

/** Deletes the file of a recording whose ingest has ended. */
export const deleteRecordingFile = defineJob({
  name: 'mcap.drop',
  class: 'maintenance',
  payload,
  retries: 20,
  retryDelayS: 2,
  timeoutS: 600,
  concurrency: 2,
});

/** Ends ingests that were not uploaded or not processed in time. */
export const expireIngests = defineJob({
  name: 'mcap.expire',
  class: 'maintenance',
  payload: Type.Object({}),
  retries: 0,
  retryDelayS: 1,
  timeoutS: 600,
  concurrency: 1,
});

export const mcapJobs = [transferRecording, processRecording, failIngest, deleteRecordingFile, expireIngests] as const;
