import type { Plan } from '#engine/index';
import type { DomainEvents, Events } from '#features/events/index';
import type { FolderScope, Folders } from '#features/folders/index';
import type { Videos } from '#features/videos/index';
import { canRead, reaches } from '#platform/access/index';
import type { Database, Queryable, Transaction } from '#platform/db/index';
import { type Caller, decodeCursor, encodeCursor, httpProblems } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { Sealer } from '#platform/secrets/index';
import { findAnalysis, type LiveAnalysis, startAnalysis } from './analysis/index.ts';
import { recordSession } from './jobs.ts';
import type { LivePlayback, SignOptions } from './playback.ts';
import { problems } from './problems.ts';
import { type ReaderOf, toQueryPayload } from './reading.ts';
import { MAX_CHUNKS, MAX_RETAINED_SPANS } from './schema/index.ts';
import { getSecretContext } from './source-secrets.ts';
import { parseSourceUrl, redactSourceUrl } from './sources/index.ts';
import * as store from './store.ts';
import {
  type LiveEvent,
  type LiveSession,
  type PlacedGap,
  type RecordedSegment,
  type RecordingSettings,
  type RetainedSpan,
  SESSION_CHANNEL,
} from './types.ts';

export type LiveServiceDeps = {
  database: Database;
  events: Pick<Events, 'openStream' | 'append'>;
  folders: Pick<Folders, 'requireWritable'>;
  videos: Pick<Videos, 'create'>;
  jobs: Pick<Jobs, 'send'>;
  sealer: Sealer;
  media: LivePlayback;
  readerOf: ReaderOf;
  /** Limit of concurrent sessions per organization. */
  maxSessions: number;
};

export type StartSessionRequest = {
  sourceUrl: string;
  name: string;
  streamId: string | null;
  query: string | null;
  /** The reading of the query that it is analyzed by; without one, the query is read. */
  plan?: Plan | null;
  folderId: string | null;
  scope: FolderScope | null;
  retentionDays: number | null;
  /** Default: continuous. */
  settings?: RecordingSettings | null;
};

/** The camera that a session belongs to. */
export type CameraOfSession = {
  id: string;
  /** Name of the video; that of the session is the name of the camera. */
  recordingName: string;
  /** Time zone of the place, for the clocks of its recordings; null: unknown. */
  timeZone: string | null;
  /** Runs in the transaction that creates the session. */
  onCreated(trx: Transaction, session: LiveSession): Promise<void>;
};

const CONTINUOUS: RecordingSettings = { recording: 'continuous', preRollS: 0, postRollS: 0 };

type StreamInput = store.StreamUpsert;

export type SessionState = {
  session: LiveSession;
  videoIds: string[];
  /** The last chunks. */
  chunks: RecordedSegment[];
  gaps: PlacedGap[];
  /** Retained ranges of a session that is recorded around its events. */
  retained: RetainedSpan[];
  events: LiveEvent[];
  /** Null if the session never had a query. */
  analysis: LiveAnalysis | null;
  /** The query in words of the engine; null without a query. */
  interpretation: string | null;
};

/**
 * Operations on sessions. All operations on one session throw `live_session_not_found` (404) or `live_forbidden` (403).
 */
