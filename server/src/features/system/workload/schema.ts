import { Type } from 'typebox';
import { type Domain, Nullable, resource, Timestamp } from '#platform/http/index';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const QUEUE = {
  name: 'analyses.run',
  waiting: 12,
  oldest_waiting_at: '2026-11-21T09:30:00.000Z',
  delayed: 0,
  running: 2,
  failed: 0,
};

export const QueueList = resource(
  'QueueList',
  Type.Object(
    {
      queues: Type.Array(
        Type.Object(
          {
            name: Type.String({ description: 'Kind of job.' }),
            waiting: Count('Jobs that could start now.'),
            oldest_waiting_at: Nullable(
              Timestamp({ description: 'Since when the oldest waiting job could start; null if none waits.' }),
            ),
            delayed: Count('Jobs that start later: delayed ones, and those before their next attempt.'),
            running: Count('Jobs that run now, on all workers.'),
            failed: Count('Jobs that were given up in the last six hours.'),
          },
          { description: 'Jobs of one kind.', examples: [QUEUE] },
        ),
        { description: 'All kinds of jobs.' },
      ),
    },
    { description: 'Background jobs of the service by kind.', examples: [{ queues: [QUEUE] }] },
  ),
);
export type QueueList = Domain<typeof QueueList>;

const WORKER = {
  id: '019a0b1c2d3e4f5061728394a5b6c7d8',
  host: 'node-1',
  pid: 4711,
  status: 'running' as const,
  running: [{ name: 'analyses.run', count: 2 }],
  started_at: '2026-11-21T08:00:00.000Z',
  heartbeat_at: '2026-11-21T09:30:00.000Z',
};

export const WorkerList = resource(
  'WorkerList',
  Type.Object(
    {
      workers: Type.Array(
        Type.Object(
          {
            id: Type.String({ description: 'Identifier of the worker, new at each start.' }),
            host: Type.String({ description: 'Host name of its node.' }),
            pid: Type.Integer({ description: 'Id of its process on the node.' }),
            status: Type.Union([Type.Literal('running'), Type.Literal('not_responding')], {
              description:
                '`running`, or `not_responding` if heartbeats are missing: it was killed, is frozen, or cannot reach the database. Its jobs move to other workers.',
            }),
            running: Type.Array(
              Type.Object({
                name: Type.String({ description: 'Kind of job.' }),
                count: Type.Integer({ minimum: 1, description: 'Number of jobs of this kind that it runs.' }),
              }),
              { description: 'What it runs, as of its last heartbeat.' },
            ),
            started_at: Timestamp({ description: 'Start of the worker, ISO 8601, UTC.' }),
            heartbeat_at: Timestamp({ description: 'Last heartbeat, ISO 8601, UTC.' }),
          },
          { description: 'A worker.', examples: [WORKER] },
        ),
        {
          description: 'Workers, the oldest first, with those that stopped responding in the last 24 hours.',
        },
      ),
    },
    { description: 'Workers of the service on all nodes.', examples: [{ workers: [WORKER] }] },
  ),
);
export type WorkerList = Domain<typeof WorkerList>;
