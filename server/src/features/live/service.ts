import type { Events, News } from '#features/events/index';
import type { FolderScope, Folders } from '#features/folders/index';
import type { Videos } from '#features/videos/index';
import type { Database, Queryable, Transaction } from '#platform/db/index';
import { type Caller, decodeCursor, encodeCursor, httpProblems, reaches } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { Sealer } from '#platform/secrets/index';
import { type Analysis, begin, find } from './analysis/store.ts';
import { followSession } from './jobs.ts';
import type { LiveMedia } from './media.ts';
import { problems } from './problems.ts';
import { CHUNKS_TOLD } from './schema.ts';
import { parseSource, shownSource } from './source-url.ts';
import * as store from './store.ts';
import type { Gap, LiveEvent, Segment, Session } from './types.ts';

/** Woken with the id of a session when somebody asks it to end. */
export const CHANNEL = 'sightline_live';

export type LiveServiceDeps = {
  database: Database;
  events: Pick<Events, 'openStream' | 'append'>;
  folders: Pick<Folders, 'requireWritable'>;
  videos: Pick<Videos, 'create'>;
  jobs: Pick<Jobs, 'send'>;
  sealer: Sealer;
  media: LiveMedia;
  /** How many sessions of an organisation may go on at once. */
  maxSessions: number;
};

export type NewLive = {
  sourceUrl: string;
  name: string;
  streamId: string | null;
  query: string | null;
  folderId: string | null;
  scope: FolderScope | null;
  retentionDays: number | null;
};

type Stream = Pick<store.NewStream, 'id' | 'name' | 'sourceUrl' | 'retentionDays'>;

export type SessionState = {
  session: Session;
  videoIds: string[];
  /** The last ones. */
  chunks: Segment[];
  gaps: Gap[];
  events: LiveEvent[];
  /** Null where nothing was ever asked for. */
  analysis: Analysis | null;
};

/** What a session's secret is sealed to. */
export const sealOf = (sessionId: string) => `live-session ${sessionId}`;

