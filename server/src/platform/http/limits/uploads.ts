import type { FastifyReply, FastifyRequest } from 'fastify';
import { problems } from '../problems.ts';

/** How many uploads a key may send to one node at once, and how many more may wait for their turn, for how long. */
export type UploadSlots = { perKey: number; waiting: number; waitMs: number };

export const UPLOAD_SLOTS: UploadSlots = { perKey: 32, waiting: 500, waitMs: 120_000 };
const RETRY_AFTER_S = 10;

type Queue = { busy: number; waiting: Set<() => void> };

/** Lets each key send a few uploads at once; more wait in their order, so that a batch of files needs no pauses of its client. */
export function createUploadSlots({ perKey, waiting: mostWaiting, waitMs }: UploadSlots) {
  const queues = new Map<string, Queue>();

  /** Waits for a turn. False when the client left first. */
  async function take(queue: Queue, gone: AbortSignal): Promise<boolean> {
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
    gone.addEventListener('abort', leave, { once: true });
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      queue.waiting.delete(turn);
      gone.removeEventListener('abort', leave);
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
    /** Returns once the key may send this upload; its slot is free again when the response closes. Throws `rate_limited` (429). */
    async admit(key: string, { gone }: FastifyRequest, { raw }: FastifyReply): Promise<void> {
      const queue = queues.get(key) ?? { busy: 0, waiting: new Set() };
      queues.set(key, queue);
      if (!(await take(queue, gone))) return;
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
