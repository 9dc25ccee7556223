import type { Static } from 'typebox';
import { type ProviderName, uriOf } from '#features/integrations/index';
import { type App, type Caller, failures } from '#platform/http/index';
import { destinationOf, selectionOf } from './body.ts';
import type { ImportsRoom } from './index.ts';
import { problems } from './problems.ts';
import { RowsAnswer, RowsQuery } from './row-schema.ts';
import {
  BODY_BYTES,
  ImportFiles,
  ImportJobAnswer,
  ImportJobList,
  ImportKeys,
  ImportStarted,
  JobListQuery,
  JobParams,
  PreviewAnswer,
  PreviewBody,
} from './schema.ts';
import type { Objects, RowsPage } from './service.ts';
import { syncRoutes } from './sync-routes.ts';
import type { ImportJob, Row } from './types.ts';

const tags = ['Cloud Imports'];
const ROWS = 500;
const JOBS = 100;

export function importsRoutes(app: App, imports: ImportsRoom): void {
  const begin = async (
    provider: ProviderName,
    { caller, gone }: { caller: Caller; gone: AbortSignal },
    body: Request,
    names: readonly string[] | null | undefined,
  ) => {
    const wanted = { provider, bucket: body.bucket ?? null, integrationId: body.integration_id ?? null };
    const { job, videoIds } = await imports.start(caller, wanted, objectsOf(body, names), destinationOf(body), gone);
    const { status, total, skipped } = job;
    return { import_job_id: job.id, status, total, skipped, uploaded_video_ids: videoIds };
  };
  const start = {
    tags,
    description:
      'Each named object is asked for at once. What cannot be read is a row that failed, with its reason; when nothing can, the answer is 400 with the reason. The rest is brought in the background: follow it with the rows of the job. An object that you can see imported already, in the same version, is not imported again: its row says so with the id of its video, unless `force` is given.',
    response: { 200: ImportStarted, ...failures(404, 409) },
  };

  app.post(
    '/api/gcs/upload',
    {
      config: { scope: 'write' },
      bodyLimit: BODY_BYTES,
      schema: {
        operationId: 'importFromGcs',
        summary: 'Import from Google Cloud Storage',
        body: ImportFiles,
        ...start,
      },
    },
    (request) => begin('gcs', request, request.body, request.body.files),
  );
  app.post(
    '/api/s3/upload',
    {
      config: { scope: 'write' },
      bodyLimit: BODY_BYTES,
      schema: { operationId: 'importFromS3', summary: 'Import from S3', body: ImportKeys, ...start },
    },
    (request) => begin('s3', request, request.body, request.body.keys),
  );
  app.post(
    '/api/hf-buckets/upload',
    {
      config: { scope: 'write' },
      bodyLimit: BODY_BYTES,
      schema: {
        operationId: 'importFromHuggingFace',
        summary: 'Import from Hugging Face',
        body: ImportFiles,
        ...start,
      },
    },
    (request) => begin('hf_bucket', request, request.body, request.body.files),
  );

  app.post(
    '/api/import-jobs/preview',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'previewImport',
        tags,
        summary: 'See what an import would bring',
        description: 'Lists what fits a selection, a page at a time, and imports nothing.',
        body: PreviewBody,
        response: { 200: PreviewAnswer, ...failures(404, 409) },
      },
    },
    async ({ caller, body, gone }) => {
      const provider = body.source ?? (await imports.providerOf(caller, body.integration_id ?? null));
      const wanted = { provider, bucket: body.bucket ?? null, integrationId: body.integration_id ?? null };
      const preview = await imports.preview(caller, wanted, selectionOf(body), body.cursor ?? null, gone);
      return {
        objects: preview.found.map(({ key, uri, sizeBytes }) => ({
          key,
          import_source_uri: uri,
          size_bytes: sizeBytes,
        })),
        passed_over: preview.passedOver,
        has_more: preview.nextCursor !== null,
        next_cursor: preview.nextCursor,
      };
    },
  );

  app.get(
    '/api/import-jobs',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'listImportJobs',
        tags,
        summary: 'List import jobs',
        description: 'Returns your import jobs and those of the organisation, newest first.',
        querystring: JobListQuery,
        response: { 200: ImportJobList, ...failures() },
      },
    },
    async ({ caller, query }) => {
      const { jobs, more } = await imports.list(caller, query.cursor ?? null, query.limit ?? JOBS);
      return { import_jobs: jobs.map(answer), has_more: more, next_cursor: more ? jobs.at(-1)!.id : null };
    },
  );

  app.get(
    '/api/import-jobs/:job_id',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getImportJob',
        tags,
        summary: 'Get an import job',
        description: 'Returns how an import stands.',
        params: JobParams,
        response: { 200: ImportJobAnswer, ...failures(404) },
      },
    },
    async ({ caller, params }) => answer(await imports.get(caller, params.job_id)),
  );

  app.get(
    '/api/import-jobs/:job_id/videos',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'listImportJobVideos',
        tags,
        summary: 'List import job videos',
        description:
          'Returns a page of the rows of an import: each object with the id of its video, how it stands and, if it failed, why. The order never changes; rows are added at the end while the bucket is listed.',
        params: JobParams,
        querystring: RowsQuery,
        response: { 200: RowsAnswer, ...failures(404) },
      },
    },
    async ({ caller, params, query }) => {
      const { limit = ROWS, cursor = null, offset = null } = query;
      return page(imports, await imports.rows(caller, params.job_id, { limit, cursor, offset }), limit, cursor);
    },
  );

  app.post(
    '/api/import-jobs/:job_id/cancel',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'cancelImportJob',
        tags,
        summary: 'Cancel an import',
        description: 'Ends it: what has come stays, the other rows fail. 409 when it has ended already.',
        params: JobParams,
        response: { 200: ImportJobAnswer, ...failures(404, 409) },
      },
    },
    async ({ caller, params }) => answer(await imports.cancel(caller, params.job_id)),
  );

  app.post(
    '/api/import-jobs/:job_id/retry',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'retryImportJob',
        tags,
        summary: 'Try failed rows again',
        description:
          'Brings what failed once more, under the same ids, and goes on listing where that was broken off. 409 while it is running, or when nothing failed.',
        params: JobParams,
        response: { 200: ImportJobAnswer, ...failures(404, 409) },
      },
    },
    async ({ caller, params }) => answer(await imports.retry(caller, params.job_id)),
  );

  syncRoutes(app, imports.syncs);
}

