import type { Static, TSchema } from 'typebox';
import type { Transaction } from '#platform/db/index';

/**
 * The class of a job, by who waits for it. `interactive`: a person; `batch`: an organization that started many at once;
 * `background`: an organization, but nobody in particular; `maintenance`: only the service itself.
 *
 * Organizations share the slots of all jobs but those of maintenance, which therefore need an `orgId`. `concurrency` is
 * then the share of one organization on a node; all others together get as much again, and the organization with the
 * fewest running jobs is next.
 */
export type JobClass = 'interactive' | 'batch' | 'background' | 'maintenance';

/** Definition of one kind of job (a room's `jobs.ts`). */
export type JobDefinition<Payload extends TSchema = TSchema> = Readonly<{
  /** Queue name, `room.verb`. */
  name: string;
  /** Names that this queue had in earlier versions. Waiting jobs of these names move to this queue. */
  formerNames?: readonly string[];
  payload: Payload;
  class: JobClass;
  /**
   * Failed attempts after the first before the job is given up. Interrupted attempts (the worker closes or dies) do not
   * count. A job that alone caused 20 deaths of its workers is given up as well (see `interruptions.ts`).
   */
  retries: number;
  /** Seconds before the first retry. Doubles each time, up to ten minutes. */
  retryDelayS: number;
  /** Longest run of one attempt, in seconds (below 24 h). The signal then aborts. */
  timeoutS: number;
  /** Jobs of this kind that one worker node runs at the same time, unless `handle` overrides it. */
  concurrency: number;
  /**
   * True for what requests start. While too many of such jobs of an organization wait, a request that adds more is
   * refused (`queue_full`); jobs that send further ones are not.
   */
  capped?: boolean;
  /** Share of an organization on a node for jobs that are sent as `urgent`, in slots that no other job fills. */
  urgentConcurrency?: number;
  /** Sent with the same payload when this job is given up: its last attempt failed, or its worker died in it. */
  givenUp?: JobDefinition<Payload>;
}>;

export type JobContext = {
  jobId: string;
  /**
   * 0 for the first attempt. Fence writes with `(jobId, attempt)`: a frozen worker may resume after its job went to
   * another worker.
   */
  attempt: number;
  /** True if the job is given up when this attempt fails. */
  lastAttempt: boolean;
  /** Aborts on timeout, on cancellation and when the worker closes; `reason` is an `Interruption`. */
  signal: AbortSignal;
};

/**
 * Reason why a running job's signal aborted. `lost`: canceled, or moved to another worker because heartbeats of this
 * one were missing.
 */
export type Interruption = { kind: 'timeout' | 'closing' | 'lost' };

export interface Jobs {
  /** Enqueues a job in the caller's transaction. Returns its id, if it was sent. Throws `queue_full` (429). */
  send<P extends TSchema>(
    trx: Transaction,
    job: JobDefinition<P>,
    payload: Static<P>,
    options?: SendOptions,
  ): Promise<string>;
  /** The same for many payloads, in one statement. Returns the ids in the order of the payloads that were sent. */
  sendMany<P extends TSchema>(
    trx: Transaction,
    job: JobDefinition<P>,
    payloads: readonly Static<P>[],
    options?: SendOptions,
  ): Promise<string[]>;
  /**
   * Cancels waiting and running jobs; the signal of a running one aborts on its worker. Jobs that have ended are
   * unchanged.
   */
  cancel(trx: Transaction, job: JobDefinition, jobIds: string | readonly string[]): Promise<void>;
  /** Registers the handler. Throws for a second handler of the same job; `start` throws if one is missing. */
  handle<P extends TSchema>(
    job: JobDefinition<P>,
    handler: (payload: Static<P>, context: JobContext) => Promise<void>,
    options?: { concurrency?: number },
  ): void;
  /** Repeats a job by a cron expression (UTC, minutes), once across all nodes. Takes effect at `start`. */
  schedule<P extends TSchema>(job: JobDefinition<P>, cron: string, payload: Static<P>): void;
  /** The state of each kind of job, on all nodes, in the order of its definition. */
  queues(): Promise<QueueState[]>;
  /** The workers of all nodes, the oldest first, with those that stopped without closing in the last 24 hours. */
  workers(): Promise<WorkerState[]>;
  /** Number of jobs that this node runs, by kind. */
  running(): Record<string, number>;
  /** Class of a kind of job. */
  classOf(kind: string): JobClass;
  /** Starts fetching jobs (worker role). A node that does not start only sends. */
  start(): Promise<void>;
  /**
   * Stops fetching, aborts running jobs, waits for them for a limited time, and requeues the rest without counting an
   * attempt.
   */
  close(): Promise<void>;
}

export type QueueState = {
  /** Name of the kind of job. */
  name: string;
  /** Jobs that could start now. */
  waiting: number;
  /** Since when the oldest of them could start. */
  oldestWaitingAt: Date | null;
  /** Jobs that start later: delayed ones, and those before their next attempt. */
  delayed: number;
  running: number;
  /** Jobs that were given up in the last six hours. */
  failed: number;
};

export type WorkerState = {
  id: string;
  host: string;
  pid: number;
  /** Number of running jobs by kind, as of the last heartbeat. */
  running: Record<string, number>;
  startedAt: Date;
  heartbeatAt: Date;
  /** False if heartbeats are missing: the process was killed, is frozen, or cannot reach the database. */
  responding: boolean;
};

export type SendOptions = {
  /** Seconds before the job may start. */
  startAfterS?: number;
  /** Organization that the work is for; required unless the class of the job is `maintenance`. */
  orgId?: string;
  /** Higher values run first; default 0. */
  priority?: number;
  /** Somebody waits for it: it runs before all that are not, and has slots of its own (`urgentConcurrency`). */
  urgent?: boolean;
  /** Each of several payloads has a lower priority than the one before. */
  decreasing?: boolean;
  /** Sends nothing if a job with the same payload waits already, for its first or its next attempt. */
  unlessWaiting?: boolean;
};
