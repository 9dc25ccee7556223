import type { Client } from 'openapi-fetch';
import type { paths } from '../api.generated.ts';
import { errorOf, SightlineError } from '../errors.ts';
import type {
  DatasetExport,
  DatasetExportManifest,
  DatasetExportRequest,
  Export,
  ExportRequest,
} from '../resources.generated.ts';
import type { Settle, SettleOptions } from '../settle.ts';

/** Files with events, for other tools. */
export interface ExportOperations {
  /**
   * Exports events and waits until the file is written; its `download_url` needs no key. Aborting stops waiting; the
   * export continues. Throws a `SightlineError` if it failed.
   */
  exportEvents(request: ExportRequest, options?: SettleOptions<Export>): Promise<Export>;
  /**
   * Exports selected videos with the events of each as MCAP, and waits until the files are written. Returns the list of
   * the files, whose URLs need no key, and what could not be included. Aborting stops waiting; the export continues.
   * Throws a `SightlineError` if it failed.
   */
  exportSelection(
    request: DatasetExportRequest,
    options?: SettleOptions<DatasetExport>,
  ): Promise<DatasetExportManifest>;
}

/** `fetch` opens the signed URL of a manifest, without a key. */
export function createExportOperations(
  api: Client<paths>,
  fetch: typeof globalThis.fetch,
  settled: Settle,
): ExportOperations {
  return {
    async exportEvents(request, options = {}) {
      const { signal } = options;
      const { export_id } = (await api.POST('/api/exports', { body: request, signal })).data!;
      const params = { path: { export_id } };
      const state = async () => (await api.GET('/api/exports/{export_id}', { params, signal })).data!;
      const done = await settled(state, ({ status }) => status !== 'processing', options);
      if (done.status === 'completed') return done;
      throw new SightlineError(409, done);
    },

    async exportSelection(request, options = {}) {
      const { signal } = options;
      const { export_id } = (await api.POST('/api/exports/dataset', { body: request, signal })).data!;
      const params = { path: { dataset_export_id: export_id } };
      const state = async () => (await api.GET('/api/exports/dataset/{dataset_export_id}', { params, signal })).data!;
      const done = await settled(state, ({ status }) => status !== 'queued' && status !== 'building', options);
      if (!done.manifest_url) throw new SightlineError(409, { message: done.error });
      const response = await fetch(done.manifest_url, { signal });
      if (!response.ok) throw await errorOf(response);
      return response.json() as Promise<DatasetExportManifest>;
    },
  };
}
