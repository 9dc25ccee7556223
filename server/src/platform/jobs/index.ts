/**
 * Background jobs: work that outlives its request and runs on any worker node. A job is sent in the transaction of the
 * change that needs it, runs on one node at a time, is retried when it fails, and returns to the queue when its worker
 * closes or dies. The queue is pg-boss on the same database; no other room depends on it.
 */

export { defineJob } from './define-job.ts';
export { createJobs } from './jobs.ts';
export type { Interruption, JobContext, JobDefinition, Jobs, QueueState, SendOptions } from './types.ts';
