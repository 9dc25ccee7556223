import { type Database, isDiskFull, type Queryable } from '#platform/db/index';
import type { Log } from '#platform/log';
import type { Storage } from '#platform/storage/index';
import { findAnalysis, type LiveAnalysis } from '../analysis/index.ts';
import { LeaseLostError } from '../lease-lost.ts';
import type { LiveSession } from '../types.ts';
import { decideSegments, type SpanFacts, type StreamRange, spansOf } from './event-spans.ts';
import * as store from './store.ts';

export type SpanKeeperDeps = {
  database: Database;
  storage: Pick<Storage, 'remove'>;
  log: Log;
  /** Length of the analysis window in seconds: no event begins before it. */
  windowS: number;
  /** Largest size of the segments of a session that are not decided, in bytes. */
  undecidedBytes: number;
};

/** Of sessions that are recorded around their events: decides which segments stay, and deletes the others. */
export function createSpanKeeper({ database, storage, log, windowS, undecidedBytes }: SpanKeeperDeps) {
  /**
   * Decides what the analysis allows to decide. It reads the analysis and its events under a lock, so that nothing is
   * discarded that a step reports at the same time. Files are deleted after the rows say so. Returns the deleted bytes.
   * Throws `LeaseLostError`.
   */
  async function sweep(
    session: LiveSession,
    lease: store.SessionLease,
    { isFinal = false, limitBytes = undecidedBytes } = {},
  ): Promise<number> {
    const discarded = await database.transaction(async (trx) => {
      const analysis = await findAnalysis(trx, session.id, { lock: true });
      if (!(await store.lockSession(trx, lease))) throw new LeaseLostError();
      const segments = await store.listUndecided(trx, session.id);
      if (segments.length === 0) return [];
      const facts = analysis
        ? await factsOf(trx, session, analysis, segments, isFinal)
        : { retained: isFinal ? [EVERYTHING] : [], open: [EVERYTHING], unseen: [] };
      const decisions = decideSegments(segments, facts, limitBytes);
      await store.saveDecisions(trx, session.id, decisions);
      const deleted = new Set(decisions.discarded);
      return segments.filter(({ sequence }) => deleted.has(sequence));
    });
    for (const { storageKey } of discarded) {
      // All files of a session are deleted at its end.
      await storage.remove(storageKey).catch((error) => log.warn({ err: error, storageKey }, 'a segment stays'));
    }
    return discarded.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async function factsOf(
    db: Queryable,
    { id, preRollS, postRollS }: LiveSession,
    analysis: LiveAnalysis,
    segments: readonly store.UndecidedRow[],
    isFinal: boolean,
  ): Promise<SpanFacts> {
    const { pendingRanges, skippedRanges, nextSequence, analysedS, absences } = analysis;
    const absenceSearches = new Set(absences.states.map(({ search }) => search));
    const lasting = new Map(
      [...analysis.reportedEvents, ...pendingRanges.flatMap(({ reportedEvents }) => reportedEvents)]
        .filter(({ going }) => going)
        .map((event) => [event.id, event.endS]),
    );
    const events = await store.listEventSpans(db, id, segments[0]!.streamS - postRollS);
    const retained = events.flatMap(({ eventId, search, ...event }) => {
      const endS = Math.max(event.endS, lasting.get(eventId) ?? 0);
      return spansOf({ ...event, endS, isAbsence: absenceSearches.has(search) }, preRollS, postRollS);
    });
    const next = segments.find(({ sequence }) => sequence >= nextSequence);
    const unseen: StreamRange[] = [...skippedRanges, ...pendingRanges];
    if (next) unseen.push({ fromS: next.streamS, untilS: Number.POSITIVE_INFINITY });
    // Ranges that were never analyzed stay.
    if (isFinal) return { retained: [...retained, ...unseen], open: [], unseen: [] };
    const longestS = Math.max(...segments.map(({ durationS }) => durationS));
    const beforeS = windowS + longestS + preRollS;
    const open = [
      { fromS: analysedS - beforeS, untilS: Number.POSITIVE_INFINITY },
      ...pendingRanges.map(({ fromS, untilS }) => ({ fromS: fromS - beforeS, untilS: untilS + postRollS })),
    ];
    // Absences are reported long after they begin.
    for (const { lastSeen, runs } of absences.states) {
      for (const instantMs of [lastSeen?.atMs, runs[0]?.fromMs]) {
        if (instantMs === undefined) continue;
        const place = segments.findLast(({ capturedAt }) => capturedAt.getTime() <= instantMs);
        if (!place) continue;
        const timeS = place.streamS + Math.min((instantMs - place.capturedAt.getTime()) / 1_000, place.durationS);
        open.push({ fromS: timeS - preRollS, untilS: timeS + postRollS });
      }
    }
    return { retained, open, unseen };
  }

  return {
    sweep,

    /** Sweeps regularly, and reports how many bytes were deleted. Returns a function that stops this. */
    start(session: LiveSession, lease: store.SessionLease, everyS: number, onDeleted: (bytes: number) => void) {
      let sweeping: Promise<void> | null = null;
      const run = async () => {
        try {
          onDeleted(await sweep(session, lease));
        } catch (error) {
          if (error instanceof LeaseLostError || isDiskFull(error)) return;
          log.warn({ err: error, sessionId: session.id }, 'cannot decide which segments of a livestream stay');
        } finally {
          sweeping = null;
        }
      };
      const timer = setInterval(() => {
        sweeping ??= run();
      }, everyS * 1_000);
      return async () => {
        clearInterval(timer);
        await sweeping;
      };
    },
  };
}

export type SpanKeeper = ReturnType<typeof createSpanKeeper>;

const EVERYTHING: StreamRange = { fromS: Number.NEGATIVE_INFINITY, untilS: Number.POSITIVE_INFINITY };
