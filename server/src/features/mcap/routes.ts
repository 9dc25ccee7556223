import { type App, type Domain, routes, tokenOf } from '#platform/http/index';
import { ImportParams, McapFilesToImport, McapImportResource } from './imports/index.ts';
import { IngestList, IngestListQuery, IngestResource } from './ingest-schema.ts';
import { toImportResource, toIngestResource } from './resources.ts';
import { ChannelRolesBody, CreatedIngest, IngestParams, NewIngest, ReceivedFile, UploadQuery } from './schema.ts';
import type { Mcap } from './service.ts';
import { trajectoryRoutes } from './trajectories/index.ts';
import type { ChannelRoles } from './types.ts';

const BYTES = 'application/octet-stream';

export function mcapRoutes(app: App, mcap: Mcap): void {
  const route = routes(app, { tag: 'MCAP', scope: 'read', folderKeys: true });
  trajectoryRoutes(app, mcap.trajectories);

  route.post(
    '/api/mcap/create-ingest',
    {
      id: 'createMcapIngest',
      summary: 'Create an ingest for a recording',
      description:
        'Returns the URL for the upload of an MCAP recording. Process the ingest after the upload. An ingest that is not uploaded or not processed within two days fails, and its file is deleted.',
      body: NewIngest,
      response: CreatedIngest,
      errors: [404, 413],
    },
    async ({ caller, body }) => {
      const sha256 = body.sha256?.toLowerCase() ?? null;
      const { ingest, uploadUrl } = await mcap.create(caller, { ...body, sha256, ...toDestination(body) });
      return { ...ingest, mcapIngestId: ingest.id, uploadUrl, uploadHeaders: { 'Content-Type': BYTES } };
    },
  );

  app.register(async (scope) => fileRoute(scope as unknown as App, mcap));

  route.post(
    '/api/mcap/:ingest_id/process',
    {
      id: 'processMcapIngest',
      summary: 'Convert a recording to videos',
      description:
        'Starts to convert each image channel to a video with the telemetry of the recording. Poll the ingest. After the start, the request sets roles as stitch does.',
      params: IngestParams,
      body: ChannelRolesBody,
      response: IngestResource,
      errors: [404, 409],
    },
    async ({ caller, params, body }) => toIngestResource(await mcap.process(caller, params.ingestId, toRoles(body))),
  );

  route.get(
    '/api/mcap',
    {
      id: 'listMcapIngests',
      summary: 'List ingests',
      description: 'Lists the recordings that you may read, uploaded or imported, newest first.',
      query: IngestListQuery,
      response: IngestList,
    },
    ({ caller, query: { limit, cursor } }) => mcap.list(caller, { limit: limit ?? 100, cursor }),
  );

  route.get(
    '/api/mcap/:ingest_id',
    {
      id: 'getMcapIngest',
      summary: 'Get an ingest',
      description: 'Returns the status of an ingest, the content of the recording and the result of each channel.',
      params: IngestParams,
      response: IngestResource,
      errors: [404],
    },
    async ({ caller, params }) => toIngestResource(await mcap.get(caller, params.ingestId)),
  );

  route.post(
    '/api/mcap/:ingest_id/stitch',
    {
      id: 'stitchMcapViews',
      summary: 'Stitch MCAP views',
      description:
        'Applies explicit front-channel and role metadata to an MCAP ingest: its videos become views of one scene, one of them primary. Channels without a role get an unused one that their topic suggests. Can be repeated with other roles; nothing is decoded again. Roles that are set while the recording is processed apply when it is complete.',
      params: IngestParams,
      body: ChannelRolesBody,
      response: IngestResource,
      errors: [404],
    },
    async ({ caller, params, body }) => toIngestResource(await mcap.stitch(caller, params.ingestId, toRoles(body))),
  );

  route.post(
    '/api/mcap/cloud-ingest/s3',
    {
      id: 'startMcapCloudIngest',
      folderKeys: false,
      summary: 'Start S3 MCAP cloud ingest',
      description:
        'Starts MCAP ingest from an existing S3 integration; integrations of other types work as well. Each file becomes an ingest, is transferred and processed. Files that an import visible to you has already imported in the same version are skipped unless `force` is true; the response then has the earlier ingest.',
      body: McapFilesToImport,
      response: McapImportResource,
      errors: [404],
    },
    async ({ caller, body }) => {
      const { integrationId, force } = body;
      const files = body.files.map(({ key, filename }) => ({ key, filename: filename ?? null }));
      return toImportResource(
        await mcap.import(caller, { integrationId, files, force: force ?? false, ...toDestination(body) }),
      );
    },
  );

  route.get(
    '/api/mcap/import-jobs/:mcap_import_job_id',
    {
      id: 'getMcapImportJob',
      summary: 'Get an MCAP import job',
      description: 'Returns the status of an import and of each of its files.',
      params: ImportParams,
      response: McapImportResource,
      errors: [404],
    },
    async ({ caller, params }) => toImportResource(await mcap.getImport(caller, params.mcapImportJobId)),
  );
}

/** The route of the signed upload URL, whose body is a stream. */
function fileRoute(app: App, mcap: Mcap): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  routes(app, { tag: 'MCAP', scope: 'public' }).put(
    '/api/mcap/:ingest_id/file',
    {
      id: 'uploadMcapFile',
      summary: 'Upload a recording',
      description:
        'Stores the whole file in one request. A file of another size or SHA-256 than stated is discarded; upload it again.',
      consumes: [BYTES],
      params: IngestParams,
      query: UploadQuery,
      response: ReceivedFile,
      errors: [400, 403, 404, 409, 410, 500, 503, 507],
    },
    async ({ params: { ingestId }, query, raw, headers, disconnected }) => {
      const length = headers['content-length'] === undefined ? null : Number(headers['content-length']);
      await mcap.receive(ingestId, tokenOf(query), raw, length, disconnected);
      return { mcapIngestId: ingestId, status: 'uploaded' };
    },
  );
}

type Destination = Pick<Domain<typeof NewIngest>, 'folderId' | 'scope' | 'chunkSize'>;

const toDestination = ({ folderId, scope, chunkSize }: Destination) => ({
  folderId: folderId ?? null,
  scope: scope ?? null,
  chunkSizeS: chunkSize ?? null,
});

/** Existing clients send no body if they state no roles. */
const toRoles = (body: Domain<typeof ChannelRolesBody> | undefined | null): ChannelRoles => ({
  frontChannel: body?.frontChannel || null,
  channelRoles: body?.channelRoles ?? {},
  channelLabels: body?.channelLabels ?? {},
});
