import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../db/index.ts';
import type { Jobs, QueueState } from '../jobs/index.ts';
import {
  jobEnded,
  mediaProcessDied,
  mediaTaskEnded,
  modelCallEnded,
  requestEnded,
  storageCallEnded,
} from '../measurements.ts';
import type { Media } from '../media/index.ts';
import type { DiskSpace } from '../storage/index.ts';

/** Parts whose state the metrics read on request. */
export type MetricSources = {
  version: string;
  /** `api`, `worker` or both, comma-separated. */
  roles: string;
  database: Pick<Database, 'connections'>;
  jobs: Pick<Jobs, 'queues' | 'workers' | 'running' | 'classOf'>;
  media: Pick<Media, 'load'>;
  disk: Pick<DiskSpace, 'freeBytes'>;
  /** State of each dependency, as readiness checks it. */
  checks(): Promise<Readonly<Record<string, 'ok' | 'failed' | 'full'>>>;
};

export type Metrics = {
  /** Content type of the text. */
  readonly contentType: string;
  /** All metrics as text. A source that fails is left out, so that the others are still seen while it is down. */
  text(): Promise<string>;
  close(): void;
};

const REQUEST_S = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];
const JOB_S = [0.1, 1, 10, 60, 600, 3600];
const CALL_S = [0.005, 0.05, 0.5, 5, 60];
const MODEL_S = [0.5, 2, 5, 15, 45, 120];
/** All nodes report the same queue; it is counted for each of them at most this often. */
const QUEUE_MS = 10_000;
/** A database that does not answer must not hold up the other metrics. */
const SOURCE_MS = 3_000;

