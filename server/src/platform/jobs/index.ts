import type { Static, TSchema } from 'typebox';
import type { Transaction } from '#platform/db/index';

/** Every fact about one kind of job, in one object (a room's `jobs.ts`). */
export type JobDefinition<Payload extends TSchema = TSchema> = Readonly<{
  /** Queue name, `room.verb`. */
  name: string;
  payload: Payload;
  /** Attempts after the first before the job counts as failed. */
  retries: number;
  /** Seconds before the first retry; doubles each time. */
  retryDelayS: number;
  /** Longest run of one attempt in seconds; the signal aborts then. */
  timeoutS: number;
  /** How many of these one worker node runs at once. */
  concurrency: number;
}>;

export type JobContext = {
  jobId: string;
  /** 0 on the first attempt. Fence result writes with `(jobId, attempt)`: a frozen worker may wake after its job was given away. */
  attempt: number;
  /** Whether this is the attempt after which the job is given up. */
  lastAttempt: boolean;
  /** Aborts on timeout, on cancel and when the worker closes. */
  signal: AbortSignal;
};

export interface Jobs {
  /** Enqueues in the caller's transaction: the job exists exactly if the transaction commits. Returns the job's id. */
  send<P extends TSchema>(
    trx: Transaction,
    job: JobDefinition<P>,
    payload: Static<P>,
    options?: SendOptions,
  ): Promise<string>;
  /** Cancels a waiting or running job; a running one's signal aborts on its worker. */
  cancel(trx: Transaction, job: JobDefinition, jobId: string): Promise<void>;
  /** Registers the handler. One handler per job name; a second one, or a missing one at `start`, throws. */
  handle<P extends TSchema>(
    job: JobDefinition<P>,
    handler: (payload: Static<P>, context: JobContext) => Promise<void>,
  ): void;
  /** Repeats a job by cron expression, once across all nodes. */
  schedule<P extends TSchema>(job: JobDefinition<P>, cron: string, payload: Static<P>): void;
  /** Starts fetching (worker role). Without it the node only sends. */
  start(): Promise<void>;
  /** Stops fetching, aborts what runs, waits for it (bounded), gives unfinished jobs back to the queue. */
  close(): Promise<void>;
}

export type SendOptions = { startAfterS?: number; priority?: number; singletonKey?: string };

export function defineJob<P extends TSchema>(job: JobDefinition<P>): JobDefinition<P> {
  return Object.freeze(job);
}
