import { setTimeout as sleep } from 'node:timers/promises';
import type { Static } from 'typebox';
import { newId } from '#platform/ids';
import type { Interruption, JobContext, Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Sealer } from '#platform/secrets/index';
import { completeRecording } from './catch-up.ts';
import { createFinisher, type FinishDeps } from './finish.ts';
import * as store from './follow-store.ts';
import { followSession } from './jobs.ts';
import { createKeeper, type KeeperDeps, type Recording } from './keep.ts';
import { Lost } from './lost.ts';
import { problems } from './problems.ts';
import { sealOf } from './service.ts';
import { openSource, type Source, type SourceDeps } from './source.ts';
import { findSession } from './store.ts';
import type { Session } from './types.ts';

/** How a source is waited for, in seconds. */
export type Patience = {
  /** Until the first picture: then the source is missing. */
  missingS: number;
  /** After the last one: then the source is lost. */
  lostS: number;
  /** Without a byte, while connected: then it has stalled, and is connected to anew. */
  stallS: number;
  /** The first pause before it is connected to anew; each further one is twice as long, up to `longestPauseS`. */
  pauseS: number;
  longestPauseS: number;
  /** For room on a full disk. */
  fullS: number;
  /** To fetch what a session that was asked to end still lacks. */
  catchUpS: number;
};

export const PATIENCE: Patience = {
  missingS: 30,
  lostS: 300,
  stallS: 15,
  pauseS: 1,
  longestPauseS: 15,
  fullS: 60,
  catchUpS: 30,
};
const SEGMENT_S = 2;
/** How soon a recording that could not be put together is tried again, in seconds: each time twice as long after the last. */
const RETRY_S = { first: 10, longest: 600 };
/** A session ends this much before the longest that it may last, or a tenth of that: what was under way comes still. */
const SPARE_S = 60;

export type FollowDeps = SourceDeps &
  FinishDeps &
  KeeperDeps & {
    media: Pick<Media, 'capture' | 'probe'>;
    sealer: Sealer;
    jobs: Pick<Jobs, 'send'>;
    log: Log;
    /** How long a session may last, in seconds. */
    maxSeconds: number;
    patience: Patience;
  };

/** What a source that never sent a picture will not get over. One that did is waited for: a bad answer may come of anything. */
const HOPELESS = new Set([
  ...['fetch_url_invalid', 'fetch_address_refused', 'fetch_certificate_invalid', 'fetch_too_many_redirects'],
  ...['live_source_invalid', 'media_no_video', 'media_playlist', 'media_still_image', 'media_unreadable'],
  'media_dimensions',
]);
/** What is in the way here, which the source cannot help; and a source that says itself that it is lost. */
const FINAL = new Set([
  ...[
    'media_live_unavailable',
    'secret_key_lost',
    'quota_exceeded',
    'storage_full',
    'live_database_full',
    'live_source_lost',
  ],
]);

/** What the end of a session has to know of its recording: why nothing comes, if so, and until when the source has published. */
type State = { trouble: Problem | null; publishedMs: () => number | null };

