import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from '#platform/db/index';
import { problems } from './problems.ts';
import type { Queue } from './queue.ts';
import type { JobDefinition, SendOptions } from './types.ts';

const RETRY_AFTER_S = 60;

const handling = new AsyncLocalStorage<true>();

/** Runs the handler of a job. What it sends continues work that was accepted, so that no limit applies to it. */
export const runHandler = <T>(handler: () => Promise<T>): Promise<T> => handling.run(true, handler);

/**
 * Limits how many jobs of one organization may wait, so that its requests cannot fill the queue. Urgent jobs are
 * counted apart: a full queue refuses no question. Concurrent requests may exceed the limit by what each of them adds.
 */
export function createWaitingLimit(definitions: readonly JobDefinition[], queue: Queue, maximum: number) {
  const names = definitions.filter((job) => job.capped).map(({ name }) => name);

  /** Throws `queue_full` (429) if these jobs of a request exceed the limit. */
  return async (trx: Transaction, job: JobDefinition, { orgId, urgent = false }: SendOptions, added: number) => {
    if (!job.capped || !orgId || maximum === Number.POSITIVE_INFINITY || handling.getStore()) return;
    const waiting = await queue.countWaiting(trx, names, { orgId, urgent, limit: maximum });
    if (waiting + added <= maximum) return;
    const each = added === 1 ? 'This request adds one' : `This request adds ${added}`;
    throw problems.queue_full(
      `Your organization may have ${maximum} waiting jobs${urgent ? ' that somebody waits for' : ''} and has ${waiting === maximum ? 'as many' : waiting}. ${each}: try again once some have ended, or cancel some.`,
      { headers: { 'retry-after': String(RETRY_AFTER_S) } },
    );
  };
}