type Request = Static<typeof ImportFiles> | Static<typeof ImportKeys>;

/** Exactly one way to say what is meant. Throws `import_invalid` (400). */
function objectsOf(body: Request, names: readonly string[] | null | undefined): Objects {
  const { sets, prefix, include, exclude } = body;
  const selects = prefix != null || include != null || exclude != null;
  if ([names, sets].filter(Boolean).length + Number(selects) !== 1) {
    throw problems.import_invalid('Say what to import in one way: objects by name, `sets`, or `prefix` and patterns.');
  }
  if (names) return { names };
  return sets ? { sets: sets.map(({ views }) => views) } : { selection: selectionOf(body) };
}

function answer(job: ImportJob) {
  return {
    id: job.id,
    import_job_id: job.id,
    job_id: job.id,
    status: job.status,
    source: job.provider,
    bucket: job.bucket,
    prefix: job.selection?.prefix ?? null,
    integration_id: job.integrationId,
    sync_id: job.syncId,
    folder_id: job.folderId,
    folder_name: job.folderName,
    scope: job.scope,
    terminal: job.status !== 'importing',
    poll_after_seconds: pollAfter(job),
    listed: job.listed,
    total: job.total,
    objects: job.objects,
    uploaded: job.uploaded,
    skipped: job.skipped,
    failed: job.failed,
    error: job.problem?.code ?? null,
    message: job.problem?.message ?? null,
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
    completed_at: job.completedAt?.toISOString() ?? null,
  };
}

/** The longest advised wait between two requests for the state of a job, in seconds. */
const LONGEST_POLL_S = 30;

/** Seconds to wait before the next request: a tenth of how long the job has run, so that long jobs are asked for seldom. */
function pollAfter({ status, createdAt }: ImportJob): number | null {
  if (status !== 'importing') return null;
  const runningS = (Date.now() - createdAt.getTime()) / 1000;
  return Math.min(LONGEST_POLL_S, Math.max(2, Math.round(runningS / 10)));
}

function page(kinds: Pick<ImportsRoom, 'nameOf'>, { job, rows, more }: RowsPage, limit: number, cursor: string | null) {
  const said = ({ videoId, knownVideoId, status, key, problem }: Row) => ({
    video_id: knownVideoId ?? videoId,
    kind: kinds.nameOf(key),
    status,
    skipped: knownVideoId === null ? null : ('already imported' as const),
    import_source_uri: uriOf(job.provider, job.bucket, key),
    error: problem?.code ?? null,
    message: problem?.message ?? null,
  });
  const last = rows.at(-1);
  return {
    import_job_id: job.id,
    videos: rows.map(({ views, ...row }) => {
      if (!views) return { ...said(row), size_bytes: row.sizeBytes };
      const first = views.find(({ status }) => status !== 'UPLOADED') ?? row;
      const waiting = views.some(({ status }) => status === 'PROCESSING');
      return {
        ...said(
          waiting
            ? { ...row, status: 'PROCESSING', problem: null }
            : { ...first, videoId: row.videoId, knownVideoId: row.knownVideoId, key: row.key },
        ),
        size_bytes: row.sizeBytes,
        views: Object.fromEntries(views.map((each) => [each.view ?? 'front', said(each)])),
      };
    }),
    total: job.total,
    video_count: rows.length,
    has_more: more,
    next_cursor: more && last ? (last.knownVideoId ?? last.videoId) : null,
    limit,
    cursor,
  };
}
