import { setTimeout as sleep } from 'node:timers/promises';
import type { Static } from 'typebox';
import { newId } from '#platform/ids';
import type { Interruption, JobContext, Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Sealer } from '#platform/secrets/index';
import { recordSession } from '../jobs.ts';
import { LeaseLostError } from '../lease-lost.ts';
import { problems } from '../problems.ts';
import { getSecretContext } from '../source-secrets.ts';
import { type LiveSourceDeps, openSource, type SourceReader } from '../sources/index.ts';
import { findSession } from '../store.ts';
import type { LiveSession } from '../types.ts';
import { backfillRecording } from './backfill.ts';
import { createFinalizer, type FinalizerDeps } from './finalize.ts';
import { createPictureWatch, type PictureWatchDeps } from './picture-watch.ts';
import { createSegmentWriters, type SegmentWriter, type SegmentWriterDeps } from './segment-writer.ts';
import { createSpanKeeper, type SpanKeeperDeps } from './span-keeper.ts';
import * as store from './store.ts';
import type { SourceTimeouts } from './types.ts';

export const SOURCE_TIMEOUTS: SourceTimeouts = {
  firstFrameS: 30,
  reconnectForS: 300,
  stalledS: 15,
  minRetryS: 1,
  maxRetryS: 15,
  diskFullS: 60,
  backfillS: 30,
  sampleS: 4,
  faultS: 10,
  clearS: 5,
  sweepS: 10,
};
const SEGMENT_S = 2;
/** Limits of the delay before a failed recording is finalized again, in seconds; it doubles with every attempt. */
const FINALIZE_RETRY_S = { first: 10, longest: 600 };
/** Capture stops this long before the longest duration of a session, as segments in progress are still written. */
const RESERVE_S = 60;

export type RecorderDeps = LiveSourceDeps &
  Omit<FinalizerDeps, 'spans'> &
  SpanKeeperDeps &
  SegmentWriterDeps &
  Omit<PictureWatchDeps, 'media' | 'storage' | 'timeouts'> & {
    media: Pick<Media, 'capture' | 'probe' | 'run'>;
    sealer: Sealer;
    jobs: Pick<Jobs, 'send'>;
    log: Log;
    /** Longest duration of a session in seconds. */
    maxSeconds: number;
    timeouts: SourceTimeouts;
  };

/**
 * Problems that are permanent for a source that has never sent a frame. After the first frame they may be temporary.
 */
const PERMANENT_BEFORE_FIRST_FRAME = new Set([
  'fetch_url_invalid',
  'fetch_address_refused',
  'fetch_certificate_invalid',
  'fetch_too_many_redirects',
  'live_source_invalid',
  'media_no_video',
  'media_playlist',
  'media_still_image',
  'media_unreadable',
  'media_dimensions',
]);
/** Problems that end a session: faults of this service, and sources that report their own end. */
const PERMANENT = new Set([
  'secret_key_lost',
  'quota_exceeded',
  'storage_full',
  'live_database_full',
  'live_source_lost',
]);

/** State of a capture that the end of the session needs. */
type CaptureState = {
  /** The reason why nothing arrives; null while segments arrive. */
  problem: Problem | null;
  /** See `SourceReader.publishedMs`. */
  publishedMs: () => number | null;
};

/**
 * Records sessions: captures a source under a lease, reconnects when the connection breaks, and finalizes the
 * recording.
 */
