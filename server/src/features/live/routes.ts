import { type App, type Domain, lastEventId, routes, sendEvents, tokenOf } from '#platform/http/index';
import type { LiveRoom } from './live.ts';
import { toSessionDetails, toSessionSummary } from './responses.ts';
import {
  DEFAULT_POST_ROLL_S,
  DEFAULT_PRE_ROLL_S,
  EndedLiveSession,
  EventsQuery,
  EvidenceParams,
  FORMS,
  LiveQuery,
  LiveQueryChange,
  LiveSessionList,
  LiveSessionListQuery,
  LiveSessionResource,
  LiveSessionToEnd,
  MANIFEST,
  MediaPlaylistQuery,
  MediaQuery,
  NewLiveSession,
  NewLiveStream,
  PartParams,
  PLAYLIST,
  PlaylistQuery,
  RecentEventsQuery,
  RecentLiveEvents,
  SavedLiveStream,
  SessionEvents,
  SessionParams,
  SignedManifest,
  SignQuery,
  StartedLiveSession,
  StreamSessionParams,
  WallLayout,
} from './schema/index.ts';
import { toRecentEvents } from './wall/index.ts';

const DEFAULT_LIMIT = 100;
const DEFAULT_EVENTS = 50;
const M3U8 = 'application/vnd.apple.mpegurl';

