import { newId } from '#platform/ids';
import { saturated, totalSlots } from '#platform/shares';
import { LeaseLostError } from '../lease-lost.ts';
import { type AnalyzerDeps, createAnalyzer } from './analyzer.ts';
import * as store from './store.ts';

/** Notification channel: carries the id of a session with a new segment, a new query or an end. */
export const ANALYSIS_CHANNEL = 'sightline_live_analysis';

export type AnalysisWorkerDeps = AnalyzerDeps & {
  /** Number of sessions that this worker analyzes at once per organization. */
  perWorker: number;
};

/** Interval at which a worker with free slots searches for unclaimed sessions. */
const LOOK_MS = 2_000;
/** A session is checked after this time even without a notification. */
const WAIT_MS = 5_000;
/** Delay before a failed analysis is retried. */
const PAUSE_S = 3;

/** Analyzes sessions while they are recorded. A lease ensures that only one worker at a time analyzes a session. */
export function createAnalysisWorker(deps: AnalysisWorkerDeps) {
  const { database, log, perWorker } = deps;
  const { db } = database;
  const analysis = createAnalyzer(deps);
  const closing = new AbortController();
  /** Wake-up signals of the sessions that this worker analyzes. */
  const bells = new Map<string, () => void>();
  const running = new Map<Promise<void>, string>();
  let looking: Promise<void> = Promise.resolve();
  let ringing: NodeJS.Timeout | undefined;
  let unlisten = () => {};

  /** Ends an analysis that cannot continue. False if its recording has not ended: it is retried then. */
  const endIncomplete = (sessionId: string, holder: string): Promise<boolean> =>
    database.transaction(async (trx) => {
      await deps.answers.lock(trx, sessionId);
      const isOver = await store.endIncomplete(trx, sessionId, holder);
      if (isOver) await deps.answers.store(trx, sessionId);
      return isOver;
    });

  async function look(sessionId: string, holder: string): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([closing.signal, lost.signal]);
    const bell = createBell(signal);
    bells.set(sessionId, bell.ring);
    const renewing = setInterval(() => {
      store.renewLease(db, sessionId, holder).then(
        (ours) => ours || lost.abort(new LeaseLostError()),
        (error) => log.warn({ err: error, sessionId }, 'cannot renew the lease on the analysis of a livestream'),
      );
    }, store.RENEW_MS);
    let pauseS = 0;
    try {
      const started = await store.findAnalysis(db, sessionId);
      const memory = started && (await analysis.loadMemory(started, signal));
      while (memory && !signal.aborted) {
        const outcome = await analysis.step(holder, sessionId, memory, signal);
        if (outcome === 'done') return;
        if (outcome === 'idle') await bell.wait(WAIT_MS);
      }
    } catch (error) {
      if (signal.aborted || error instanceof LeaseLostError) return;
      pauseS = PAUSE_S;
      const isOver = await endIncomplete(sessionId, holder).catch(() => false);
      const then = isOver ? 'ended early' : 'broke off; it is taken up again';
      log.error({ err: error, sessionId }, `the analysis of a livestream ${then}`);
    } finally {
      clearInterval(renewing);
      // The session may have been claimed again here after its lease was lost.
      if (bells.get(sessionId) === bell.ring) bells.delete(sessionId);
      if (!lost.signal.aborted) await store.releaseLease(db, sessionId, holder, pauseS).catch(() => {});
    }
  }

  /** Claims unclaimed sessions while slots are free. */
  async function takeUp(): Promise<void> {
    const slots = totalSlots(perWorker);
    while (!closing.signal.aborted && running.size < slots) {
      const holder = newId();
      const taken = await store.claimAnalysis(db, holder, saturated(running.values(), slots - running.size));
      if (!taken) return;
      const run = look(taken.sessionId, holder).finally(() => running.delete(run));
      running.set(run, taken.orgId);
    }
  }

  const takeUpSoon = () => {
    looking = looking.then(takeUp).catch((error) => log.warn({ err: error }, 'cannot look for livestreams to analyze'));
  };

  return {
    /** Starts to claim sessions, and listens for notifications. */
    async work(): Promise<void> {
      unlisten = await database.listen(ANALYSIS_CHANNEL, (sessionId) => {
        if (sessionId === null) for (const ring of bells.values()) ring();
        else if (bells.has(sessionId)) bells.get(sessionId)!();
        else takeUpSoon();
      });
      ringing = setInterval(takeUpSoon, LOOK_MS);
      takeUpSoon();
    },

    /** Releases all sessions at once, so that other workers can claim them. */
    async close(): Promise<void> {
      clearInterval(ringing);
      closing.abort(new LeaseLostError());
      unlisten();
      await looking;
      await Promise.all(running.keys());
    },
  };
}

/** `wait` returns after a call of `ring` since the last `wait`, when the signal aborts, or after the timeout. */
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
