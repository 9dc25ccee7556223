import { Type } from 'typebox';
import { defineJob } from '#platform/jobs/index';

/** Mails a link to reset a password, if there is an account with the address. */
export const mailReset = defineJob({
  name: 'accounts.mail-reset',
  class: 'maintenance',
  payload: Type.Object({
    email: Type.String(),
    address: Type.String(),
    userAgent: Type.Union([Type.String(), Type.Null()]),
  }),
  retries: 5,
  retryDelayS: 10,
  timeoutS: 60,
  concurrency: 2,
});

export const accountJobs = [mailReset] as const;
