import type { Events } from '#features/events/index';
import { inspectFile } from '#features/uploads/index';
import { type RecordingTime, toReading, type Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { Media } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { type AnswerRecorder, findAnalysis } from '../analysis/index.ts';
import { LeaseLostError } from '../lease-lost.ts';
import { problems } from '../problems.ts';
import { deleteAllRecordings } from '../store.ts';
import type { LiveSession } from '../types.ts';
import { buildHeader, closeGaps, openRecording, readAudioExtent } from './recording-file.ts';
import type { SpanKeeper } from './span-keeper.ts';
import * as store from './store.ts';

export type FinalizerDeps = {
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  videos: Pick<Videos, 'create' | 'find' | 'reserveFor' | 'markReady' | 'fail' | 'discard'>;
  events: Pick<Events, 'append' | 'publish'>;
  /** Waits for the end of the analysis, with a time limit. */
  drain: (sessionId: string, signal: AbortSignal) => Promise<void>;
  answers: Pick<AnswerRecorder, 'lock' | 'store'>;
  spans: Pick<SpanKeeper, 'sweep'>;
};

/** Problems of a recording without video. All other problems may be temporary, and the recording is retained. */
const NO_VIDEO = new Set(['media_empty', 'media_no_video', 'media_still_image', 'media_damaged']);
/** Space for the index of a recording, besides its segments. */
const INDEX_BYTES = 2 ** 20;

/** Storage prefix of the segments of a session until it is finalized. */
export const segmentPrefix = (sessionId: string) => `live/${sessionId}/`;

/** A shorter time between segments is that of frames on their way. */
const SHORTEST_GAP_S = 1;

/** When segments were captured: the first one, and where a connection was lost in between. */
export function toRecordingTime(
  segments: readonly Pick<store.TimedSegment, 'startS' | 'durationS' | 'capturedAt'>[],
  timeZone: string | null,
): RecordingTime {
  const [first] = segments;
  const jumps = segments.slice(1).flatMap(({ startS, capturedAt }, i) => {
    const before = segments[i]!;
    const seconds = (capturedAt.getTime() - before.capturedAt.getTime()) / 1_000 - before.durationS;
    return seconds >= SHORTEST_GAP_S ? [{ atS: startS - first!.startS, seconds }] : [];
  });
  return { readings: [toReading('live', first!.capturedAt)], jumps, timeZone };
}

/** A range of epochs, and the video that it becomes. */
type Recording = { range: store.EpochRange; videoId: string };

/**
 * Turns the segments of a session into videos of the library. After a crash it continues with those that are not
 * finished.
 */
export function createFinalizer({ database, storage, media, videos, events, drain, answers, spans }: FinalizerDeps) {
  const { db } = database;
  /** The length limit for uploads does not apply to recordings. */
  const probe: Media['probe'] = (path, options) =>
    media.probe(path, { ...options, maxSeconds: Number.POSITIVE_INFINITY });

  /** Writes one recording: a header with an index, then the bytes of its segments. */
  async function writeRecording(
    session: LiveSession,
    range: store.EpochRange,
    videoId: string,
    signal: AbortSignal,
  ): Promise<void> {
    const video = await videos.find(videoId);
    // The video was deleted, or written before.
    if (video?.status !== 'PREPARE_IN_PROGRESS') return;
    const stored = await store.listStoredSegments(db, session.id, range);
    const segments = await closeGaps(storage, range.init, stored, signal);
    const audio = await readAudioExtent(storage, range.init, segments, signal);
    const header = buildHeader(range.init, segments, audio);
    const { storageKey } = video;
    const file = await storage.write(storageKey, openRecording(storage, header, segments, signal), { signal });
    try {
      const facts = await inspectFile({ storage, media: { probe } }, storageKey, file, signal);
      await database.transaction(async (trx) => {
        if (
          !(await videos.markReady(trx, videoId, { ...facts, recording: toRecordingTime(segments, session.timeZone) }))
        )
          return;
        await store.moveSegmentsIntoRecording(trx, session.id, range, { storageKey, headerBytes: header.length });
      });
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem) || !NO_VIDEO.has(error.code)) throw error;
      await videos.fail(videoId, error);
    }
  }

  /** Returns the video of a recording. The first one exists since the start of the session; others are created here. */
  async function ensureVideo(
    session: LiveSession,
    range: store.EpochRange,
    place: { index: number; count: number },
  ): Promise<string> {
    if (range.videoId) return range.videoId;
    const isFirst = place.index === 0;
    const videoId = isFirst ? session.videoId : newId();
    const { orgId, ownerId, scope, folderId, cameraId, sourceUrl: sourceUri } = session;
    await database.transaction(async (trx) => {
      if (!isFirst) {
        await videos.create(trx, {
          id: videoId,
          orgId,
          ownerId,
          scope,
          folderId,
          cameraId,
          sourceUri,
          source: 'live',
          heartbeat: false,
          name: `${session.name} (${place.index + 1} of ${place.count})`.slice(0, 255),
          metadata: { live: { session_id: session.id, stream_id: session.streamId, part: place.index } },
        });
      }
      await store.assignRecording(trx, session.id, range, videoId);
    });
    return videoId;
  }

  /** Distributes the space that is reserved for the session among its recordings. */
  const reserveSpace = (recordings: readonly Recording[]) =>
    database.transaction(async (trx) => {
      for (const { videoId, range } of recordings) await videos.reserveFor(trx, videoId, range.bytes + INDEX_BYTES);
    });

  /** Writes as many recordings as possible. Then throws the first error, if any. */
  async function writeRecordings(
    session: LiveSession,
    ranges: readonly store.EpochRange[],
    signal: AbortSignal,
  ): Promise<void> {
    const failures: unknown[] = [];
    const attempt = (task: () => Promise<void>) =>
      task().catch((error) => {
        signal.throwIfAborted();
        failures.push(error);
      });
    const recordings: Recording[] = [];
    for (const [index, range] of ranges.entries()) {
      await attempt(async () => {
        recordings.push({ range, videoId: await ensureVideo(session, range, { index, count: ranges.length }) });
      });
    }
    if (recordings.length > 1) await attempt(() => reserveSpace(recordings));
    for (const { range, videoId } of recordings) await attempt(() => writeRecording(session, range, videoId, signal));
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Decides about all segments of a session that is recorded around its events, once its analysis has ended. Throws
   * `live_analysis_behind`.
   */
  async function keepSpans(session: LiveSession, lease: store.SessionLease, signal: AbortSignal): Promise<void> {
    await drain(session.id, signal);
    const analysis = await findAnalysis(db, session.id);
    if (analysis && !analysis.endedAt) throw problems.live_analysis_behind();
    await spans.sweep(session, lease, { isFinal: true, limitBytes: Number.POSITIVE_INFINITY });
  }

  return {
    /**
     * Finalizes the recordings and ends the session; `problem` is the reason of an early end. Throws `LeaseLostError`,
     * or the problem that prevents a recording, such as `storage_full` or `live_analysis_behind`. The segments are
     * retained then.
     */
    async finalize(
      session: LiveSession,
      lease: store.SessionLease,
      problem: Problem | null,
      signal: AbortSignal,
    ): Promise<void> {
      const recordsEvents = session.recording === 'events' && session.segmentCount > 0;
      if (recordsEvents && (await videos.find(session.videoId))) await keepSpans(session, lease, signal);
      const ranges = await store.listEpochRanges(db, session.id);
      // Nothing was retained, so there is no video: an attempt that was interrupted may have discarded it already.
      const isEmpty = recordsEvents && ranges.length === 0;
      // The recording was deleted during the session, so its segments are deleted as well.
      const isDeleted = !isEmpty && !ranges[0]?.videoId && !(await videos.find(session.videoId));
      const deletion = isDeleted ? problems.live_gone(DELETED) : null;
      // Without segments there is no recording, and a second attempt finds none either.
      const reason = ranges.length > 0 ? (deletion ?? problem) : (problem ?? deletion);
      if (!isDeleted) await writeRecordings(session, ranges, signal);
      if (ranges.length === 0) await videos.discard(session.videoId);
      // Clients follow the events of a session until it has ended.
      await drain(session.id, signal);
      const status = ranges.length === 0 && reason && !isEmpty ? 'FAILED' : 'FINISHED';
      await database.transaction(async (trx) => {
        await answers.lock(trx, session.id);
        if (!(await store.endSession(trx, lease, status, reason))) throw new LeaseLostError();
        if (isDeleted) await deleteAllRecordings(trx, session.id);
        else await answers.store(trx, session.id);
        if (recordsEvents) await store.deleteDiscarded(trx, session.id);
        const { id: sessionId, orgId, folderId, videoId } = session;
        const ending = { status, code: reason?.code ?? null, message: reason?.message ?? null } as const;
        await events.publish(trx, 'live.ended', { sessionId, orgId, folderId, videoId, ...ending });
        await events.append(trx, session.id, status === 'FAILED' ? 'error' : 'done', {
          session_id: session.id,
          status,
          error: reason?.code ?? null,
          message: reason?.message ?? null,
        });
      });
    },

    /** Deletes the segment files once their bytes are in recordings, or the recordings are deleted. */
    deleteSegmentFiles: (sessionId: string) => storage.removeAll(segmentPrefix(sessionId)),
  };
}

const DELETED = 'The session ended because its recording was deleted.';
