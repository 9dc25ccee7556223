import type { FastifyReply, FastifyRequest } from 'fastify';
import { problems } from '../problems.ts';

/** Concurrent uploads per key and node, queued uploads, and the longest wait of a queued one. */
export type UploadSlots = { perKey: number; waiting: number; waitMs: number };

export const UPLOAD_SLOTS: UploadSlots = { perKey: 32, waiting: 500, waitMs: 120_000 };
const RETRY_AFTER_S = 10;

type Queue = { busy: number; waiting: Set<() => void> };

/**
 * Limits the concurrent uploads of a key; more are queued in order, so that a client can send a batch without pauses.
 */
export function createUploadSlots({ perKey, waiting: mostWaiting, waitMs }: UploadSlots) {
  const queues = new Map<string, Queue>();

  /** Waits for a slot. False if the client disconnected first. */
  async function take(queue: Queue, disconnected: AbortSignal): Promise<boolean> {
    if (queue.busy < perKey) {
      queue.busy++;
      return true;
    }
    if (queue.waiting.size >= mostWaiting) throw tooMany(perKey);
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const turn = () => resolve(true);
    const leave = () => resolve(false);
    const late = setTimeout(() => reject(tooMany(perKey)), waitMs);
    queue.waiting.add(turn);
    disconnected.addEventListener('abort', leave, { once: true });
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      queue.waiting.delete(turn);
      disconnected.removeEventListener('abort', leave);
    }
  }

  function release(key: string, queue: Queue): void {
    const [next] = queue.waiting;
    if (next) {
      queue.waiting.delete(next);
      next();
    } else if (--queue.busy === 0) queues.delete(key);
  }

  return {
    /**
     * Returns once the key may send this upload. The slot is free when the response closes. Throws `rate_limited`
     * (429).
     */
    async admit(key: string, { disconnected }: FastifyRequest, { raw }: FastifyReply): Promise<void> {
      const queue = queues.get(key) ?? { busy: 0, waiting: new Set() };
      queues.set(key, queue);
      if (!(await take(queue, disconnected))) return;
      if (raw.destroyed) release(key, queue);
      else raw.once('close', () => release(key, queue));
    },
  };
}

const tooMany = (perKey: number) =>
  problems.rate_limited(
    `More uploads than the ${perKey} that one key may send at once are waiting: try again after ${RETRY_AFTER_S} seconds.`,
    { headers: { 'retry-after': String(RETRY_AFTER_S) } },
  );
