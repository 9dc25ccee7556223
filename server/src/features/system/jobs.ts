import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';
import { modelJobs } from './models/index.ts';

/** Removes expired data. */
export const housekeeping = defineJob({
  name: 'system.keep-house',
  class: 'maintenance',
  payload: Type.Object({}),
  retries: 2,
  retryDelayS: 60,
  timeoutS: 1800,
  concurrency: 1,
});

export const systemJobs = [housekeeping, ...modelJobs] as const;
