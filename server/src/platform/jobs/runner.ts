import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, withLogFields } from '#platform/log';
import { jobEnded } from '#platform/measurements';
import { type OpenSpan, openJobSpan } from '#platform/tracing/index';
import { saturated, totalSlots } from '../shares.ts';
import { isShared } from './define-job.ts';
import { BEAT_S } from './interruptions.ts';
import type { Attempt, Fetched, Queue } from './queue.ts';
import type { Interruption, JobContext, JobDefinition } from './types.ts';
import { runHandler } from './waiting-limit.ts';

const BEAT_MS = BEAT_S * 1000;

/** Outcome of an attempt in the metrics. */
type JobOutcome = 'completed' | 'failed' | 'timeout' | 'interrupted';

export type Handler = (payload: unknown, context: JobContext) => Promise<void>;
export type Runner = ReturnType<typeof createRunner>;

type Running = Attempt & {
  orgId: string | null;
  /** Whether it holds one of the slots for urgent jobs. */
  isUrgent: boolean;
  controller: AbortController;
  done: Promise<void>;
};

/** When woken, fetches and runs one kind of job: up to `concurrency` at the same time, the next as soon as one ends. */
export function createRunner(deps: {
  queue: Queue;
  log: Log;
  job: JobDefinition;
  handler: Handler;
  concurrency: number;
  check: (payload: unknown) => boolean;
}) {
  const { queue, log, job, handler, concurrency, check } = deps;
  const running = new Set<Running>();
  const ordinarySlots = isShared(job) ? totalSlots(concurrency) : concurrency;
  const urgentSlots = totalSlots(job.urgentConcurrency ?? 0);
  const slots = ordinarySlots + urgentSlots;
  let stopping = false;
  let awaken = () => {};
  let pending = false;

  function wake() {
    pending = true;
    awaken();
  }

  /** Waits for `wake`. A call since the last wait counts. */
  async function rest(): Promise<void> {
    if (!pending) {
      await new Promise<void>((resolve) => {
        awaken = resolve;
      });
    }
    pending = false;
  }

  /** Fetches as many jobs as there are free slots. */
  async function fill(): Promise<void> {
    if (!isShared(job)) {
      const free = concurrency - running.size;
      if (free > 0) for (const fetched of await queue.fetch(job.name, free)) begin(fetched);
      return;
    }
    // One at a time: each started job changes which organization is next.
    while (!stopping && ((await fetchInto(true)) || (await fetchInto(false))));
  }

  /** Starts the next job in one of the urgent slots, or of the others. False if there is none, or no slot. */
  async function fetchInto(isUrgent: boolean): Promise<boolean> {
    const holders = [...running].filter((each) => each.isUrgent === isUrgent).map(({ orgId }) => orgId);
    const free = (isUrgent ? urgentSlots : ordinarySlots) - holders.length;
    if (free <= 0) return false;
    const fetched = await queue.fetchFairly(job.name, saturated(holders, free), isUrgent);
    if (fetched) begin(fetched, isUrgent);
    return fetched !== null;
  }

  async function loop(): Promise<void> {
    for (;;) {
      await rest();
      if (stopping) return;
      if (running.size === slots) continue;
      try {
        await fill();
      } catch (error) {
        if (!stopping) log.warn({ err: error, job: job.name }, 'cannot fetch jobs');
      }
    }
  }

  function begin(fetched: Fetched, isUrgent = false): void {
    const entry: Running = {
      id: fetched.id,
      attempt: fetched.attempt,
      orgId: fetched.orgId,
      isUrgent,
      controller: new AbortController(),
      done: Promise.resolve(),
    };
    lose(entry.id); // an earlier attempt of the same job that was given away while this process was frozen
    running.add(entry);
    const fields = { job: job.name, jobId: entry.id, attempt: entry.attempt, ...idsOf(fetched.data) };
    const span = openSpan(fetched);
    const work = () => withLogFields(fields, () => run(fetched, entry, span));
    entry.done = (span ? span.run(work) : work()).finally(() => {
      span?.end();
      running.delete(entry);
      wake();
    });
    if (stopping) interrupt(entry, 'closing');
  }

  /** Opens the span of an attempt. Maintenance has none, unless it was sent from a trace: it would fill the traces. */
  function openSpan(fetched: Fetched): OpenSpan | null {
    if (job.class === 'maintenance' && fetched.traceparent === null) return null;
    const ids = Object.entries(idsOf(fetched.data)).map(([name, id]) => [`sightline.${toSnakeCase(name)}`, id]);
    return openJobSpan(`job ${job.name}`, fetched, {
      'sightline.job.kind': job.name,
      'sightline.job.class': job.class,
      'sightline.job.id': fetched.id,
      'sightline.job.attempt': fetched.attempt,
      ...Object.fromEntries(ids),
    });
  }

  async function run(fetched: Fetched, entry: Running, span: OpenSpan | null): Promise<void> {
    const timer = setTimeout(() => interrupt(entry, 'timeout'), job.timeoutS * 1000);
    const { signal } = entry.controller;
    const started = performance.now();
    let outcome: JobOutcome = 'completed';
    try {
      log.debug('job started');
      await attempt(fetched, signal);
      await queue.complete(job.name, entry);
      log[job.class === 'maintenance' ? 'debug' : 'info']({ ms: Math.round(performance.now() - started) }, 'job done');
    } catch (error) {
      const { kind } = (signal.reason ?? {}) as Partial<Interruption>;
      outcome = kind === 'timeout' ? 'timeout' : kind === undefined ? 'failed' : 'interrupted';
      span?.fail(kind === undefined ? error : { code: outcome });
      if (kind === 'lost') return;
      try {
        if (kind === 'closing') await queue.giveBack(job.name, entry);
        else await queue.fail(job.name, entry, error instanceof Error ? error.message : String(error));
      } catch (settling) {
        // Heartbeats stop with this attempt, so the job moves to another worker.
        log.warn({ err: settling }, 'cannot settle a job');
      }
      if (kind !== 'closing') {
        const level = fetched.lastAttempt ? 'error' : 'warn';
        log[level]({ err: error, lastAttempt: fetched.lastAttempt }, 'job failed');
      }
    } finally {
      clearTimeout(timer);
      const seconds = (performance.now() - started) / 1000;
      span?.set({ 'sightline.job.outcome': outcome });
      jobEnded.publish({ kind: job.name, class: job.class, outcome, seconds });
    }
  }

  async function attempt({ id, attempt, lastAttempt, data }: Fetched, signal: AbortSignal): Promise<void> {
    if (!check(data)) throw new Error(`the payload of ${job.name} does not fit its schema`);
    await runHandler(() => handler(data, { jobId: id, attempt, lastAttempt, signal }));
  }

  function interrupt(entry: Running, kind: Interruption['kind']): void {
    entry.controller.abort({ kind } satisfies Interruption); // the first reason stays
  }

  async function beat(): Promise<void> {
    // A handler that continues after its timeout is not a dead worker: the queue fails its attempt a minute later.
    const attempts = [...running].filter(({ controller: { signal } }) => !signal.aborted || isTimeout(signal));
    if (attempts.length === 0) return;
    try {
      for (const id of await queue.beat(job.name, attempts)) lose(id);
    } catch (error) {
      log.warn({ err: error, job: job.name }, 'cannot send heartbeats');
    }
  }

  const isTimeout = ({ reason }: AbortSignal) => (reason as Interruption).kind === 'timeout';

  function lose(id: string): void {
    for (const entry of running) if (entry.id === id) interrupt(entry, 'lost');
  }

  const looping = loop();
  const beating = setInterval(() => void beat(), BEAT_MS);

  return {
    job,
    /** Number of jobs that run now. */
    count: () => running.size,
    wake,
    lose,
    /** Aborts running jobs, waits for up to `graceMs`, and requeues those that still run. */
    async close(graceMs: number): Promise<void> {
      stopping = true;
      wake();
      await looping;
      for (const entry of running) interrupt(entry, 'closing');
      const left = new AbortController();
      const ended = Promise.all([...running].map((entry) => entry.done));
      await Promise.race([ended, sleep(graceMs, undefined, { signal: left.signal }).catch(() => {})]);
      left.abort();
      clearInterval(beating);
      for (const entry of running) {
        await queue.giveBack(job.name, entry).catch((error) => log.warn({ err: error }, 'cannot give a job back'));
      }
    },
  };
}

/** The ids in a payload, such as `videoId`, for the log. */
function idsOf(payload: unknown): Record<string, string> {
  const fields = Object.entries((payload ?? {}) as Record<string, unknown>);
  return Object.fromEntries(fields.filter(([name, value]) => /Id$/.test(name) && typeof value === 'string')) as Record<
    string,
    string
  >;
}

const toSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