/** The worker's side of a session: connects, records, connects anew, and at the end puts the recording together. */
export function createFollower(deps: FollowDeps) {
  const { database, jobs, media, sealer, log, maxSeconds, patience } = deps;
  const { db } = database;
  const finisher = createFinisher(deps);
  const keeper = createKeeper(deps);
  const longestS = maxSeconds - Math.min(SPARE_S, maxSeconds / 10);
  /** What looks at the sessions followed here, by their ids. */
  const looking = new Map<string, () => void>();

  /** Throws `secret_key_lost`. */
  const addressOf = ({ id, sourceSecret }: Session) =>
    new URL((sealer.open(sealOf(id), sourceSecret!) as { url: string }).url);

  /** Follows a session that is ours. Returns why it ended before it was asked to; null when it was, or the source ended. */
  async function record(
    session: Session,
    holder: store.Holder,
    recording: Recording,
    state: State,
    { stop, lost }: { stop: AbortSignal; lost: AbortSignal },
  ): Promise<Problem | null> {
    let source: Source | null = null;
    state.publishedMs = () => source?.publishedMs?.() ?? null;
    const begun = recording.segments();
    if (begun > 0) state.trouble = problems.live_interrupted();
    const isFull = () => recording.place().startS >= longestS;
    const full = new AbortController();
    const either = AbortSignal.any([stop, lost]);
    const enough = AbortSignal.any([stop, full.signal]);
    let lastMs = Date.now();
    let pauseS = patience.pauseS;
    let reason: Problem | null = null;
    /** Why something may be missing before the next segment: after a takeover, that is our interruption. */
    const cause = (): Problem | null =>
      begun > 0 && recording.segments() === begun ? problems.live_interrupted() : reason;
    while (!either.aborted) {
      if (isFull()) return problems.live_too_long();
      const before = recording.segments();
      // Ends what was opened for this try.
      const trying = new AbortController();
      try {
        source ??= openSource(deps, addressOf(session), recording.recorded);
        const stretch = await source.next(AbortSignal.any([either, trying.signal]));
        if (!stretch) return null;
        await media.capture(
          { ...stretch, ...recording.place(), segmentS: SEGMENT_S, stallS: patience.stallS },
          {
            signal: lost,
            stop: enough,
            onSegment: async (segment) => {
              await recording.keep(segment, cause());
              state.trouble = null;
              lastMs = Date.now();
              if (isFull()) full.abort();
            },
          },
        );
        reason = problems.live_source_refused('The source ended the connection.');
      } catch (error) {
        if (either.aborted) break;
        if (error instanceof Lost) throw error;
        if (!(error instanceof Problem) || error.status >= 500)
          log.warn({ err: error, sessionId: session.id }, 'a livestream broke off');
        reason = error instanceof Problem ? error : problems.live_failed();
        if (FINAL.has(reason.code) || (HOPELESS.has(reason.code) && recording.segments() === 0)) return reason;
      } finally {
        trying.abort();
      }
      if (recording.segments() > before) {
        // It goes on at once where the source says that only something changes.
        pauseS = patience.pauseS;
        lastMs = Date.now();
        if (reason.code === 'live_source_refused') continue;
      }
      const limitS = recording.segments() > 0 ? patience.lostS : patience.missingS;
      if (Date.now() - lastMs > limitS * 1000) return over(recording.segments() > 0, reason);
      state.trouble = cause();
      await store.setState(db, holder, { connected: false, problem: reason });
      await sleep(pauseS * 1000, undefined, { signal: either }).catch(() => {});
      pauseS = Math.min(pauseS * 2, patience.longestPauseS);
    }
    lost.throwIfAborted();
    return null;
  }

  /** See `completeRecording`. */
  function complete(session: Session, recording: Recording, state: State, end: Date, signals: AbortSignal[]) {
    return completeRecording({
      ...{ recording, capture: media.capture, segmentS: SEGMENT_S, stallS: patience.stallS },
      ...{ trouble: state.trouble, publishedMs: state.publishedMs(), longestS: patience.catchUpS },
      open: () => openSource(deps, addressOf(session), recording.recorded),
      endMs: end.getTime(),
      signal: AbortSignal.any(signals),
    });
  }

  /** Renews the lease while it goes on, and sees when the session is asked to end. */
  function watch(holder: store.Holder, ask: { end: () => void; lose: () => void }): () => void {
    let busy = false;
    const look = async () => {
      if (busy) return;
      busy = true;
      try {
        const status = await store.renew(db, holder);
        if (status === null) ask.lose();
        else if (status === 'ENDING') ask.end();
      } catch (error) {
        log.warn({ err: error, sessionId: holder.sessionId }, 'cannot renew the lease of a livestream');
      } finally {
        busy = false;
      }
    };
    const timer = setInterval(look, store.RENEW_MS);
    const soon = () => void look();
    looking.set(holder.sessionId, soon);
    return () => {
      clearInterval(timer);
      if (looking.get(holder.sessionId) === soon) looking.delete(holder.sessionId);
    };
  }

  async function giveBack(holder: store.Holder, reason: unknown): Promise<never> {
    await store.release(db, holder);
    throw reason;
  }

  /** The recording cannot be put together now: nothing is lost, and it is tried again. */
  async function retryLater(holder: store.Holder, error: unknown, tries: number): Promise<void> {
    const { sessionId } = holder;
    log.error({ err: error, sessionId }, 'the recording of a livestream cannot be put together yet');
    const problem = error instanceof Problem ? error : problems.live_failed();
    await store.setState(db, holder, { connected: false, problem });
    const startAfterS = Math.min(RETRY_S.first * 2 ** tries, RETRY_S.longest);
    await store.release(db, holder, startAfterS);
    const { orgId } = (await findSession(db, sessionId))!;
    await database.transaction((trx) =>
      jobs.send(trx, followSession, { sessionId, tries: tries + 1 }, { startAfterS, orgId }),
    );
  }

  return {
    /** Somebody asked the session to end; null: it may have been any. */
    wake(sessionId: string | null): void {
      for (const [id, look] of looking) if (sessionId === null || id === sessionId) look();
    },

    /** Follows a session to its end, or until this worker is to give it back. */
    async follow(
      { sessionId, tries = 0 }: Static<typeof followSession.payload>,
      { jobId, signal }: Pick<JobContext, 'jobId' | 'signal'>,
    ): Promise<void> {
      const holder = { sessionId, job: jobId, holder: `${jobId}:${newId()}` };
      if (!(await store.take(db, holder))) {
        const session = await findSession(db, sessionId);
        if (session?.endedAt) await finisher.cleanUp(sessionId);
        return;
      }
      const [lost, stop] = [new AbortController(), new AbortController()];
      const end = () => stop.abort();
      const lose = () => lost.abort(new Lost());
      const interrupted = () => ((signal.reason as Interruption).kind === 'lost' ? lose() : end());
      signal.addEventListener('abort', interrupted, { once: true });
      const unwatch = watch(holder, { end, lose });
      try {
        const session = (await findSession(db, sessionId))!;
        let problem = session.problem && problemOf(session.problem);
        if (!session.recorded) {
          const recording = await keeper.open(session, holder);
          const state: State = { trouble: null, publishedMs: () => null };
          // It was asked to end while no worker recorded it.
          if (session.status === 'ENDING') state.trouble = problems.live_interrupted();
          else problem = await record(session, holder, recording, state, { stop: stop.signal, lost: lost.signal });
          signal.throwIfAborted();
          const { endRequestedAt } = (await findSession(db, sessionId))!;
          const gap =
            endRequestedAt && (await complete(session, recording, state, endRequestedAt, [signal, lost.signal]));
          const isOurs = await database.transaction((trx) => store.beginEnding(trx, holder, problem, gap));
          if (!isOurs) throw new Lost();
        }
        const now = (await findSession(db, sessionId))!;
        await finisher.finish(now, holder, problem, AbortSignal.any([signal, lost.signal]));
        await finisher.cleanUp(sessionId);
      } catch (error) {
        if (lost.signal.aborted || error instanceof Lost) return;
        // Taken up by whoever gets the job next.
        if (signal.aborted) return await giveBack(holder, signal.reason);
        await retryLater(holder, error, tries);
      } finally {
        unwatch();
        signal.removeEventListener('abort', interrupted);
      }
    },
  };
}

const over = (recorded: boolean, { message }: Problem) =>
  recorded
    ? problems.live_source_lost(`The source was lost, and the session ended: ${message}`)
    : problems.live_source_missing(`The source never sent a picture: ${message}`);

const problemOf = ({ code, message }: { code: string; message: string }) => new Problem({ status: 400, code, message });