/** Collects measurements of this process until it is closed. Names and labels are part of docs/monitoring.md. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [registry];
  collectDefaultMetrics({ register: registry as never });

  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `sightline_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name: `sightline_${name}`, help, labelNames, buckets, registers });
  /** A gauge whose values are read on request. Values of a source that fails are absent. */
  function gauge<const Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: () => Promise<readonly Reading<Label>[]> | readonly Reading<Label>[],
  ): void {
    new Gauge({
      name: `sightline_${name}`,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset();
        // A gauge without labels would be 0 again.
        if (labelNames.length === 0) this.remove();
        const readings = await within(SOURCE_MS, async () => read()).catch(() => []);
        for (const [labels, value] of readings) this.set(labels as never, value);
      },
    });
  }

  gauge('build_info', 'Version and roles of this process; always 1.', ['version', 'roles'], () => [
    [{ version: sources.version, roles: sources.roles }, 1],
  ]);
  gauge('check', 'State of a dependency, as readiness checks it: 1 if it is available.', ['check'], async () =>
    Object.entries(await sources.checks()).map(([check, state]) => [{ check }, state === 'ok' ? 1 : 0]),
  );

  const requests = counter('http_requests_total', 'Responses, by operation and status.', ['operation', 'status']);
  const requestS = histogram(
    'http_request_duration_seconds',
    'Time to the end of the response, without event streams.',
    ['operation'],
    REQUEST_S,
  );

  const queue = cached(QUEUE_MS, () => sources.jobs.queues());
  const byState = (states: readonly QueueState[]) =>
    states.flatMap(({ name, ...counts }) =>
      (['waiting', 'delayed', 'running', 'failed'] as const).map(
        (state) => [{ kind: name, class: sources.jobs.classOf(name), state }, counts[state]] as const,
      ),
    );
  gauge(
    'queue_jobs',
    'Jobs of all nodes by kind, class and state. Failed jobs are those of the last six hours.',
    ['kind', 'class', 'state'],
    async () => byState(await queue()),
  );
  gauge(
    'queue_oldest_seconds',
    'Time that the oldest waiting job of this kind has waited; 0 without one.',
    ['kind', 'class'],
    async () =>
      (await queue()).map(({ name, oldestWaitingAt }) => [
        { kind: name, class: sources.jobs.classOf(name) },
        oldestWaitingAt === null ? 0 : Math.max(0, (Date.now() - oldestWaitingAt.getTime()) / 1000),
      ]),
  );
  const workers = cached(QUEUE_MS, () => sources.jobs.workers());
  gauge('workers', 'Workers of all nodes, by whether they send heartbeats.', ['state'], async () => {
    const states = (await workers()).map(({ responding }) => responding);
    return [true, false].map((responding) => [
      { state: responding ? 'running' : 'not_responding' },
      states.filter((each) => each === responding).length,
    ]);
  });
  gauge('jobs_running', 'Jobs that this worker runs, by kind and class.', ['kind', 'class'], () =>
    Object.entries(sources.jobs.running()).map(([kind, count]) => [{ kind, class: sources.jobs.classOf(kind) }, count]),
  );
  const jobs = counter('jobs_total', 'Attempts of jobs on this worker, by kind, class and outcome.', [
    'kind',
    'class',
    'outcome',
  ]);
  const jobS = histogram('job_duration_seconds', 'Time of an attempt.', ['kind', 'class'], JOB_S);

  gauge('media_processes', 'Media processes of this node, by pool and state.', ['pool', 'state'], () =>
    sources.media
      .load()
      .flatMap(({ pool, busy, paused, idle }) =>
        Object.entries({ busy, paused, idle }).map(([state, count]) => [{ pool, state }, count] as const),
      ),
  );
  gauge('media_tasks_waiting', 'Tasks that wait for a media process, by pool.', ['pool'], () =>
    sources.media.load().map(({ pool, waiting }) => [{ pool }, waiting]),
  );
  const mediaS = histogram(
    'media_task_duration_seconds',
    'Time of a media task with its wait for a process.',
    ['pool', 'outcome'],
    JOB_S,
  );
  const deaths = counter(
    'media_process_deaths_total',
    'Media processes that died with their task: because of the file, or killed from outside (machine).',
    ['pool', 'cause'],
  );

  gauge('db_connections', 'Connections of the pool by state.', ['state'], () => {
    const { total, idle } = sources.database.connections();
    return [
      [{ state: 'busy' }, total - idle],
      [{ state: 'idle' }, idle],
    ];
  });
  gauge('db_connections_max', 'Size of the pool.', [], () => [[{}, sources.database.connections().max]]);
  gauge('db_waiting', 'Statements that wait for a connection of the pool.', [], () => [
    [{}, sources.database.connections().waiting],
  ]);

  const modelS = histogram(
    'model_call_duration_seconds',
    'Time of a request to a vision-language or language model, with its retries.',
    ['client', 'outcome'],
    MODEL_S,
  );
  const tokens = counter('model_tokens_total', 'Tokens of requests to models, as their endpoint counts them.', [
    'client',
    'direction',
  ]);

  const storageS = histogram(
    'storage_call_duration_seconds',
    'Time of a call of the storage; of reads, until the first bytes.',
    ['operation', 'outcome'],
    CALL_S,
  );
  gauge(
    'disk_free_bytes',
    'Bytes that may be written to the fullest disk of the database and the files; absent without a local disk.',
    [],
    async () => {
      const free = await sources.disk.freeBytes();
      return free === null ? [] : [[{}, free]];
    },
  );

  const subscriptions = [
    requestEnded.subscribe(({ operation, status, seconds }) => {
      const name = operation ?? 'other';
      requests.inc({ operation: name, status });
      if (seconds !== null) requestS.observe({ operation: name }, seconds);
    }),
    jobEnded.subscribe(({ kind, class: jobClass, outcome, seconds }) => {
      jobs.inc({ kind, class: jobClass, outcome });
      jobS.observe({ kind, class: jobClass }, seconds);
    }),
    mediaTaskEnded.subscribe(({ seconds, ...labels }) => mediaS.observe(labels, seconds)),
    mediaProcessDied.subscribe((labels) => deaths.inc(labels)),
    modelCallEnded.subscribe(({ client, outcome, seconds, inputTokens, outputTokens }) => {
      modelS.observe({ client, outcome }, seconds);
      tokens.inc({ client, direction: 'input' }, inputTokens);
      tokens.inc({ client, direction: 'output' }, outputTokens);
    }),
    storageCallEnded.subscribe(({ seconds, ...labels }) => storageS.observe(labels, seconds)),
  ];

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    close() {
      for (const end of subscriptions) end();
      registry.clear();
    },
  };
}

type Reading<Label extends string> = readonly [labels: Readonly<Record<Label, string>>, value: number];

/** The result of `read`, for `ms`. A failure is not kept. */
function cached<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | null = null;
  let at = Number.NEGATIVE_INFINITY;
  return () => {
    if (last === null || performance.now() - at >= ms) {
      at = performance.now();
      const current = read();
      last = current;
      current.catch(() => {
        if (last === current) last = null;
      });
    }
    return last;
  };
}

async function within<T>(ms: number, read: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('The source of a metric did not answer in time.')), ms);
  try {
    return await Promise.race([read(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
