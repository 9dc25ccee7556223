import { create as contentDisposition } from 'content-disposition';
import { toCalendarFilter } from '#features/videos/index';
import { type App, parseDateTime, routes, tokenOf } from '#platform/http/index';
import { EXPORT_PROBLEMS } from './problems.ts';
import {
  DeletedExport,
  Export,
  ExportFileParams,
  ExportFileQuery,
  ExportList,
  ExportListQuery,
  ExportParams,
  ExportRequest,
} from './schema.ts';
import type { ExportStatus, Exports } from './service.ts';

export function exportsRoutes(app: App, exports: Exports): void {
  const route = routes(app, { tag: 'Exports', scope: 'read', folderKeys: true });

  route.post(
    '/api/exports',
    {
      id: 'createExport',
      // Nothing in the library changes.
      scope: 'read',
      idempotency: 'replay',
      summary: 'Export events',
      description:
        'Starts to write the events that match into a file. Read the export until its status is `completed`; its `download_url` then needs no key. It has the events that `GET /api/events` lists for you with the same filters, ordered by video and time, as of one moment. The file is deleted after a week.',
      body: ExportRequest,
      response: Export,
      errors: [404],
    },
    async ({ caller, body: { format, createdAfter, createdBefore, ...filter } }) =>
      toResource(
        await exports.create(caller, format, {
          ...filter,
          ...toCalendarFilter(filter),
          createdAfter: createdAfter ? parseDateTime(createdAfter) : null,
          createdBefore: createdBefore ? parseDateTime(createdBefore) : null,
        }),
      ),
  );

  route.get(
    '/api/exports',
    {
      id: 'listExports',
      summary: 'List your exports',
      description: 'Lists your exports of the last week, newest first.',
      query: ExportListQuery,
      response: ExportList,
    },
    async ({ caller, query: { limit, cursor } }) => {
      const { exports: found, ...next } = await exports.list(caller, { limit: limit ?? 100, cursor });
      return { exports: found.map(toResource), ...next };
    },
  );

  route.get(
    '/api/exports/:export_id',
    {
      id: 'getExport',
      summary: 'Get an export',
      description: 'Returns the status of an export, and the URL of its file once it is written.',
      params: ExportParams,
      response: Export,
      errors: [404],
    },
    async ({ caller, params }) => toResource(await exports.get(caller, params.exportId)),
  );

  route.delete(
    '/api/exports/:export_id',
    {
      id: 'deleteExport',
      scope: 'read',
      idempotency: 'replay',
      summary: 'Delete an export',
      description: 'Deletes your export with its file; one that is being written is canceled.',
      params: ExportParams,
      response: DeletedExport,
      errors: [404],
    },
    async ({ caller, params: { exportId } }) => {
      await exports.remove(caller, exportId);
      return { status: 'deleted' as const, exportId };
    },
  );

  route.file(
    '/api/exports/:export_id/files/:file',
    {
      id: 'getExportFile',
      summary: 'Download an export',
      description: 'The file of an export, by its signed URL. `HEAD`, `If-None-Match` and `Range` are supported.',
      params: ExportFileParams,
      query: ExportFileQuery,
      type: 'application/octet-stream',
      what: 'The file.',
    },
    async ({ params: { exportId, file }, query }, reply) => {
      const served = await exports.open(exportId, tokenOf(query));
      reply.header('content-disposition', contentDisposition(file));
      return served;
    },
  );
}

const toResource = ({ id, problemCode, filter: _, ...status }: ExportStatus) => ({
  ...status,
  exportId: id,
  error: problemCode,
  message: problemCode && EXPORT_PROBLEMS[problemCode].sentence,
});