/** What clients ask of sessions. Every question about one throws `live_session_not_found` (404) or `live_forbidden` (403). */
export function createLiveService(deps: LiveServiceDeps) {
  const { database, events, folders, videos, jobs, sealer, media, maxSessions } = deps;
  const { db } = database;

  async function require(caller: Caller, id: string, streamId?: string): Promise<Session> {
    const session = await store.findSession(db, id);
    // Whose session another organisation's is, is nobody's business; that it exists is told as elsewhere.
    if (!session || (streamId !== undefined && session.streamId !== streamId)) throw problems.live_session_not_found();
    const sees = session.scope === 'org' || session.ownerId === caller.userId || caller.scopes.includes('admin');
    if (session.orgId !== caller.orgId || !sees) throw problems.live_forbidden();
    if (!reaches(caller, session.folderId)) throw httpProblems.key_limited();
    return session;
  }

  /** False when it has ended already, or was asked to. */
  async function askToEnd(trx: Transaction, sessionId: string): Promise<boolean> {
    if (!(await store.askToEnd(trx, sessionId))) return false;
    await events.append(trx, sessionId, 'progress', { session_id: sessionId, status: 'ENDING' });
    await database.notify(trx, CHANNEL, sessionId);
    return true;
  }

  async function putStream(on: Queryable, { orgId, userId, scopes }: Caller, stream: Stream): Promise<void> {
    const put = await store.putStream(on, { ...stream, orgId, ownerId: userId }, scopes.includes('admin'));
    if (!put) throw problems.live_stream_forbidden();
  }

  return {
    media,
    require,

    /** Throws `live_source_invalid`, `live_scope_conflict` (400), `live_too_many` (429), `quota_exceeded`, `live_stream_forbidden` (403), or what the folder's room says. */
    async start(caller: Caller, asked: NewLive): Promise<Session> {
      const source = parseSource(asked.sourceUrl);
      const folderId = asked.folderId ?? caller.folderId ?? null;
      const folder = folderId === null ? null : await folders.requireWritable(caller, folderId);
      if (folder && asked.scope && asked.scope !== folder.scope) throw problems.live_scope_conflict();
      const [id, videoId] = [newId(), newId()];
      const { orgId, userId: ownerId } = caller;
      const owner = { orgId, ownerId, scope: folder?.scope ?? asked.scope ?? 'user', folderId };
      const streamId = asked.streamId ?? newId();
      const { name } = asked;
      const sourceUrl = shownSource(source);
      await database.transaction(async (trx) => {
        if ((await store.countGoing(trx, orgId)) >= maxSessions) {
          throw problems.live_too_many(
            `The organisation follows ${maxSessions} livestreams, as many as it may: end one, or wait for one to end.`,
            { headers: { 'retry-after': '60' } },
          );
        }
        await putStream(trx, caller, { id: streamId, name, sourceUrl, retentionDays: asked.retentionDays });
        await videos.create(trx, {
          ...{ ...owner, id: videoId, name, source: 'live', sourceUri: sourceUrl, heartbeat: false },
          metadata: { live: { session_id: id, stream_id: streamId } },
        });
        await store.insertSession(trx, {
          ...{ ...owner, id, streamId, name, sourceUrl, videoId, query: asked.query },
          sourceSecret: sealer.seal(sealOf(id), { url: source.href }),
        });
        // What happens in a session is told on a stream of its id.
        await events.openStream(trx, { id, orgId, ownerId });
        await jobs.send(trx, followSession, { sessionId: id }, { orgId });
        if (asked.query) await begin(trx, id);
      });
      return (await store.findSession(db, id))!;
    },

    /** Makes a stream, or gives it another name. Throws `live_source_invalid` (400), or `live_stream_forbidden` (403). */
    attach: async (caller: Caller, stream: Stream) =>
      putStream(db, caller, { ...stream, sourceUrl: shownSource(parseSource(stream.sourceUrl)) }),

    async end(caller: Caller, sessionId: string, streamId: string): Promise<'ended' | 'already_ended'> {
      await require(caller, sessionId, streamId);
      return database.transaction(async (trx) => ((await askToEnd(trx, sessionId)) ? 'ended' : 'already_ended'));
    },

    /** News: a recording that is deleted before it is whole is recorded no further. */
    async onVideoDeleted(trx: Transaction, { videoId }: News['video.deleted']): Promise<void> {
      const sessionId = await store.findRecorder(trx, videoId);
      if (sessionId) await askToEnd(trx, sessionId);
    },

    /** News: what is known of a recording goes with it. */
    onVideoErased: (trx: Transaction, { videoId }: News['video.erased']) => store.forgetRecording(trx, videoId),

    async list(
      caller: Caller,
      page: { scope: 'personal' | 'org' | null; streamId: string | null; limit: number; cursor: string | null },
    ): Promise<{ sessions: Session[]; nextCursor: string | null }> {
      const { limit, cursor, ...of } = page;
      const found = await store.sessionsPage(db, {
        ...of,
        orgId: caller.orgId,
        userId: caller.userId,
        whole: caller.scopes.includes('admin'),
        folderId: caller.folderId ?? null,
        before: cursor ? decodeCursor(cursor, 1)[0]! : null,
        limit: limit + 1,
      });
      const sessions = found.slice(0, limit);
      return { sessions, nextCursor: found.length > limit ? encodeCursor([sessions.at(-1)!.id]) : null };
    },

    async get(caller: Caller, sessionId: string, streamId?: string): Promise<SessionState> {
      const session = await require(caller, sessionId, streamId);
      const [recordings, chunks, gaps, found, analysis] = await Promise.all([
        store.recordingsOf(db, sessionId),
        store.segmentsFrom(db, sessionId, Math.max(0, session.segments - CHUNKS_TOLD)),
        store.findGaps(db, sessionId),
        store.findEvents(db, sessionId),
        find(db, sessionId),
      ]);
      const videoIds = [...new Set([session.videoId, ...recordings])];
      return { session, videoIds, chunks, gaps, events: found, analysis };
    },

    async sign(caller: Caller, sessionId: string, expiresIn?: number) {
      await require(caller, sessionId);
      return media.sign(sessionId, expiresIn);
    },
  };
}
