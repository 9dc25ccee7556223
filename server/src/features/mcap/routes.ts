import type { Static } from 'typebox';
import { type App, failures, publicFailures } from '#platform/http/index';
import { importAnswer, ingestAnswer } from './answer.ts';
import { CloudIngest, ImportAnswer, ImportId } from './import-schema.ts';
import { CreatedIngest, CreateIngest, IngestAnswer, IngestId, Received, RolesBody, UploadQuery } from './schema.ts';
import type { Mcap } from './service.ts';
import type { Roles } from './types.ts';

const BYTES = 'application/octet-stream';

export function mcapRoutes(app: App, mcap: Mcap): void {
  app.post(
    '/api/mcap/create-ingest',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'createMcapIngest',
        tags: ['MCAP'],
        summary: 'Begin the ingest of a recording',
        description:
          'Returns where to PUT the bytes of an MCAP recording. When they are here, have it processed. An ingest whose file does not come, or that nobody has processed, for two days has failed, and its file is removed.',
        body: CreateIngest,
        response: { 200: CreatedIngest, ...failures(404, 413) },
      },
    },
    async ({ caller, body }) => {
      const { ingest, uploadUrl } = await mcap.create(caller, {
        filename: body.filename,
        sizeBytes: body.size_bytes,
        sha256: body.sha256?.toLowerCase() ?? null,
        ...placeOf(body),
      });
      return {
        mcap_ingest_id: ingest.id,
        upload_url: uploadUrl,
        upload_headers: { 'Content-Type': BYTES },
        source_uri: ingest.sourceUri,
        status: ingest.status,
      };
    },
  );

  // The body is a stream here and nowhere else.
  app.register(async (scope) => {
    const bytes = scope as unknown as App;
    bytes.removeAllContentTypeParsers();
    bytes.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    bytes.put(
      '/api/mcap/:ingest_id/file',
      {
        config: { scope: 'public' },
        schema: {
          operationId: 'uploadMcapFile',
          tags: ['MCAP'],
          summary: 'Send the bytes of a recording',
          description:
            'Takes the whole file in one request. What has another size or digest than was announced is not kept, and can be sent again.',
          security: [],
          consumes: [BYTES],
          params: IngestId,
          querystring: UploadQuery,
          response: { 200: Received, ...publicFailures(400, 403, 404, 409, 410, 500, 503, 507) },
        },
      },
      async (request) => {
        const { params, query, raw, headers, gone } = request;
        const length = headers['content-length'] === undefined ? null : Number(headers['content-length']);
        await mcap.receive(params.ingest_id, query.token, raw, length, gone);
        return { mcap_ingest_id: params.ingest_id, status: 'uploaded' };
      },
    );
  });

  app.post(
    '/api/mcap/:ingest_id/process',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'processMcapIngest',
        tags: ['MCAP'],
        summary: 'Make videos of a recording',
        description:
          'Begins to make a video of each channel of pictures, with the telemetry of the recording. Poll the ingest. Once it has begun this gives roles, as stitch does.',
        params: IngestId,
        body: RolesBody,
        response: { 200: IngestAnswer, ...failures(404, 409) },
      },
    },
    async ({ caller, params, body }) => ingestAnswer(await mcap.process(caller, params.ingest_id, rolesOf(body))),
  );

  app.get(
    '/api/mcap/:ingest_id',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'getMcapIngest',
        tags: ['MCAP'],
        summary: 'Get an ingest',
        description: 'Says how the ingest stands, what the recording holds, and what became of each channel.',
        params: IngestId,
        response: { 200: IngestAnswer, ...failures(404) },
      },
    },
    async ({ caller, params }) => ingestAnswer(await mcap.get(caller, params.ingest_id)),
  );

  app.post(
    '/api/mcap/:ingest_id/stitch',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'stitchMcapViews',
        tags: ['MCAP'],
        summary: 'Stitch MCAP views',
        description:
          'Applies explicit front-channel and role metadata to an MCAP ingest: its videos become views of one happening, one of them primary. Channels without a role get what their topic suggests, never against what is given. Can be repeated with other roles; nothing is decoded again. While the recording is processed the roles are kept for when it is done.',
        params: IngestId,
        body: RolesBody,
        response: { 200: IngestAnswer, ...failures(404) },
      },
    },
    async ({ caller, params, body }) => ingestAnswer(await mcap.stitch(caller, params.ingest_id, rolesOf(body))),
  );

  app.post(
    '/api/mcap/cloud-ingest/s3',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'startMcapCloudIngest',
        tags: ['MCAP'],
        summary: 'Start S3 MCAP cloud ingest',
        description:
          'Starts MCAP ingest from an existing S3 integration; integrations of the other types work as well. Each file becomes an ingest of its own, is brought here and processed. A file that you can see imported already, in the same version, is skipped: its earlier ingest stands in the answer, unless `force` is given.',
        body: CloudIngest,
        response: { 200: ImportAnswer, ...failures(404) },
      },
    },
    async ({ caller, body }) => {
      const files = body.files.map(({ key, filename }) => ({ key, filename: filename ?? null }));
      return importAnswer(
        await mcap.import(caller, {
          ...{ integrationId: body.integration_id, files, force: body.force ?? false },
          ...placeOf(body),
        }),
      );
    },
  );

  app.get(
    '/api/mcap/import-jobs/:mcap_import_job_id',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'getMcapImportJob',
        tags: ['MCAP'],
        summary: 'Get an MCAP import job',
        description: 'Says how the import stands, and each of its files.',
        params: ImportId,
        response: { 200: ImportAnswer, ...failures(404) },
      },
    },
    async ({ caller, params }) => importAnswer(await mcap.getImport(caller, params.mcap_import_job_id)),
  );
}

type Place = Pick<Static<typeof CreateIngest>, 'folder_id' | 'scope' | 'chunk_size'>;

const placeOf = ({ folder_id, scope, chunk_size }: Place) => ({
  folderId: folder_id ?? null,
  scope: scope ?? null,
  partS: chunk_size ?? null,
});

/** Clients send no body where they have nothing to say. */
const rolesOf = (body: Static<typeof RolesBody> | undefined | null): Roles => ({
  frontChannel: body?.front_channel || null,
  channelRoles: body?.channel_roles ?? {},
  channelLabels: body?.channel_labels ?? {},
});
