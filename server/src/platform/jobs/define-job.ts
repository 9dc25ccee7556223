import type { TSchema } from 'typebox';
import type { JobDefinition } from './types.ts';

export function defineJob<P extends TSchema>(job: JobDefinition<P>): JobDefinition<P> {
  return Object.freeze(job);
}
