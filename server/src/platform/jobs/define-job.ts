import type { TSchema } from 'typebox';
import type { JobDefinition } from './types.ts';

export function defineJob<P extends TSchema>(job: JobDefinition<P>): JobDefinition<P> {
  return Object.freeze(job);
}

/** True if organizations share the slots of a job. */
export const isShared = (job: JobDefinition): boolean => job.class !== 'maintenance';