export function createLiveService(deps: LiveServiceDeps) {
  const { database, events, folders, videos, jobs, sealer, media, readerOf, maxSessions } = deps;
  const { db } = database;

  async function require(caller: Caller, id: string, streamId?: string): Promise<LiveSession> {
    const session = await store.findSession(db, id);
    if (!session || (streamId !== undefined && session.streamId !== streamId)) throw problems.live_session_not_found();
    if (!canRead(caller, session)) throw problems.live_forbidden();
    if (!reaches(caller, session.folderId)) throw httpProblems.key_limited();
    return session;
  }

  /** False if the session has ended, or its end was requested before. */
  async function requestEnd(trx: Transaction, sessionId: string): Promise<boolean> {
    if (!(await store.requestEnd(trx, sessionId))) return false;
    await events.append(trx, sessionId, 'progress', { session_id: sessionId, status: 'ENDING' });
    await database.notify(trx, SESSION_CHANNEL, sessionId);
    return true;
  }

  async function putStream(on: Queryable, caller: Caller, stream: StreamInput): Promise<void> {
    if (!(await store.upsertStream(on, caller, stream))) throw problems.live_stream_forbidden();
  }

  return {
    media,
    require,

    /**
     * Throws `live_source_invalid`, `live_scope_conflict`, `live_recording_without_query` (400), `live_too_many` (429),
     * `quota_exceeded`, `live_stream_forbidden` (403), or a problem of the folder.
     */
    async start(caller: Caller, request: StartSessionRequest, camera?: CameraOfSession): Promise<LiveSession> {
      // That of a camera was checked when it was stored.
      const source = camera ? new URL(request.sourceUrl) : parseSourceUrl(request.sourceUrl);
      const settings = request.settings ?? CONTINUOUS;
      if (settings.recording === 'events' && !request.query) throw problems.live_recording_without_query();
      const folderId = request.folderId ?? caller.folderId ?? null;
      const folder = folderId === null ? null : await folders.requireWritable(caller, folderId);
      if (folder && request.scope && request.scope !== folder.scope) throw problems.live_scope_conflict();
      const [id, videoId] = [newId(), newId()];
      const { orgId, userId: ownerId } = caller;
      const cameraId = camera?.id ?? null;
      const owner = { orgId, ownerId, scope: folder?.scope ?? request.scope ?? 'user', folderId, cameraId };
      const streamId = request.streamId ?? newId();
      const reader = await readerOf({ videoId, folderId, cameraId });
      const { name } = request;
      const sourceUrl = redactSourceUrl(source);
      return database.transaction(async (trx) => {
        if ((await store.countActiveSessions(trx, orgId)) >= maxSessions) {
          throw problems.live_too_many(
            `The organization already has ${maxSessions} active livestreams, which is its limit: end one, or wait until one ends.`,
            { headers: { 'retry-after': '60' } },
          );
        }
        await putStream(trx, caller, { id: streamId, name, sourceUrl, retentionDays: request.retentionDays });
        await videos.create(trx, {
          ...owner,
          id: videoId,
          name: camera?.recordingName ?? name,
          source: 'live',
          sourceUri: sourceUrl,
          heartbeat: false,
          metadata: { live: { session_id: id, stream_id: streamId } },
        });
        await store.insertSession(trx, {
          ...owner,
          ...settings,
          id,
          streamId,
          name,
          sourceUrl,
          videoId,
          timeZone: camera?.timeZone ?? null,
          query: request.query,
          sourceSecret: sealer.seal(getSecretContext(id), { url: source.href }),
        });
        // Events of a session are published on the stream with its id.
        await events.openStream(trx, { id, orgId, ownerId });
        await jobs.send(trx, recordSession, { sessionId: id }, { orgId });
        if (request.query) {
          const plan = request.plan ?? reader.read(request.query);
          await startAnalysis(trx, id, plan);
          const reading = reader.open(plan, request.query);
          await events.append(trx, id, 'progress', toQueryPayload(id, request.query, reading));
        }
        const session = (await store.findSession(trx, id))!;
        await camera?.onCreated(trx, session);
        return session;
      });
    },

    /** Ends a session in the caller's transaction, without a check of access. See `end`. */
    requestEnd,

    /**
     * Creates or changes a stream. Throws `live_source_invalid` (400), or `live_stream_forbidden` (403).
     */
    attach: async (caller: Caller, stream: StreamInput) =>
      putStream(db, caller, { ...stream, sourceUrl: redactSourceUrl(parseSourceUrl(stream.sourceUrl)) }),

    async end(caller: Caller, sessionId: string, streamId: string): Promise<'ended' | 'already_ended'> {
      await require(caller, sessionId, streamId);
      return database.transaction(async (trx) => ((await requestEnd(trx, sessionId)) ? 'ended' : 'already_ended'));
    },

    /** Domain event: ends the session whose unfinished recording was deleted. */
    async onVideoDeleted(trx: Transaction, { videoId }: DomainEvents['video.deleted']): Promise<void> {
      const sessionId = await store.findActiveSessionByVideo(trx, videoId);
      if (sessionId) await requestEnd(trx, sessionId);
    },

    /** Domain event: deletes the rows of an erased recording. */
    onVideoErased: (trx: Transaction, { videoId }: DomainEvents['video.erased']) => store.deleteRecording(trx, videoId),

    async list(
      caller: Caller,
      page: Omit<store.SessionQuery, 'caller' | 'before'> & { cursor: string | null },
    ): Promise<{ sessions: LiveSession[]; hasMore: boolean; nextCursor: string | null }> {
      const { limit, cursor, ...of } = page;
      const found = await store.listSessions(db, {
        ...of,
        caller,
        before: cursor ? decodeCursor(cursor, 1)[0]! : null,
        limit: limit + 1,
      });
      const sessions = found.slice(0, limit);
      const hasMore = found.length > limit;
      return { sessions, hasMore, nextCursor: hasMore ? encodeCursor([sessions.at(-1)!.id]) : null };
    },

    async get(caller: Caller, sessionId: string, streamId?: string): Promise<SessionState> {
      const session = await require(caller, sessionId, streamId);
      const { query } = session;
      const [recordings, chunks, gaps, retained, found, analysis, reader] = await Promise.all([
        store.listRecordingIds(db, sessionId),
        store.listLastSegments(db, sessionId, MAX_CHUNKS),
        store.listGaps(db, sessionId),
        session.recording === 'events' ? store.listRetainedSpans(db, sessionId, MAX_RETAINED_SPANS) : [],
        store.listEvents(db, sessionId),
        findAnalysis(db, sessionId),
        readerOf(session),
      ]);
      const videoIds = [...new Set([session.videoId, ...recordings])];
      return {
        session,
        videoIds,
        chunks,
        gaps,
        retained,
        events: found,
        analysis,
        interpretation: query ? reader.open(analysis?.plan, query).interpretation : null,
      };
    },

    /** See `LivePlayback.sign`. */
    async sign(caller: Caller, sessionId: string, options: SignOptions) {
      const session = await require(caller, sessionId);
      // Parts begin while the player loads.
      if (options.startS === undefined && !options.preview) await media.noteViewer(session);
      return media.sign(caller, sessionId, options);
    },
  };
}
