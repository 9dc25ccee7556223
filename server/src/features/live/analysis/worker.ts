import { newId } from '#platform/ids';
import { saturated, totalSlots } from '#platform/shares';
import { Lost } from '../lost.ts';
import { type AnalyseDeps, createAnalysis } from './analyse.ts';
import * as store from './store.ts';

/** Woken with the id of a session when it has a new segment, is asked for something else, or is over. */
export const CHANNEL = 'sightline_live_analysis';

export type WorkerDeps = AnalyseDeps & {
  /** How many sessions of one organisation this worker analyses at once. */
  perWorker: number;
};

/** How often a worker with room looks for sessions that nobody has. */
const LOOK_MS = 2_000;
/** A session is looked at this often even when nobody woke its worker. */
const WAIT_MS = 5_000;
/** How long a session is left alone after something went wrong. */
const PAUSE_S = 3;

/** Looks at sessions for as long as they go on: each is one worker's at a time, by a lease. */
export function createAnalysisWorker(deps: WorkerDeps) {
  const { database, log, perWorker } = deps;
  const { db } = database;
  const analysis = createAnalysis(deps);
  const closing = new AbortController();
  /** The bells of the sessions that are looked at here. */
  const bells = new Map<string, () => void>();
  const running = new Map<Promise<void>, string>();
  let looking: Promise<void> = Promise.resolve();
  let ringing: NodeJS.Timeout | undefined;
  let unlisten = () => {};

  async function look(sessionId: string, holder: string): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([closing.signal, lost.signal]);
    const bell = createBell(signal);
    bells.set(sessionId, bell.ring);
    const renewing = setInterval(() => {
      store.renew(db, sessionId, holder).then(
        (ours) => ours || lost.abort(new Lost()),
        (error) => log.warn({ err: error, sessionId }, 'cannot renew the lease on the analysis of a livestream'),
      );
    }, store.RENEW_MS);
    let pauseS = 0;
    try {
      const begun = await store.find(db, sessionId);
      const memory = begun && (await analysis.remember(begun));
      while (memory && !signal.aborted) {
        const outcome = await analysis.step(holder, sessionId, memory, signal);
        if (outcome === 'done') return;
        if (outcome === 'idle') await bell.wait(WAIT_MS);
      }
    } catch (error) {
      if (signal.aborted || error instanceof Lost) return;
      pauseS = PAUSE_S;
      const isOver = await store.giveUp(db, sessionId, holder).catch(() => false);
      const then = isOver ? 'ended early' : 'broke off; it is taken up again';
      log.error({ err: error, sessionId }, `the analysis of a livestream ${then}`);
    } finally {
      clearInterval(renewing);
      // It may have been taken again here, after it was lost.
      if (bells.get(sessionId) === bell.ring) bells.delete(sessionId);
      if (!lost.signal.aborted) await store.release(db, sessionId, holder, pauseS).catch(() => {});
    }
  }

  /** Takes what nobody has, while there is room. */
  async function takeUp(): Promise<void> {
    const slots = totalSlots(perWorker);
    while (!closing.signal.aborted && running.size < slots) {
      const holder = newId();
      const taken = await store.take(db, holder, saturated(running.values(), slots - running.size));
      if (!taken) return;
      const run = look(taken.sessionId, holder).finally(() => running.delete(run));
      running.set(run, taken.orgId);
    }
  }

  const takeUpSoon = () => {
    looking = looking.then(takeUp).catch((error) => log.warn({ err: error }, 'cannot look for livestreams to analyse'));
  };

  return {
    /** Begins to take sessions; returns once this worker hears of them. */
    async work(): Promise<void> {
      unlisten = await database.listen(CHANNEL, (sessionId) => {
        if (sessionId === null) for (const ring of bells.values()) ring();
        else if (bells.has(sessionId)) bells.get(sessionId)!();
        else takeUpSoon();
      });
      ringing = setInterval(takeUpSoon, LOOK_MS);
      takeUpSoon();
    },

    /** Gives back what it has, to be taken up at once. */
    async close(): Promise<void> {
      clearInterval(ringing);
      closing.abort(new Lost());
      unlisten();
      await looking;
      await Promise.all(running.keys());
    },
  };
}

/** `wait` returns once it rang since the last `wait`, when the signal aborts, or after a while. */
function createBell(signal: AbortSignal) {
  let rang = false;
  let resume = () => {};
  const ring = () => {
    rang = true;
    resume();
  };
  signal.addEventListener('abort', ring, { once: true });
  return {
    ring,
    async wait(ms: number): Promise<void> {
      if (!rang) {
        const { promise, resolve } = Promise.withResolvers<void>();
        resume = resolve;
        const timer = setTimeout(resolve, ms);
        await promise;
        clearTimeout(timer);
      }
      rang = false;
    },
  };
}
