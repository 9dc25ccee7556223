import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';
import {
  type App,
  failures,
  fileAnswers,
  lastEventId,
  type ServedFile,
  sendEvents,
  sendFile,
} from '#platform/http/index';
import { sessionAnswer, summaryOf } from './answer.ts';
import type { LiveRoom } from './index.ts';
import {
  AskedSession,
  AskSession,
  Attached,
  AttachStream,
  Ended,
  EndSession,
  EventsQuery,
  FORMS,
  ListQuery,
  MANIFEST,
  MediaQuery,
  PartParams,
  PictureParams,
  PLAYLIST,
  SessionAnswer,
  SessionEvents,
  SessionList,
  SessionParams,
  SignedManifest,
  SignQuery,
  Started,
  StartSession,
  StreamSessionParams,
} from './schema.ts';

export function liveRoutes(app: App, live: LiveRoom): void {
  app.post(
    '/api/live/start-session',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'startLiveSession',
        tags: ['Livestreams'],
        summary: 'Follow a livestream',
        description:
          'A worker connects to the source, records it and looks for what the query asks. The session goes on until it is ended, or the source is gone for too long. 429 when the organisation follows as many as it may.',
        consumes: FORMS,
        body: StartSession,
        response: { 200: Started, ...failures(404) },
      },
    },
    async ({ caller, body }) => {
      const session = await live.start(caller, {
        sourceUrl: body.source_url,
        name: body.name,
        streamId: body.stream_id || null,
        query: body.rapid_review_query || null,
        folderId: body.folder_id || null,
        scope: body.scope || null,
        retentionDays: daysOf(body),
      });
      const { session_id, stream_id, status, name, video_id } = summaryOf(session);
      return { session_id, stream_id, status, name, video_id };
    },
  );

  app.post(
    '/api/live/attach-stream',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'attachLiveStream',
        tags: ['Livestreams'],
        summary: 'Name a stream',
        description: 'Makes a stream that sessions can be started under, or gives it another name and source.',
        consumes: FORMS,
        body: AttachStream,
        response: { 200: Attached, ...failures() },
      },
    },
    async ({ caller, body }) => {
      const { stream_id: id, stream_name: name, source_url: sourceUrl } = body;
      await live.attach(caller, { id, name, sourceUrl, retentionDays: daysOf(body) });
      return { ok: true };
    },
  );

  app.post(
    '/api/live/end-session',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'endLiveSession',
        tags: ['Livestreams'],
        summary: 'End a session',
        description: 'Ends the session; its recording becomes a video within seconds. Again is no error.',
        consumes: FORMS,
        body: EndSession,
        response: { 200: Ended, ...failures(404) },
      },
    },
    async ({ caller, body }) => ({ status: await live.end(caller, body.session_id, body.stream_id) }),
  );

  app.get(
    '/api/live/live-sessions',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'listLiveSessions',
        tags: ['Livestreams'],
        summary: 'List sessions',
        description: 'Sessions that go on and that have ended, without their chunks and events.',
        querystring: ListQuery,
        response: { 200: SessionList, ...failures() },
      },
    },
    async ({ caller, query: { scope, stream_id, limit = 100, cursor } }) => {
      const page = await live.list(caller, {
        ...{ scope: scope ?? null, streamId: stream_id ?? null, limit, cursor: cursor ?? null },
      });
      return {
        sessions: page.sessions.map(summaryOf),
        has_more: page.nextCursor !== null,
        next_cursor: page.nextCursor,
      };
    },
  );

  app.get(
    '/api/live/live-sessions/:stream_id/:session_id',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'getLiveSession',
        tags: ['Livestreams'],
        summary: 'Get a session',
        description: 'How the session stands, its last chunks, what is missing, and all that was found.',
        params: StreamSessionParams,
        response: { 200: SessionAnswer, ...failures(404) },
      },
    },
    async ({ caller, params }) =>
      sessionAnswer(await live.get(caller, params.session_id, params.stream_id), live.analysis.pictures),
  );

  app.post(
    '/api/live/session/:session_id/signed-manifest',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'signLiveManifest',
        tags: ['Livestreams'],
        summary: 'Signed live manifest',
        description:
          'Creates a short-lived signed URL for a live session HLS manifest. It plays without a key, live while the session goes on and as a film afterwards; the playlist inside carries a token of its own, so that who plays goes on.',
        params: SessionParams,
        querystring: SignQuery,
        response: { 200: SignedManifest, ...failures(404) },
      },
    },
    async ({ caller, params, query }) => live.sign(caller, params.session_id, query.expires_in),
  );

  app.post(
    '/api/live/session/:session_id/query',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'askLiveSession',
        tags: ['Livestreams'],
        summary: 'Change what a session looks for',
        description:
          'From now on, while the session goes on. What was told stays, and what is looked for as before goes on as before. 409 when the session is over.',
        consumes: FORMS,
        params: SessionParams,
        body: AskSession,
        response: { 200: AskedSession, ...failures(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const asked = { query: body.rapid_review_query, add: body.mode === 'add' };
      const { query, searches } = await live.analysis.ask(caller, params.session_id, asked);
      return { session_id: params.session_id, rapid_review_query: query, searches };
    },
  );

  app.get(
    '/api/live/session/:session_id/events',
    {
      config: { scope: 'read', folderKeys: true, stream: true },
      schema: {
        operationId: 'followLiveSession',
        tags: ['Livestreams'],
        summary: 'Follow a session',
        description:
          'Streams what happens in a session: the events after `last_id`, then what comes, until the session is over.',
        params: SessionParams,
        querystring: EventsQuery,
        response: { 200: { content: { 'text/event-stream': { schema: SessionEvents } } }, ...failures(404) },
      },
    },
    async (request, reply) => {
      const { caller, params, query, gone } = request;
      const after = lastEventId(request, query.last_id);
      return sendEvents(request, reply, await live.analysis.follow(caller, params.session_id, after, gone));
    },
  );

  serve(app, '/api/live/media/:session_id/evidence/:picture', PictureParams, {
    id: 'getLiveEvidence',
    summary: 'Get a picture of an event of a live session',
    type: 'image/jpeg',
    what: 'A frame of an event’s evidence with its boxes, drawn when it is first fetched.',
    open: ({ session_id, picture }, token) => live.analysis.pictures.open(session_id, picture, token),
  });
  serve(app, '/api/live/media/:session_id/index.m3u8', SessionParams, {
    id: 'getLiveManifest',
    summary: 'Get the manifest of a live session by its signed URL',
    type: 'application/vnd.apple.mpegurl',
    what: 'The multivariant playlist, which names the stream.',
    example: MANIFEST,
    open: ({ session_id }, token) => live.media.manifest(session_id, token),
  });
  serve(app, '/api/live/media/:session_id/stream.m3u8', SessionParams, {
    id: 'getLivePlaylist',
    summary: 'Get the playlist of a live session',
    type: 'application/vnd.apple.mpegurl',
    what: 'The media playlist: the last minutes while the session goes on, all of it afterwards.',
    example: PLAYLIST,
    open: ({ session_id }, token) => live.media.playlist(session_id, token),
  });
  serve(app, '/api/live/media/:session_id/:part', PartParams, {
    id: 'getLivePart',
    summary: 'Get a segment of a live session',
    type: 'video/*',
    what: 'What the playlist names: an initialisation section or a segment.',
    open: ({ session_id, part }, token) => live.media.part(session_id, token, part),
  });
}

const daysOf = ({ retention_days }: Pick<Static<typeof AttachStream>, 'retention_days'>) =>
  retention_days ? Number(retention_days) : null;

type Served<Params extends TObject> = {
  id: string;
  summary: string;
  type: string;
  what: string;
  example?: string;
  open(params: Static<Params>, token: string): Promise<ServedFile>;
};

/** A file behind a token, for GET and HEAD. */
function serve<Params extends TObject>(
  app: App,
  path: string,
  params: Params,
  { id, summary, type, what, example, open }: Served<Params>,
): void {
  const schema = {
    operationId: id,
    tags: ['Livestreams'],
    summary,
    description: `${what} \`Range\`, \`If-None-Match\` and \`HEAD\` work. An expired or altered URL is 403.`,
    params,
    querystring: MediaQuery,
    response: fileAnswers({ type, what, example }),
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { token } = request.query as Static<typeof MediaQuery>;
    return sendFile(request, reply, await open(request.params as Static<Params>, token));
  };
  const config = { scope: 'public', countedAs: 'file' } as const;
  app.get(path, { config, schema, exposeHeadRoute: false }, handler);
  app.head(path, { config, schema }, handler);
}