export function createRecorder(deps: RecorderDeps) {
  const { database, jobs, media, sealer, log, maxSeconds, timeouts } = deps;
  const { db } = database;
  const spans = createSpanKeeper(deps);
  const finalizer = createFinalizer({ ...deps, spans });
  const writers = createSegmentWriters(deps);
  const watchPicture = createPictureWatch(deps);
  const longestS = maxSeconds - Math.min(RESERVE_S, maxSeconds / 10);
  /** Sessions recorded by this worker that somebody watches. */
  const watched = new Set<string>();
  /** Functions that check the leases of the sessions recorded by this worker, by session id. */
  const leaseChecks = new Map<string, () => void>();

  /** Throws `secret_key_lost`. */
  const getSourceUrl = ({ id, sourceSecret }: LiveSession) =>
    new URL((sealer.open(getSecretContext(id), sourceSecret!) as { url: string }).url);

  /**
   * Captures the source until its end, until `stop`, or until it is lost. Returns the reason why the session ended
   * early; null if its end was requested or the source ended.
   */
  async function capture(
    session: LiveSession,
    lease: store.SessionLease,
    writer: SegmentWriter,
    state: CaptureState,
    { stop, lost }: { stop: AbortSignal; lost: AbortSignal },
  ): Promise<Problem | null> {
    let source: SourceReader | null = null;
    state.publishedMs = () => source?.publishedMs?.() ?? null;
    await using pictures = new AsyncDisposableStack();
    const picture = watchPicture(session, lease, lost);
    pictures.defer(picture.close);
    const initialCount = writer.segmentCount();
    if (initialCount > 0) state.problem = problems.live_interrupted();
    const isTooLong = () => writer.captureStart().startS >= longestS;
    const tooLong = new AbortController();
    const stopOrLost = AbortSignal.any([stop, lost]);
    const stopCapture = AbortSignal.any([stop, tooLong.signal]);
    let lastSegmentMs = Date.now();
    let retryS = timeouts.minRetryS;
    let reason: Problem | null = null;
    /** The reason for a gap before the next segment. After a takeover that is the interruption of this service. */
    const gapReason = (): Problem | null =>
      initialCount > 0 && writer.segmentCount() === initialCount ? problems.live_interrupted() : reason;
    while (!stopOrLost.aborted) {
      if (isTooLong()) return problems.live_too_long();
      const before = writer.segmentCount();
      const attempt = new AbortController();
      try {
        source ??= openSource(deps, getSourceUrl(session), writer.position);
        const input = await source.next(AbortSignal.any([stopOrLost, attempt.signal]));
        if (!input) return null;
        await writer.dropParts();
        await media.capture(
          { ...input, ...writer.captureStart(), segmentS: SEGMENT_S, stallS: timeouts.stalledS },
          {
            signal: lost,
            stop: stopCapture,
            onPart: (part) => writer.writePart(part),
            needsParts: () => watched.has(session.id),
            onSegment: async (segment) => {
              await writer.write(segment, gapReason());
              picture.take(segment);
              state.problem = null;
              lastSegmentMs = Date.now();
              if (isTooLong()) tooLong.abort();
            },
          },
        );
        reason = problems.live_source_refused('The source closed the connection.');
      } catch (error) {
        if (stopOrLost.aborted) break;
        if (error instanceof LeaseLostError) throw error;
        if (!(error instanceof Problem) || error.isFault)
          log.warn({ err: error, sessionId: session.id }, 'the capture of a livestream failed');
        reason = error instanceof Problem ? error : problems.live_failed();
        const isFirst = writer.segmentCount() === 0;
        if (PERMANENT.has(reason.code) || (isFirst && PERMANENT_BEFORE_FIRST_FRAME.has(reason.code))) return reason;
      } finally {
        attempt.abort();
      }
      if (writer.segmentCount() > before) {
        retryS = timeouts.minRetryS;
        lastSegmentMs = Date.now();
        // A connection that was closed after it sent segments is reopened at once.
        if (reason.code === 'live_source_refused') continue;
      }
      const hasSegments = writer.segmentCount() > 0;
      const limitS = hasSegments ? timeouts.reconnectForS : timeouts.firstFrameS;
      if (Date.now() - lastSegmentMs > limitS * 1000) return toSourceProblem(hasSegments, reason);
      state.problem = gapReason();
      await store.setConnectionState(db, lease, { connected: false, problem: reason });
      await sleep(retryS * 1000, undefined, { signal: stopOrLost }).catch(() => {});
      retryS = Math.min(retryS * 2, timeouts.maxRetryS);
    }
    lost.throwIfAborted();
    return null;
  }

  /** See `backfillRecording`. */
  function backfill(
    session: LiveSession,
    writer: SegmentWriter,
    state: CaptureState,
    end: Date,
    signals: AbortSignal[],
  ) {
    return backfillRecording({
      writer,
      capture: media.capture,
      segmentS: SEGMENT_S,
      stallS: timeouts.stalledS,
      problem: state.problem,
      publishedMs: state.publishedMs(),
      longestS: timeouts.backfillS,
      open: () => openSource(deps, getSourceUrl(session), writer.position),
      endMs: end.getTime(),
      signal: AbortSignal.any(signals),
    });
  }

  /** Renews the lease regularly, and notices a requested end and a lost lease. Returns a function that stops this. */
  function maintainLease(lease: store.SessionLease, on: { endRequested: () => void; lost: () => void }): () => void {
    let isChecking = false;
    const check = async () => {
      if (isChecking) return;
      isChecking = true;
      try {
        const renewed = await store.renewLease(db, lease);
        if (renewed?.isWatched) watched.add(lease.sessionId);
        else watched.delete(lease.sessionId);
        if (renewed === null) on.lost();
        else if (renewed.status === 'ENDING') on.endRequested();
      } catch (error) {
        log.warn({ err: error, sessionId: lease.sessionId }, 'cannot renew the lease of a livestream');
      } finally {
        isChecking = false;
      }
    };
    const timer = setInterval(check, store.RENEW_MS);
    const checkNow = () => void check();
    leaseChecks.set(lease.sessionId, checkNow);
    return () => {
      clearInterval(timer);
      watched.delete(lease.sessionId);
      if (leaseChecks.get(lease.sessionId) === checkNow) leaseChecks.delete(lease.sessionId);
    };
  }

  async function releaseAndThrow(lease: store.SessionLease, reason: unknown): Promise<never> {
    await store.releaseLease(db, lease);
    throw reason;
  }

  /** Schedules another attempt at a recording that cannot be finalized now. Its segments stay in storage. */
  async function retryLater(lease: store.SessionLease, error: unknown, tries: number): Promise<void> {
    const { sessionId } = lease;
    const problem = error instanceof Problem ? error : problems.live_failed();
    // Waiting for the analysis is no failure, and the recording should come soon after it.
    const waits = isBehind(problem);
    log[waits ? 'info' : 'error']({ err: error, sessionId }, 'the recording of a livestream cannot be finalized yet');
    const { orgId, problem: reason } = (await findSession(db, sessionId))!;
    // The reason why a session ended early outlasts the wait for its analysis.
    if (!reason || !waits) await store.setConnectionState(db, lease, { connected: false, problem });
    const { first, longest } = FINALIZE_RETRY_S;
    const startAfterS = waits ? first : Math.min(first * 2 ** tries, longest);
    await store.releaseLease(db, lease, startAfterS);
    await database.transaction((trx) =>
      jobs.send(trx, recordSession, { sessionId, tries: waits ? tries : tries + 1 }, { startAfterS, orgId }),
    );
  }

  return {
    /** Checks a session recorded by this worker at once, as its end may have been requested; null checks all. */
    checkLease(sessionId: string | null): void {
      for (const [id, check] of leaseChecks) if (sessionId === null || id === sessionId) check();
    },

    /** The handler of `recordSession`: records a session until its end, or until the job is interrupted. */
    async record(
      { sessionId, tries = 0 }: Static<typeof recordSession.payload>,
      { jobId, signal }: Pick<JobContext, 'jobId' | 'signal'>,
    ): Promise<void> {
      const lease = { sessionId, jobId, leaseHolder: `${jobId}:${newId()}` };
      if (!(await store.claimSession(db, lease))) {
        const session = await findSession(db, sessionId);
        if (session?.endedAt) await finalizer.deleteSegmentFiles(sessionId);
        return;
      }
      const [lost, stop] = [new AbortController(), new AbortController()];
      const endRequested = () => stop.abort();
      const leaseLost = () => lost.abort(new LeaseLostError());
      const interrupted = () => ((signal.reason as Interruption).kind === 'lost' ? leaseLost() : endRequested());
      signal.addEventListener('abort', interrupted, { once: true });
      const stopRenewing = maintainLease(lease, { endRequested, lost: leaseLost });
      try {
        const session = (await findSession(db, sessionId))!;
        let problem = session.problem && !isBehind(session.problem) ? toProblem(session.problem) : null;
        if (!session.captureComplete) {
          const writer = await writers.open(session, lease);
          await using keeping = new AsyncDisposableStack();
          if (session.recording === 'events')
            keeping.defer(spans.start(session, lease, timeouts.sweepS, (deleted) => writer.release(deleted)));
          const state: CaptureState = { problem: null, publishedMs: () => null };
          // The end was requested while no worker recorded the session.
          if (session.status === 'ENDING') state.problem = problems.live_interrupted();
          else problem = await capture(session, lease, writer, state, { stop: stop.signal, lost: lost.signal });
          signal.throwIfAborted();
          const { endRequestedAt } = (await findSession(db, sessionId))!;
          const gap = endRequestedAt && (await backfill(session, writer, state, endRequestedAt, [signal, lost.signal]));
          const isOurs = await database.transaction((trx) => store.finishCapture(trx, lease, problem, gap));
          if (!isOurs) throw new LeaseLostError();
        }
        const current = (await findSession(db, sessionId))!;
        await finalizer.finalize(current, lease, problem, AbortSignal.any([signal, lost.signal]));
        await finalizer.deleteSegmentFiles(sessionId);
      } catch (error) {
        if (lost.signal.aborted || error instanceof LeaseLostError) return;
        // The worker that gets the job next continues.
        if (signal.aborted) return await releaseAndThrow(lease, signal.reason);
        await retryLater(lease, error, tries);
      } finally {
        stopRenewing();
        signal.removeEventListener('abort', interrupted);
      }
    },
  };
}

const toSourceProblem = (hasSegments: boolean, { message }: Problem) =>
  hasSegments
    ? problems.live_source_lost(`The session ended because the source was lost: ${message}`)
    : problems.live_source_missing(`The source never sent a frame: ${message}`);

/** True while the end of a session waits for its analysis, which is no reason of that end. */
const isBehind = ({ code }: { code: string }) => code === 'live_analysis_behind';

const toProblem = ({ code, message }: { code: string; message: string }) => new Problem({ status: 400, code, message });
