import { toObjectUri } from '#features/integrations/index';
import { toWire } from '#platform/http/index';
import { toErrorFields } from '../resources.ts';
import { toShownVideoId } from '../transfer/row-store.ts';
import type { ImportJob, ImportJobStatus, ImportRow, ImportRowsPage, Processing } from '../types.ts';
import { ImportView } from './row-schema.ts';

const MAX_POLL_INTERVAL_S = 30;

/** An import by directory runs until its recordings are processed; its status then counts those that failed. */
export function toRecordingsResource(job: ImportJob, processing: Processing | null) {
  if (!processing || job.status === 'importing') return toJobResource(job);
  const failed = job.failed + processing.failed;
  const isPending = processing.pending > 0 && job.status !== 'cancelled';
  const ended: ImportJobStatus = failed === 0 ? 'completed' : failed === job.objects ? 'failed' : 'partial';
  const status = isPending ? 'importing' : job.status === 'cancelled' ? job.status : ended;
  const resource = toJobResource({ ...job, status, completedAt: isPending ? null : job.completedAt });
  return { ...resource, summary: { completed: job.uploaded - processing.pending - processing.failed, failed } };
}

export const toJobResource = (job: ImportJob) => ({
  ...job,
  sourceFormat: job.format,
  summary: { completed: job.uploaded, failed: job.failed },
  ...toErrorFields(job.problem),
  importJobId: job.id,
  jobId: job.id,
  source: job.provider,
  prefix: job.selection?.prefix ?? null,
  terminal: job.status !== 'importing',
  pollAfterSeconds: getPollInterval(job),
});

/** Seconds until the next poll: a tenth of the job's age, so that long jobs are polled less often. */
function getPollInterval({ status, createdAt }: ImportJob): number | null {
  if (status !== 'importing') return null;
  const ageS = (Date.now() - createdAt.getTime()) / 1000;
  return Math.min(MAX_POLL_INTERVAL_S, Math.max(2, Math.round(ageS / 10)));
}

export function toRowList({ job, rows, hasMore }: ImportRowsPage) {
  const toFields = (kind: string, row: ImportRow) => ({
    ...toErrorFields(row.problem),
    videoId: toShownVideoId(row),
    kind,
    status: row.status,
    skipped: row.existingVideoId === null ? null : ('already imported' as const),
    importSourceUri: toObjectUri(job.provider, job.bucket, row.key),
  });
  const toView = (kind: string, row: ImportRow) => [row.view ?? 'front', toWire(ImportView, toFields(kind, row))];
  const last = rows.at(-1);
  return {
    importJobId: job.id,
    videos: rows.map(({ views, kind, videoIds, ...row }) => ({
      ...toFields(kind, views ? summarizeSet(row, views) : row),
      videoIds: videoIds ?? undefined,
      sizeBytes: row.sizeBytes,
      views: views ? Object.fromEntries(views.map((view) => toView(kind, view))) : undefined,
    })),
    total: job.total,
    videoCount: rows.length,
    hasMore,
    nextCursor: hasMore && last ? toShownVideoId(last) : null,
  };
}

/** Front view of a set with the status of all views: processing while one is, else the first failure. */
function summarizeSet(front: ImportRow, views: readonly ImportRow[]): ImportRow {
  if (views.some(({ status }) => status === 'PROCESSING')) return { ...front, status: 'PROCESSING', problem: null };
  const { status, problem } = views.find((view) => view.status !== 'UPLOADED') ?? front;
  return { ...front, status, problem };
}
