import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

/** Seals new entries of all organizations. */
export const sealEntries = defineJob({
  name: 'audit.seal',
  class: 'maintenance',
  payload: Type.Object({}),
  retries: 2,
  retryDelayS: 10,
  timeoutS: 600,
  concurrency: 1,
});

export const auditJobs = [sealEntries] as const;
