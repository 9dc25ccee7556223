import type { FastifyRequest } from 'fastify';
import type { ProviderName } from '#features/integrations/index';
import { type App, type Domain, routes } from '#platform/http/index';
import { problems } from '../problems.ts';
import { toDestination, toSelection } from '../request.ts';
import type { RequestedObjects } from '../types.ts';
import { RecordingsToImport, StartedRecordings } from './recordings-schema.ts';
import { toJobResource, toRecordingsResource, toRowList } from './resources.ts';
import { ImportRowList, RowsQuery } from './row-schema.ts';
import {
  BODY_BYTES,
  FilesToImport,
  ImportJobList,
  ImportJobResource,
  ImportPreview,
  JobListQuery,
  JobParams,
  KeysToImport,
  RowsToRetry,
  SelectionToPreview,
  StartedImport,
} from './schema.ts';
import type { ImportJobsService } from './service.ts';

const DEFAULT_ROWS = 500;
const DEFAULT_JOBS = 100;

/** The providers' bodies have different names for the objects. */
type ImportBody = Domain<typeof FilesToImport> & Domain<typeof KeysToImport>;
type StartRequest = Pick<FastifyRequest, 'caller' | 'disconnected'> & { body: ImportBody };

export function importJobRoutes(app: App, imports: ImportJobsService): void {
  const route = routes(app, { tag: 'Cloud Imports', scope: 'read' });

  const started = {
    description:
      'Starts an import that runs in the background; poll the job or its rows for progress. Named objects are checked first: an unreadable one is a failed row, and the request fails with 400 if none can be read. Objects that an import visible to you has already imported in the same version are skipped unless `force` is true.',
    bodyLimit: BODY_BYTES,
    response: StartedImport,
    errors: [404, 409, 502, 504],
  };
  const start =
    (provider: ProviderName) =>
    async ({ caller, body, disconnected }: StartRequest) => {
      const bucket = { provider, bucket: body.bucket ?? null, integrationId: body.integrationId ?? null };
      const objects = toRequestedObjects(body);
      const { job, videoIds } = await imports.start(caller, bucket, objects, toDestination(body), disconnected);
      return { ...job, importJobId: job.id, uploadedVideoIds: videoIds };
    };

  route.post(
    '/api/gcs/upload',
    { ...started, id: 'importFromGcs', summary: 'Import from Google Cloud Storage', body: FilesToImport },
    start('gcs'),
  );
  route.post(
    '/api/s3/upload',
    { ...started, id: 'importFromS3', summary: 'Import from S3', body: KeysToImport },
    start('s3'),
  );
  route.post(
    '/api/hf-buckets/upload',
    { ...started, id: 'importFromHuggingFace', summary: 'Import from Hugging Face', body: FilesToImport },
    start('hf_bucket'),
  );

  route.post(
    '/api/import-jobs',
    {
      id: 'importRecordings',
      summary: 'Import recordings by directory',
      description:
        'Starts an import of the recordings in these directories of a bucket, each with a name and a folder of its own. The bucket is opened by the integration that is saved for it, or for an admin key as the service account of the deployment. The job ends once the recordings are converted to videos, and its rows then have their `video_ids`. Fails with 400, and imports nothing, if a directory has no recording.',
      body: RecordingsToImport,
      status: 202,
      response: StartedRecordings,
      errors: [404, 409, 502, 504],
    },
    async ({ caller, body, disconnected }) => {
      const { sourceFormat: format, scope = null, inputs } = body;
      const directories = inputs.map(({ sourceUri, name = null, folderId = null }) => ({ sourceUri, name, folderId }));
      const { job, recordings } = await imports.startRecordings(caller, { format, scope, directories }, disconnected);
      const [first, ...others] = recordings;
      const videoId = others.length === 0 ? first!.videoId : null;
      return { ...job, importJobId: job.id, videoId, videos: recordings };
    },
  );

  route.post(
    '/api/import-jobs/preview',
    {
      id: 'previewImport',
      scope: 'read',
      summary: 'Preview an import',
      description: 'Lists the objects that match a selection, page by page, without importing them.',
      body: SelectionToPreview,
      response: ImportPreview,
      errors: [404, 409, 502, 504],
    },
    async ({ caller, body, disconnected }) => {
      const { source, bucket = null, integrationId = null, cursor = null } = body;
      const provider = source ?? (await imports.getProvider(caller, integrationId));
      return imports.preview(caller, { provider, bucket, integrationId }, toSelection(body), cursor, disconnected);
    },
  );

  route.get(
    '/api/import-jobs',
    {
      id: 'listImportJobs',
      summary: 'List import jobs',
      description: 'Returns your import jobs and those of the organization, newest first.',
      query: JobListQuery,
      response: ImportJobList,
    },
    async ({ caller, query }) => {
      const { jobs, hasMore } = await imports.list(caller, query.cursor ?? null, query.limit ?? DEFAULT_JOBS);
      return { importJobs: jobs.map(toJobResource), hasMore, nextCursor: hasMore ? jobs.at(-1)!.id : null };
    },
  );

  route.get(
    '/api/import-jobs/:job_id',
    {
      id: 'getImportJob',
      summary: 'Get an import job',
      description: 'Returns the status and counters of an import.',
      params: JobParams,
      response: ImportJobResource,
      errors: [404],
    },
    async ({ caller, params }) => {
      const job = await imports.get(caller, params.jobId);
      return toRecordingsResource(job, await imports.getProcessing(job));
    },
  );

  route.get(
    '/api/import-jobs/:job_id/videos',
    {
      id: 'listImportJobVideos',
      summary: 'List import job videos',
      description:
        'Returns a page of the rows of an import: each object with the id of its video, its status and, if it failed, the error. The order is stable; rows are appended while the bucket is listed.',
      params: JobParams,
      query: RowsQuery,
      response: ImportRowList,
      errors: [404],
    },
    async ({ caller, params, query }) => {
      const { limit = DEFAULT_ROWS, cursor = null, offset = null } = query;
      const page = await imports.listRows(caller, params.jobId, { limit, cursor, offset });
      return { ...toRowList(page), limit, cursor };
    },
  );

  route.post(
    '/api/import-jobs/:job_id/cancel',
    {
      id: 'cancelImportJob',
      summary: 'Cancel an import',
      description: 'Cancels a running import. Imported videos stay; the other rows fail. 409 if it has already ended.',
      params: JobParams,
      response: ImportJobResource,
      errors: [404, 409],
    },
    async ({ caller, params }) => toJobResource(await imports.cancel(caller, params.jobId)),
  );

  route.post(
    '/api/import-jobs/:job_id/retry',
    {
      id: 'retryImportJob',
      summary: 'Retry failed rows',
      description:
        'Imports the failed rows again, under the same video ids, and continues an interrupted listing; with `video_ids` only the named rows. 409 while the import is running, or if nothing failed.',
      params: JobParams,
      body: RowsToRetry,
      response: ImportJobResource,
      errors: [404, 409],
    },
    async ({ caller, params, body }) =>
      toJobResource(await imports.retry(caller, params.jobId, body?.videoIds ?? null)),
  );
}

/** Throws `import_invalid` (400) unless the body states objects in exactly one way. */
function toRequestedObjects(body: ImportBody): RequestedObjects {
  const { files, keys, sets, prefix, include, exclude } = body;
  const names = files ?? keys;
  const hasSelection = prefix != null || include != null || exclude != null;
  if ([names, sets].filter(Boolean).length + Number(hasSelection) !== 1) {
    throw problems.import_invalid(
      'State the objects to import in one way: by name, by `sets`, or by `prefix` and patterns.',
    );
  }
  if (names) return { names };
  return sets ? { sets: sets.map(({ views }) => views) } : { selection: toSelection(body) };
}
