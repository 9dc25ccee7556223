import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

/** Appends new entries of all organizations to their chains. */
export const chainEntries = defineJob({
  name: 'audit.chain',
  class: 'maintenance',
  payload: Type.Object({}),
  retries: 2,
  retryDelayS: 10,
  timeoutS: 600,
  concurrency: 1,
});

export const auditJobs = [chainEntries] as const;
