import { create as contentDisposition } from 'content-disposition';
import { type App, routes, tokenOf } from '#platform/http/index';
import { EXPORT_PROBLEMS } from '../problems.ts';
import {
  DatasetExportFileParams,
  DatasetExportManifest,
  DatasetExportParams,
  DatasetExportRequest,
  DatasetExportResource,
  SignedQuery,
} from './schema.ts';
import type { DatasetExportStatus, DatasetExports } from './service.ts';
import type { ExportGap } from './types.ts';

const PATH = '/api/exports/dataset';

export function datasetExportsRoutes(app: App, exports: DatasetExports): void {
  const route = routes(app, { tag: 'Exports', scope: 'read', folderKeys: true });

  route.post(
    PATH,
    {
      id: 'createDatasetExport',
      // Nothing in the library changes.
      scope: 'read',
      idempotency: 'replay',
      summary: 'Export selected videos and events as MCAP',
      description:
        'Starts to write one MCAP file with the events of each video, which lies beside the video. Read the export until its status is `completed`, then download the files that its manifest lists. They have the verdicts and corrections of the time of the export. The export is deleted after a week.',
      body: DatasetExportRequest,
      response: DatasetExportResource,
      errors: [404],
    },
    async ({ caller, body: { videoIds, eventIds, datasetId } }) =>
      toResource(await exports.create(caller, { videoIds, eventIds: eventIds ?? [], datasetId: datasetId ?? null })),
  );

  route.get(
    `${PATH}/:dataset_export_id`,
    {
      id: 'getDatasetExport',
      summary: 'Get an export of selected videos',
      description: 'Returns the status of an export, and the URL of its manifest once the files are written.',
      params: DatasetExportParams,
      response: DatasetExportResource,
      errors: [404],
    },
    async ({ caller, params }) => toResource(await exports.get(caller, params.datasetExportId)),
  );

  route.post(
    `${PATH}/:dataset_export_id/refresh-urls`,
    {
      id: 'refreshDatasetExport',
      scope: 'read',
      summary: 'Renew the URLs of an export',
      description: 'Returns the export with a new URL of its manifest, as each read does. Nothing is written again.',
      params: DatasetExportParams,
      response: DatasetExportResource,
      errors: [404],
    },
    async ({ caller, params }) => toResource(await exports.get(caller, params.datasetExportId)),
  );

  route.get(
    `${PATH}/:dataset_export_id/manifest`,
    {
      id: 'getDatasetExportManifest',
      scope: 'public',
      countedAs: 'file',
      summary: 'List the files of an export',
      description:
        'The files of an export, by its signed URL: for each video its events, and the video itself. Each has a URL, its size and its SHA-256.',
      params: DatasetExportParams,
      query: SignedQuery,
      response: DatasetExportManifest,
      errors: [400, 403, 404, 429, 500, 503],
    },
    async ({ params, query }, reply) => {
      reply.header('cache-control', 'no-store');
      const { gaps, ...manifest } = await exports.manifest(params.datasetExportId, tokenOf(query));
      return { ...manifest, gaps: gaps.map(toGap) };
    },
  );

  route.file(
    `${PATH}/:dataset_export_id/files/:video_id`,
    {
      id: 'getDatasetExportFile',
      summary: 'Download the events of a video of an export',
      description: 'The events of one video as MCAP, by its signed URL. `HEAD`, `If-None-Match` and `Range` work.',
      params: DatasetExportFileParams,
      query: SignedQuery,
      type: 'application/octet-stream',
      what: 'The MCAP file.',
    },
    async ({ params: { datasetExportId, videoId }, query }, reply) => {
      const served = await exports.open(datasetExportId, videoId, tokenOf(query));
      reply.header('content-disposition', contentDisposition(`${videoId}.annotations.mcap`));
      return served;
    },
  );
}

const REASONS: Record<ExportGap['reason'], string> = {
  video_deleted: 'The video was deleted.',
  video_not_ready: 'The video is not ready.',
  video_forbidden: 'The video is no longer shared with you.',
  event_deleted: 'The event was deleted with its analysis or its video.',
};

const toGap = ({ reason, ...gap }: ExportGap) => ({ ...gap, reason: REASONS[reason] });

const toResource = ({ id, built, videoIds, sessions, gaps, status, ...row }: DatasetExportStatus) => ({
  ...row,
  exportId: id,
  status,
  progress: { built, sessionsTotal: videoIds.length },
  eventCount: sessions.reduce((sum, { eventCount }) => sum + eventCount, 0),
  gaps: gaps.map(toGap),
  error: status === 'failed' ? EXPORT_PROBLEMS.export_failed.sentence : null,
});