export function liveRoutes(app: App, live: LiveRoom): void {
  const route = routes(app, { tag: 'Livestreams', scope: 'read', folderKeys: true });
  const media = routes(app, { tag: 'Livestreams', scope: 'public' });

  route.post(
    '/api/live/start-session',
    {
      id: 'startLiveSession',
      summary: 'Start a session',
      description:
        'A worker connects to the source, records it and analyzes it with the query. The session runs until you end it or the source is unavailable for too long. 429 if the organization has reached its limit of concurrent sessions.',
      consumes: FORMS,
      body: NewLiveSession,
      response: StartedLiveSession,
      errors: [404],
    },
    async ({ caller, body }) => {
      const session = await live.start(caller, {
        sourceUrl: body.sourceUrl,
        name: body.name,
        // Forms send empty fields for missing ones.
        streamId: body.streamId || null,
        query: body.rapidReviewQuery || null,
        folderId: body.folderId || null,
        scope: body.scope || null,
        retentionDays: toDays(body.retentionDays),
        settings: {
          recording: body.recording ?? 'continuous',
          preRollS: toSeconds(body.preRollS, DEFAULT_PRE_ROLL_S),
          postRollS: toSeconds(body.postRollS, DEFAULT_POST_ROLL_S),
        },
      });
      return toSessionSummary(session);
    },
  );

  route.post(
    '/api/live/attach-stream',
    {
      id: 'attachLiveStream',
      folderKeys: false,
      summary: 'Create or change a stream',
      description: 'Creates a stream for sessions, or changes its name and source.',
      consumes: FORMS,
      body: NewLiveStream,
      response: SavedLiveStream,
    },
    async ({ caller, body: { streamId: id, streamName: name, sourceUrl, retentionDays } }) => {
      await live.attach(caller, { id, name, sourceUrl, retentionDays: toDays(retentionDays) });
      return { ok: true };
    },
  );

  route.post(
    '/api/live/end-session',
    {
      id: 'endLiveSession',
      summary: 'End a session',
      description:
        'Ends the session. Its recording becomes a video within seconds. Ending a session again is not an error.',
      consumes: FORMS,
      body: LiveSessionToEnd,
      response: EndedLiveSession,
      errors: [404],
    },
    async ({ caller, body }) => ({ status: await live.end(caller, body.sessionId, body.streamId) }),
  );

  route.get(
    '/api/live/live-sessions',
    {
      id: 'listLiveSessions',
      summary: 'List sessions',
      description: 'Lists active and ended sessions, without their chunks and events.',
      query: LiveSessionListQuery,
      response: LiveSessionList,
    },
    async ({ caller, query }) => {
      const {
        scope = null,
        streamId = null,
        videoId = null,
        cameraId = null,
        open = null,
        limit = DEFAULT_LIMIT,
        cursor = null,
      } = query;
      const { sessions, ...page } = await live.list(caller, {
        scope,
        streamId,
        videoId,
        cameraId,
        open,
        limit,
        cursor,
      });
      return { ...page, sessions: sessions.map(toSessionSummary) };
    },
  );

  route.get(
    '/api/live/live-sessions/:stream_id/:session_id',
    {
      id: 'getLiveSession',
      summary: 'Get a session',
      description: 'Returns the status of the session, its last chunks, its gaps and all its events.',
      params: StreamSessionParams,
      response: LiveSessionResource,
      errors: [404],
    },
    async ({ caller, params }) =>
      toSessionDetails(await live.get(caller, params.sessionId, params.streamId), live.analysis.evidenceImages),
  );

  route.post(
    '/api/live/session/:session_id/signed-manifest',
    {
      id: 'signLiveManifest',
      scope: 'read',
      summary: 'Get a signed URL for live playback',
      description:
        'Creates a short-lived signed URL for the HLS manifest of a session. It plays without a key, live during the session and as a recording afterwards. Playlists have their own tokens, so playback that has already started continues.',
      params: SessionParams,
      query: SignQuery,
      response: SignedManifest,
      errors: [404],
    },
    ({ caller, params, query }) => live.sign(caller, params.sessionId, query),
  );

  route.post(
    '/api/live/session/:session_id/query',
    {
      id: 'askLiveSession',
      summary: 'Change the query of a session',
      description:
        'Replaces or extends the query of an active session from the next chunk. Earlier events remain, and unchanged parts of the query continue. 409 if the session has ended.',
      consumes: FORMS,
      params: SessionParams,
      body: LiveQueryChange,
      response: LiveQuery,
      errors: [404, 409],
    },
    async ({ caller, params: { sessionId }, body }) => {
      const change = { query: body.rapidReviewQuery, add: body.mode === 'add' };
      const { query, ...reading } = await live.analysis.changeQuery(caller, sessionId, change);
      return { sessionId, rapidReviewQuery: query, ...reading };
    },
  );

  route.get(
    '/api/live/session/:session_id/events',
    {
      id: 'followLiveSession',
      stream: true,
      summary: 'Follow a session',
      description: 'Streams the events of a session after `last_id`, until the session has ended.',
      params: SessionParams,
      query: EventsQuery,
      responses: { 200: { content: { 'text/event-stream': { schema: SessionEvents } } } },
      errors: [404],
    },
    async (request, reply) => {
      const { caller, params, query, disconnected } = request;
      const after = lastEventId(request, query.lastId);
      return sendEvents(request, reply, await live.analysis.follow(caller, params.sessionId, after, disconnected));
    },
  );

  route.get(
    '/api/live/events',
    {
      id: 'listRecentLiveEvents',
      summary: 'List the latest events of running sessions',
      description: 'Lists the latest found events of all running sessions that you may read, newest first.',
      query: RecentEventsQuery,
      response: RecentLiveEvents,
    },
    async ({ caller, query: { limit = DEFAULT_EVENTS } }) =>
      toRecentEvents(await live.wall.recentEvents(caller, limit), live.analysis.evidenceImages),
  );

  route.get(
    '/api/live/wall',
    {
      id: 'getWallLayout',
      folderKeys: false,
      summary: 'Get your wall',
      description: 'Returns how you arrange streams on the wall of the console.',
      response: WallLayout,
    },
    ({ caller }) => live.wall.layout(caller),
  );

  route.put(
    '/api/live/wall',
    {
      id: 'saveWallLayout',
      scope: 'read',
      folderKeys: false,
      summary: 'Arrange your wall',
      description: 'Replaces how you arrange streams on the wall of the console, on all your devices.',
      body: WallLayout,
      response: WallLayout,
    },
    ({ caller, body }) => live.wall.arrange(caller, body),
  );

  media.file(
    '/api/live/media/:session_id/evidence/:picture',
    {
      id: 'getLiveEvidence',
      summary: 'Get an image of an event of a session',
      ...describe('image/jpeg', 'A frame of an event’s evidence with its boxes, drawn on the first request.'),
      params: EvidenceParams,
      query: MediaQuery,
    },
    ({ params, query }) => live.analysis.evidenceImages.open(params.sessionId, params.picture, query.token),
  );

  media.file(
    '/api/live/media/:session_id/index.m3u8',
    {
      id: 'getLiveManifest',
      summary: 'Get the manifest of a session by its signed URL',
      ...describe(M3U8, 'The multivariant playlist, which refers to the media playlist.'),
      example: MANIFEST,
      params: SessionParams,
      query: PlaylistQuery,
    },
    ({ params, query }) => live.media.manifest(params.sessionId, { ...query, token: tokenOf(query) }),
  );

  media.file(
    '/api/live/media/:session_id/stream.m3u8',
    {
      id: 'getLivePlaylist',
      summary: 'Get the playlist of a session',
      ...describe(
        M3U8,
        'The media playlist: the last minutes of an active session, a complete recording, or the part from `start_s` on. The title of a chunk is its start in seconds from the first frame of the session, gaps included.',
      ),
      example: PLAYLIST,
      params: SessionParams,
      query: MediaPlaylistQuery,
    },
    ({ params, query }) => live.media.playlist(params.sessionId, toPlaylistRequest(query)),
  );

  media.file(
    '/api/live/media/:session_id/:part',
    {
      id: 'getLivePart',
      summary: 'Get a segment of a session',
      ...describe('video/*', 'An initialization section or a segment of the playlist.'),
      params: PartParams,
      query: MediaQuery,
    },
    ({ params, query }) => live.media.part(params.sessionId, tokenOf(query), params.part),
  );
}

type BlockingQuery = Domain<typeof MediaPlaylistQuery>;
const toPlaylistRequest = ({ HLSMsn: sequence, HLSPart: part, ...query }: BlockingQuery) => ({
  ...query,
  token: tokenOf(query),
  after: sequence === undefined ? null : { sequence, part: part ?? null },
});

/** Forms send numbers as text, and an empty one for none. */
const toSeconds = (seconds: number | string | null | undefined, otherwise: number) =>
  seconds === undefined || seconds === null || seconds === '' ? otherwise : Number(seconds);
const toDays = (days: number | string | null | undefined) => (days ? Number(days) : null);

const describe = (type: string, what: string) => ({
  type,
  what,
  description: `${what} \`Range\`, \`If-None-Match\` and \`HEAD\` work. An expired or altered URL is 403.`,
});
