import type { Events } from '#features/events/index';
import { examine } from '#features/uploads/index';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { Media } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { audioExtent, filmHeader, filmOf } from './film.ts';
import * as follow from './follow-store.ts';
import { Lost } from './lost.ts';
import { problems } from './problems.ts';
import { forgetRecordings } from './store.ts';
import type { Session } from './types.ts';

export type FinishDeps = {
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  videos: Pick<Videos, 'create' | 'find' | 'reserve' | 'markReady' | 'giveUp' | 'discard'>;
  events: Pick<Events, 'append'>;
  /** Returns once what was looked for while it went on was told, or after a while. */
  drain: (sessionId: string, signal: AbortSignal) => Promise<void>;
};

/** There are no pictures in what was recorded. Whatever else is wrong with it may pass, and it is all there is. */
const NO_VIDEO = new Set(['media_empty', 'media_no_video', 'media_still_image', 'media_damaged']);
/** A recording has an index besides its segments. */
const INDEX_BYTES = 2 ** 20;

/** Where the segments of a session are while it goes on. */
export const folderOf = (sessionId: string) => `live/${sessionId}/`;

/** A part of a session, and the record of the video that it becomes. */
type Recording = { part: follow.Part; videoId: string };

/** Puts what was recorded together: a session becomes a video of the library. Once more after a crash it goes on with what is not done. */
export function createFinisher({ database, storage, media, videos, events, drain }: FinishDeps) {
  const { db } = database;
  /** What was recorded here is as long as it is. */
  const probe: Media['probe'] = (path, options) =>
    media.probe(path, { ...options, maxSeconds: Number.POSITIVE_INFINITY });

  /** One recording. Its bytes are those of the segments, behind an index. */
  async function makeFilm(session: Session, part: follow.Part, videoId: string, signal: AbortSignal): Promise<void> {
    const video = await videos.find(videoId);
    // Deleted, or made before.
    if (video?.status !== 'PREPARE_IN_PROGRESS') return;
    const segments = await follow.segmentsOfPart(db, session.id, part);
    const audio = await audioExtent(storage, part.init, segments, signal);
    const header = filmHeader(part.init, segments, audio);
    const { storageKey } = video;
    const stored = await storage.write(storageKey, filmOf(storage, header, segments, signal), { signal });
    try {
      const facts = await examine({ storage, media: { probe } }, storageKey, stored, signal);
      await database.transaction(async (trx) => {
        if (!(await videos.markReady(trx, videoId, facts))) return;
        await follow.settlePart(trx, session.id, part, { storageKey, headerBytes: header.length });
      });
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem) || !NO_VIDEO.has(error.code)) throw error;
      await videos.giveUp(videoId, error);
    }
  }

  /** The first recording has the session's own record; each further one gets its own. */
  async function recordOf(session: Session, part: follow.Part, place: { i: number; of: number }): Promise<string> {
    if (part.videoId) return part.videoId;
    const isFirst = part.first === 0;
    const videoId = isFirst ? session.videoId : newId();
    const { orgId, ownerId, scope, folderId, sourceUrl: sourceUri } = session;
    await database.transaction(async (trx) => {
      if (!isFirst) {
        await videos.create(trx, {
          ...{ id: videoId, orgId, ownerId, scope, folderId, sourceUri, source: 'live', heartbeat: false },
          name: `${session.name} (${place.i + 1} of ${place.of})`.slice(0, 255),
          metadata: { live: { session_id: session.id, stream_id: session.streamId, part: place.i } },
        });
      }
      await follow.setPart(trx, session.id, part, videoId);
    });
    return videoId;
  }

  /** What is held free for the whole session, by its own record, is held for each of its recordings: others would take it before the last is made. */
  const share = (recordings: readonly Recording[]) =>
    database.transaction(async (trx) => {
      for (const { videoId, part } of recordings) await videos.reserve(trx, videoId, part.bytes + INDEX_BYTES);
    });

  /** Makes what recordings it can. Then throws what is in the way of the others. */
  async function makeFilms(session: Session, parts: readonly follow.Part[], signal: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    const attempt = (work: () => Promise<void>) =>
      work().catch((error) => {
        signal.throwIfAborted();
        failures.push(error);
      });
    const recordings: Recording[] = [];
    for (const [i, part] of parts.entries()) {
      await attempt(async () => {
        recordings.push({ part, videoId: await recordOf(session, part, { i, of: parts.length }) });
      });
    }
    if (recordings.length > 1) await attempt(() => share(recordings));
    for (const { part, videoId } of recordings) await attempt(() => makeFilm(session, part, videoId, signal));
    if (failures.length > 0) throw failures[0];
  }

  return {
    /**
     * Ends the session, with or without a reason. Throws `Lost` when another worker has it, and what is in the way of a recording, such as
     * `storage_full` or `quota_exceeded`: nothing is lost then.
     */
    async finish(session: Session, holder: follow.Holder, problem: Problem | null, signal: AbortSignal): Promise<void> {
      const parts = await follow.partsOf(db, session.id);
      // Deleted while the session went on: what was recorded goes with it.
      const isDeleted = !parts[0]?.videoId && !(await videos.find(session.videoId));
      const gone = isDeleted ? problems.live_gone(DELETED) : null;
      // Of a session without a picture there is none at the second try either.
      const reason = parts.length > 0 ? (gone ?? problem) : (problem ?? gone);
      if (!isDeleted) await makeFilms(session, parts, signal);
      if (parts.length === 0) await videos.discard(session.videoId);
      // Who reads a session reads it until it has ended.
      await drain(session.id, signal);
      const status = parts.length === 0 && reason ? 'FAILED' : 'FINISHED';
      await database.transaction(async (trx) => {
        if (!(await follow.settle(trx, holder, status, reason))) throw new Lost();
        if (isDeleted) await forgetRecordings(trx, session.id);
        await events.append(trx, session.id, status === 'FAILED' ? 'error' : 'done', {
          ...{ session_id: session.id, status, error: reason?.code ?? null, message: reason?.message ?? null },
        });
      });
    },

    /** Segments are part of recordings now, or their recordings are gone. */
    cleanUp: (sessionId: string) => storage.removeAll(folderOf(sessionId)),
  };
}

const DELETED = 'The recording of this session was deleted while it went on, so the session was ended.';
