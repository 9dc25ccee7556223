import type { UrlTokens } from '#features/keys/index';
import type { Playback } from '#features/playback/index';
import { isAdmin, isOwner, reaches } from '#platform/access/index';
import type { Transaction } from '#platform/db/index';
import { type Caller, httpProblems, type ServedFile } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import { buildDatasetExport, deleteDatasetExportFiles, failDatasetExport } from '../jobs.ts';
import { problems } from '../problems.ts';
import { type DatasetExportManifest, toManifest } from './manifest.ts';
import * as store from './store.ts';
import type { DatasetExport } from './types.ts';
import { type DatasetExportWorkerDeps, toFolderKey, toSessionKey, writeDatasetExport } from './worker.ts';

/** An export with the URL of its manifest, once its files are written. */
export type DatasetExportStatus = DatasetExport & { manifestUrl: string | null };

export type Selection = { videoIds: readonly string[]; eventIds: readonly string[]; datasetId: string | null };

export interface DatasetExports {
  /**
   * Starts an export of events that the caller may read; without `eventIds`, of all events of the videos. Throws
   * `export_events_elsewhere` (400), `event_not_found` (404), or the problems of the videos and analyses rooms.
   */
  create(caller: Caller, selection: Selection): Promise<DatasetExportStatus>;
  /** With a new signed URL. Throws `export_not_found` (404), `export_forbidden` or `key_limited` (403). */
  get(caller: Caller, id: string): Promise<DatasetExportStatus>;
  /** The files of an export behind a signed URL. Throws `export_token_invalid` (403) or `export_not_found` (404). */
  manifest(id: string, token: string): Promise<DatasetExportManifest>;
  /** The events of one video, as MCAP. Throws as `manifest` does. */
  open(id: string, videoId: string, token: string): Promise<ServedFile>;
  /** Deletes expired exports. Returns their number. */
  purge(): Promise<number>;
  /** Registers the job handlers. */
  registerJobs(): void;
}

const DAY_MS = 24 * 3600 * 1000;
const LIFETIME_MS = 7 * DAY_MS;
const URL_MS = DAY_MS;
const PURPOSE = 'dataset-export';

export type DatasetExportsDeps = DatasetExportWorkerDeps & {
  videos: DatasetExportWorkerDeps['videos'] & { getMany(caller: Caller, ids: readonly string[]): Promise<unknown> };
  playback: Pick<Playback, 'originalUrl'>;
  jobs: Jobs;
  urlTokens: UrlTokens;
};

export function createDatasetExports(deps: DatasetExportsDeps): DatasetExports {
  const { database, storage, analyses, videos, playback, jobs, urlTokens, publicUrl } = deps;
  const { db } = database;
  const urlOf = (id: string, path: string, token: string) =>
    `${publicUrl}/api/exports/dataset/${id}/${path}?token=${token}`;
  const expiry = () => new Date(Date.now() + URL_MS);

  function toStatus(row: DatasetExport, caller: Caller): DatasetExportStatus {
    const manifestUrl = () => urlOf(row.id, 'manifest', urlTokens.sign(PURPOSE, row.id, expiry(), caller));
    return { ...row, manifestUrl: isComplete(row) ? manifestUrl() : null };
  }

  /** An export whose files are written, for a token that was signed for `subject`. */
  async function requireComplete(id: string, token: string, subject: string): Promise<DatasetExport> {
    if ((await urlTokens.verify(PURPOSE, subject, token)) !== 'ok') throw problems.export_token_invalid();
    const row = await store.findDatasetExport(db, id);
    if (!row || !isComplete(row)) throw problems.export_not_found();
    return row;
  }

  async function checkEvents(caller: Caller, { eventIds, videoIds }: Selection): Promise<void> {
    const keys = eventIds.map((each) => analyses.reviewing.parseEventId(each));
    await analyses.reviewing.require(
      caller,
      keys.map(({ analysisId }) => analysisId),
    );
    const found = await analyses.eventIndex.getMany(caller, keys);
    if (found.length < keys.length) throw analyses.reviewing.notFound();
    if (found.some(({ videoId }) => !videoIds.includes(videoId))) throw problems.export_events_elsewhere();
  }

  return {
    async create(caller, given) {
      const selection = { ...given, videoIds: distinct(given.videoIds), eventIds: distinct(given.eventIds) };
      await videos.getMany(caller, selection.videoIds);
      if (selection.eventIds.length > 0) await checkEvents(caller, selection);
      const id = newId();
      const started = await database.transaction(async (trx) => {
        const owner = { orgId: caller.orgId, ownerId: caller.userId, asAdmin: isAdmin(caller) };
        const expiresAt = new Date(Date.now() + LIFETIME_MS);
        const row = { ...selection, ...owner, id, folderId: caller.folderId ?? null, expiresAt };
        await store.insertDatasetExport(trx, row);
        await jobs.send(trx, buildDatasetExport, { exportId: id }, { orgId: caller.orgId });
        return (await store.findDatasetExport(trx, id))!;
      });
      return toStatus(started, caller);
    },

    async get(caller, id) {
      const row = await store.findDatasetExport(db, id);
      if (!row) throw problems.export_not_found();
      if (!isOwner(caller, row)) throw problems.export_forbidden();
      if (!reaches(caller, row.folderId)) throw httpProblems.key_limited();
      return toStatus(row, caller);
    },

    async manifest(id, token) {
      const row = await requireComplete(id, token, id);
      const annotationsUrl = (videoId: string) =>
        urlOf(id, `files/${videoId}`, urlTokens.derive(token, PURPOSE, `${id} ${videoId}`, expiry()));
      const originalUrl = (videoId: string) => playback.originalUrl(videoId, token);
      return toManifest(row, { videos, annotationsUrl, originalUrl });
    },

    async open(id, videoId, token) {
      await requireComplete(id, token, `${id} ${videoId}`);
      const key = toSessionKey(id, videoId);
      const stat = await storage.stat(key);
      if (!stat) throw problems.export_not_found();
      const etag = `${id}-${videoId}`;
      return { ...stat, etag, contentType: 'application/octet-stream', open: (range) => storage.read(key, range) };
    },

    purge: () =>
      database.transaction(async (trx: Transaction) => {
        const exportIds = await store.deleteExpiredDatasetExports(trx);
        if (exportIds.length > 0) await jobs.send(trx, deleteDatasetExportFiles, { exportIds });
        return exportIds.length;
      }),

    registerJobs() {
      jobs.handle(buildDatasetExport, ({ exportId }, { signal }) => writeDatasetExport(deps, exportId, signal));
      jobs.handle(failDatasetExport, async ({ exportId }) => {
        await store.endDatasetExport(db, exportId, 'failed');
      });
      jobs.handle(deleteDatasetExportFiles, async ({ exportIds }) => {
        for (const id of exportIds) await storage.removeAll(toFolderKey(id));
      });
    },
  };
}

const distinct = (ids: readonly string[]) => [...new Set(ids)];

const isComplete = ({ status }: DatasetExport) => status === 'completed' || status === 'completed_with_gaps';
