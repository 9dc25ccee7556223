import type { Static, TSchema } from 'typebox';
import type { Transaction } from '#platform/db/index';

/**
 * Background jobs: work that outlives its request, on any worker node. A job is sent in the transaction of the change that calls for it,
 * runs on one node at a time, is retried when it fails, and is given back when its worker closes or dies.
 * The queue is pg-boss on the same database; nothing outside this room knows that.
 */
export { createJobs } from './jobs.ts';

/** Every fact about one kind of job, in one object (a room's `jobs.ts`). */
export type JobDefinition<Payload extends TSchema = TSchema> = Readonly<{
  /** Queue name, `room.verb`. */
  name: string;
  payload: Payload;
  /**
   * Failed attempts after the first before the job is given up. One that is interrupted (its worker closes or dies) does not count; a job
   * that is alone to blame for 20 deaths of its workers is given up as well (see `interruptions.ts`).
   */
  retries: number;
  /** Seconds before the first retry; doubles each time, up to ten minutes. */
  retryDelayS: number;
  /** Longest run of one attempt in seconds (below 24 h); the signal aborts then. */
  timeoutS: number;
  /** How many of these one worker node runs at once, unless `handle` is told otherwise. */
  concurrency: number;
  /**
   * Whether slots are shared between organisations, for work that may take hours. `concurrency` is then what one organisation gets of a
   * node, others get up to as much again, and the one with the fewest running jobs is next. Such jobs are sent with an `orgId`.
   */
  shared?: boolean;
  /** Sent with the same payload once this job is given up: its last attempt failed, or its worker died in it. */
  givenUp?: JobDefinition<Payload>;
}>;

export type JobContext = {
  jobId: string;
  /** 0 on the first attempt. Fence result writes with `(jobId, attempt)`: a frozen worker may wake after its job was given away. */
  attempt: number;
  /** Whether this is the attempt after which the job is given up. */
  lastAttempt: boolean;
  /** Aborts on timeout, on cancel and when the worker closes; `reason` is an `Interruption`. */
  signal: AbortSignal;
};

/** Why a running job's signal aborted. `lost`: cancelled, or given to another worker because this one was not heard of. */
export type Interruption = { kind: 'timeout' | 'closing' | 'lost' };

export interface Jobs {
  /** Enqueues in the caller's transaction: the job exists exactly if the transaction commits. Returns the job's id, if one was sent. */
  send<P extends TSchema>(
    trx: Transaction,
    job: JobDefinition<P>,
    payload: Static<P>,
    options?: SendOptions,
  ): Promise<string>;
  /** The same for many payloads in one statement; ids in the order of the payloads that were sent. */
  sendMany<P extends TSchema>(
    trx: Transaction,
    job: JobDefinition<P>,
    payloads: readonly Static<P>[],
    options?: SendOptions,
  ): Promise<string[]>;
  /** Cancels waiting or running jobs; a running one's signal aborts on its worker. Those that have ended are left alone. */
  cancel(trx: Transaction, job: JobDefinition, jobIds: string | readonly string[]): Promise<void>;
  /** Registers the handler. One handler per job name; a second one, or a missing one at `start`, throws. */
  handle<P extends TSchema>(
    job: JobDefinition<P>,
    handler: (payload: Static<P>, context: JobContext) => Promise<void>,
    options?: { concurrency?: number },
  ): void;
  /** Repeats a job by cron expression (UTC, minutes), once across all nodes. Takes effect at `start`. */
  schedule<P extends TSchema>(job: JobDefinition<P>, cron: string, payload: Static<P>): void;
  /** Starts fetching (worker role). Without it the node only sends. */
  start(): Promise<void>;
  /** Stops fetching, aborts what runs, waits for it (bounded), gives unfinished jobs back to the queue without costing them an attempt. */
  close(): Promise<void>;
}

export type SendOptions = {
  /** Seconds before the job may start. */
  startAfterS?: number;
  /** The organisation that the work is for; required for jobs that are `shared`. */
  orgId?: string;
  /** Higher first; 0 unless given. */
  priority?: number;
  /** Sends nothing where a job with the same payload waits already, for its first or its next attempt. */
  unlessWaiting?: boolean;
};

export function defineJob<P extends TSchema>(job: JobDefinition<P>): JobDefinition<P> {
  return Object.freeze(job);
}
