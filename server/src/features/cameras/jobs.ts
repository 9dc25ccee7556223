import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

/** Starts a session of a camera that is on and has none. A camera that was offline is tested first. */
export const startCamera = defineJob({
  name: 'cameras.start',
  class: 'interactive',
  payload: Type.Object({ cameraId: Type.String() }),
  retries: 3,
  retryDelayS: 5,
  timeoutS: 120,
  concurrency: 4,
});

/** Starts and ends due sessions, follows faults, and deletes recordings past their retention, every minute. */
export const tendCameras = defineJob({
  name: 'cameras.tend',
  class: 'maintenance',
  payload: Type.Object({}),
  retries: 0,
  retryDelayS: 1,
  timeoutS: 300,
  concurrency: 1,
});

export const cameraJobs = [startCamera, tendCameras] as const;
