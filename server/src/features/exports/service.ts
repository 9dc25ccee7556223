import type { EventKey } from '#features/analyses/index';
import type { Folders } from '#features/folders/index';
import type { UrlTokens } from '#features/keys/index';
import type { Videos } from '#features/videos/index';
import { isAdmin, isOwner, reaches } from '#platform/access/index';
import type { Transaction } from '#platform/db/index';
import { type Caller, httpProblems, type IdPage, readIdPage, type ServedFile } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import { type ExportFormat, formatOf } from './formats/index.ts';
import { deleteExportFiles, failExport, writeExport } from './jobs.ts';
import { problems } from './problems.ts';
import * as store from './store.ts';
import type { ExportFilter } from './types.ts';
import { type ExportWorkerDeps, toFileKey, writeExportFile } from './worker.ts';

/** An export with the URL of its file, once it is written. */
export type ExportStatus = store.ExportRow & { filename: string; downloadUrl: string | null };

export interface Exports {
  /**
   * Starts an export of the events that the caller may read and that match all filters. Throws `export_video_missing`
   * (400), or the problems of the videos and folders rooms.
   */
  create(caller: Caller, format: ExportFormat, filter: ExportFilter): Promise<ExportStatus>;
  /** Starts a recap of events that a user may read, in the caller's transaction. Returns the id of the export. */
  startRecap(trx: Transaction, owner: { orgId: string; userId: string }, events: readonly EventKey[]): Promise<string>;
  /** State of a recap that the service started, and its URL, which works until the file is deleted. */
  findRecap(id: string): Promise<{ isRunning: boolean; url: string | null }>;
  /** Throws `export_not_found` (404), `export_forbidden` or `key_limited` (403). */
  get(caller: Caller, id: string): Promise<ExportStatus>;
  /** The caller's exports, newest first. Throws `cursor_invalid` (400). */
  list(caller: Caller, page: IdPage): Promise<{ exports: ExportStatus[]; hasMore: boolean; nextCursor: string | null }>;
  /** Deletes an export and its file. Throws as `get` does. */
  remove(caller: Caller, id: string): Promise<void>;
  /** The file behind a signed URL. Throws `export_token_invalid` (403) or `export_not_found` (404). */
  open(id: string, token: string): Promise<ServedFile>;
  /** Deletes expired exports. Returns their number. */
  purge(): Promise<number>;
  /** Registers the job handlers. */
  registerJobs(): void;
}

const DAY_MS = 24 * 3600 * 1000;
const LIFETIME_MS = 7 * DAY_MS;
const URL_MS = DAY_MS;
const PURPOSE = 'export';

type ExportsDeps = ExportWorkerDeps & {
  videos: Pick<Videos, 'getMany' | 'find'>;
  folders: Pick<Folders, 'require'>;
  jobs: Jobs;
  urlTokens: UrlTokens;
};

export function createExports(deps: ExportsDeps): Exports {
  const { database, storage, videos, folders, jobs, urlTokens, publicUrl } = deps;
  const { db } = database;

  /** Its URL ends with the key or account of `caller`; null for a URL of the service. */
  function toStatus(row: store.ExportRow, caller: Caller | null, urlMs = URL_MS): ExportStatus {
    const day = row.createdAt.toISOString().slice(0, 10);
    const filename = `events-${day}-${row.id.slice(-6)}.${formatOf(row.format).extension}`;
    const token = () => urlTokens.sign(PURPOSE, row.id, new Date(Date.now() + urlMs), caller);
    const isReady = row.status === 'completed';
    const downloadUrl = isReady ? `${publicUrl}/api/exports/${row.id}/files/${filename}?token=${token()}` : null;
    return { ...row, filename, downloadUrl };
  }

  async function requireOwn(caller: Caller, id: string): Promise<store.ExportRow> {
    const row = await store.findExport(db, id);
    if (!row) throw problems.export_not_found();
    if (!isOwner(caller, row)) throw problems.export_forbidden();
    if (!reaches(caller, row.folderId)) throw httpProblems.key_limited();
    return row;
  }

  return {
    async create(caller, format, filter) {
      if (formatOf(format).isPerVideo && filter.videoIds?.length !== 1) throw problems.export_video_missing();
      if (filter.videoIds) await videos.getMany(caller, filter.videoIds);
      const folderId = filter.folderId ?? caller.folderId;
      if (folderId) await folders.require(caller, folderId);
      const id = newId();
      const row = await database.transaction(async (trx) => {
        const owner = { orgId: caller.orgId, ownerId: caller.userId, asAdmin: isAdmin(caller) };
        const expiresAt = new Date(Date.now() + LIFETIME_MS);
        await store.insertExport(trx, { id, ...owner, folderId: caller.folderId ?? null, format, filter, expiresAt });
        // A list of events takes a moment, images and clips take minutes.
        const urgent = formatOf(format).maxEvents === undefined;
        await jobs.send(trx, writeExport, { exportId: id }, { orgId: caller.orgId, urgent });
        return (await store.findExport(trx, id))!;
      });
      return toStatus(row, caller);
    },

    async startRecap(trx, { orgId, userId: ownerId }, events) {
      const id = newId();
      const expiresAt = new Date(Date.now() + LIFETIME_MS);
      const filter = { events: events.map(({ analysisId, position }) => ({ analysisId, position })) };
      const row = { id, orgId, ownerId, asAdmin: false, folderId: null, format: 'recap' as const, filter, expiresAt };
      await store.insertExport(trx, row);
      await jobs.send(trx, writeExport, { exportId: id }, { orgId });
      return id;
    },

    async findRecap(id) {
      const row = await store.findExport(db, id);
      return {
        isRunning: row?.status === 'processing',
        url: row ? toStatus(row, null, LIFETIME_MS).downloadUrl : null,
      };
    },

    get: async (caller, id) => toStatus(await requireOwn(caller, id), caller),

    async list(caller, page) {
      const read = (before: string | null, limit: number) => store.listExports(db, caller, { before, limit });
      const { rows, ...next } = await readIdPage(page, read, ({ id }) => id);
      return { exports: rows.map((row) => toStatus(row, caller)), ...next };
    },

    async remove(caller, id) {
      await requireOwn(caller, id);
      await database.transaction(async (trx) => {
        await store.deleteExport(trx, id);
        await jobs.send(trx, deleteExportFiles, { exportIds: [id] });
      });
    },

    async open(id, token) {
      if ((await urlTokens.verify(PURPOSE, id, token)) !== 'ok') throw problems.export_token_invalid();
      const row = await store.findExport(db, id);
      const stat = row?.status === 'completed' ? await storage.stat(toFileKey(id)) : null;
      if (!row || !stat) throw problems.export_not_found();
      const { contentType } = formatOf(row.format);
      return { ...stat, etag: id, contentType, open: (range) => storage.read(toFileKey(id), range) };
    },

    async purge() {
      return database.transaction(async (trx) => {
        const exportIds = await store.deleteExpired(trx);
        if (exportIds.length > 0) await jobs.send(trx, deleteExportFiles, { exportIds });
        return exportIds.length;
      });
    },

    registerJobs() {
      jobs.handle(writeExport, ({ exportId }, { signal }) => writeExportFile(deps, exportId, signal));
      jobs.handle(failExport, async ({ exportId }) => {
        await store.endExport(db, exportId, { status: 'failed', problemCode: 'export_failed' });
      });
      jobs.handle(deleteExportFiles, async ({ exportIds }) => {
        for (const id of exportIds) await storage.remove(toFileKey(id));
      });
    },
  };
}
