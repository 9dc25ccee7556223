import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan } from '#engine/index';
import type { AppendedEvent, DomainEvents, Events } from '#features/events/index';
import type { Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { problems } from '../problems.ts';
import { type ReaderOf, toQueryPayload } from '../reading.ts';
import { QUERY_LENGTH } from '../schema/index.ts';
import { findSession } from '../store.ts';
import type { LiveSession } from '../types.ts';
import { createLiveEvidence, type LiveEvidenceDeps } from './evidence.ts';
import { createSegmentFiles, type SegmentFilesDeps } from './segment-files.ts';
import * as store from './store.ts';
import { ANALYSIS_CHANNEL, type AnalysisWorkerDeps, createAnalysisWorker } from './worker.ts';

export type LiveAnalysisDeps = SegmentFilesDeps &
  Omit<LiveEvidenceDeps, 'files'> &
  Omit<AnalysisWorkerDeps, 'files' | 'events' | 'engine'> & {
    engine: LiveEvidenceDeps['engine'] & AnalysisWorkerDeps['engine'];
    events: Pick<Events, 'append' | 'appendAll' | 'follow' | 'publish'>;
    /** Returns the session; throws if the caller may not read it. */
    require: (caller: Caller, sessionId: string) => Promise<LiveSession>;
    readerOf: ReaderOf;
  };

type SessionReader = Awaited<ReturnType<ReaderOf>>;

/** Time limits for the analysis at the end of a session: without progress, and in total. */
const DRAIN_MS = { still: 15_000, total: 600_000 };
const DRAIN_POLL_MS = 100;

/**
 * Analysis of sessions while they are recorded. The worker reads recorded segments by their sequence under its own
 * lease, so recording never waits for it.
 */
export function createLiveAnalysis(deps: LiveAnalysisDeps) {
  const { database, events, require, readerOf } = deps;
  const { db } = database;
  const files = createSegmentFiles(deps);
  const worker = createAnalysisWorker({ ...deps, files });

  async function setQuery(
    trx: Transaction,
    sessionId: string,
    { query, add, given, reader }: { query: string; add: boolean; given: Plan | null; reader: SessionReader },
  ) {
    const now = await store.setQuery(trx, sessionId, query, add);
    if (now === null) throw problems.live_session_over();
    if (now.length > QUERY_LENGTH) throw problems.live_query_too_long();
    const plan = given ?? reader.read(now);
    await store.startAnalysis(trx, sessionId, plan);
    await database.notify(trx, ANALYSIS_CHANNEL, sessionId);
    const { searches, interpretation } = reader.open(plan, now);
    await events.append(trx, sessionId, 'progress', toQueryPayload(sessionId, now, { interpretation }));
    return { query: now, searches, interpretation };
  }

  return {
    evidenceImages: createLiveEvidence({ ...deps, files }),
    work: worker.work,
    close: worker.close,

    /**
     * Replaces the query of a session, or extends it with `add`. Throws `live_session_over` (409),
     * `live_query_too_long` (400), or a problem if the caller may not read the session.
     */
    async changeQuery(caller: Caller, sessionId: string, { query, add }: { query: string; add: boolean }) {
      const reader = await readerOf(await require(caller, sessionId));
      return database.transaction((trx) => setQuery(trx, sessionId, { query, add, given: null, reader }));
    },

    /**
     * Replaces the query of a session of a camera, which is analyzed by this reading of it, without a check of access.
     * Throws as `changeQuery`.
     */
    async replaceQuery(sessionId: string, query: string, plan: Plan): Promise<void> {
      const session = await findSession(db, sessionId);
      if (!session) throw problems.live_session_over();
      const reader = await readerOf(session);
      await database.transaction((trx) => setQuery(trx, sessionId, { query, add: false, given: plan, reader }));
    },

    /** Events of a session after `afterId`, until the session has ended. */
    async follow(
      caller: Caller,
      sessionId: string,
      afterId: number,
      signal: AbortSignal,
    ): Promise<AsyncIterable<AppendedEvent>> {
      await require(caller, sessionId);
      return events.follow(sessionId, afterId, signal);
    },

    /** Domain event: a segment was recorded. */
    onRecorded: (trx: Transaction, { sessionId }: DomainEvents['live.recorded']) =>
      database.notify(trx, ANALYSIS_CHANNEL, sessionId),

    /**
     * Waits until everything recorded is analyzed and reported, with a time limit. After that the analysis continues in
     * the background.
     */
    async drain(sessionId: string, signal: AbortSignal): Promise<void> {
      await store.setEndSequence(db, sessionId);
      await database.notify(db, ANALYSIS_CHANNEL, sessionId);
      const endMs = Date.now() + DRAIN_MS.total;
      let stillMs = Date.now() + DRAIN_MS.still;
      for (let progress = ''; Date.now() < Math.min(stillMs, endMs); ) {
        const analysis = await store.findAnalysis(db, sessionId);
        if (!analysis || analysis.endedAt) return;
        const now = [analysis.nextSequence, ...analysis.pendingRanges.map(({ from }) => from)].join();
        if (now !== progress) stillMs = Date.now() + DRAIN_MS.still;
        progress = now;
        await sleep(DRAIN_POLL_MS, undefined, { signal });
      }
    },
  };
}
