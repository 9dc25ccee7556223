import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '#engine/index';
import type { Events, News, StreamEvent } from '#features/events/index';
import type { Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { problems } from '../problems.ts';
import { QUERY_LENGTH } from '../schema.ts';
import type { Session } from '../types.ts';
import { createFiles, type FilesDeps } from './files.ts';
import { createLivePictures, type PicturesDeps } from './pictures.ts';
import * as store from './store.ts';
import { CHANNEL, createAnalysisWorker, type WorkerDeps } from './worker.ts';

export type LiveAnalysisDeps = FilesDeps &
  Omit<PicturesDeps, 'files'> &
  Omit<WorkerDeps, 'files' | 'events' | 'engine'> & {
    engine: PicturesDeps['engine'] & WorkerDeps['engine'] & Pick<Engine, 'plan'>;
    events: Pick<Events, 'append' | 'appendAll' | 'follow'>;
    /** The session, where the caller may see it; throws where not. */
    require: (caller: Caller, sessionId: string) => Promise<Session>;
  };

/** How long the end of a session waits for its analysis: without progress, and at most, as it catches up on what it skipped. */
const DRAIN_MS = { still: 15_000, most: 600_000 };
const DRAIN_LOOK_MS = 100;

/**
 * What is looked for in sessions while they go on. The worker reads what is recorded by its number, under a lease of its own: recording does not wait for it, and it follows
 * as closely as it can.
 */
export function createLiveAnalysis(deps: LiveAnalysisDeps) {
  const { database, events, engine, require } = deps;
  const { db } = database;
  const files = createFiles(deps);
  const worker = createAnalysisWorker({ ...deps, files });

  return {
    pictures: createLivePictures({ ...deps, files }),
    work: worker.work,
    close: worker.close,

    /**
     * Has something else looked for from now on, or with `add` something more. Throws `live_session_over` (409), `live_query_too_long` (400), or what says
     * that the caller may not see the session.
     */
    async ask(caller: Caller, sessionId: string, { query, add }: { query: string; add: boolean }) {
      await require(caller, sessionId);
      return database.transaction(async (trx) => {
        const now = await store.setQuery(trx, sessionId, query, add);
        if (now === null) throw problems.live_session_over();
        if (now.length > QUERY_LENGTH) throw problems.live_query_too_long();
        await store.begin(trx, sessionId);
        await database.notify(trx, CHANNEL, sessionId);
        await events.append(trx, sessionId, 'progress', { session_id: sessionId, rapid_review_query: now });
        return { query: now, searches: engine.plan(now).searches.map(({ text }) => text) };
      });
    },

    /** What happens in a session, after an event of it, until it is over. */
    async follow(
      caller: Caller,
      sessionId: string,
      afterId: number,
      signal: AbortSignal,
    ): Promise<AsyncIterable<StreamEvent>> {
      await require(caller, sessionId);
      return events.follow(sessionId, afterId, signal);
    },

    /** There is a new segment. */
    onRecorded: (trx: Transaction, { sessionId }: News['live.recorded']) => database.notify(trx, CHANNEL, sessionId),

    /** Closes the analysis: returns once all that is recorded was analysed and reported, or after a while. It then continues in the background. */
    async drain(sessionId: string, signal: AbortSignal): Promise<void> {
      await store.setUntil(db, sessionId);
      await database.notify(db, CHANNEL, sessionId);
      const endMs = Date.now() + DRAIN_MS.most;
      let stillMs = Date.now() + DRAIN_MS.still;
      for (let progress = ''; Date.now() < Math.min(stillMs, endMs); ) {
        const analysis = await store.find(db, sessionId);
        if (!analysis || analysis.endedAt) return;
        const now = [analysis.next, ...analysis.pending.map(({ from }) => from)].join();
        if (now !== progress) stillMs = Date.now() + DRAIN_MS.still;
        progress = now;
        await sleep(DRAIN_LOOK_MS, undefined, { signal });
      }
    },
  };
}
