import type { Readable } from 'node:stream';
import type { FolderScope, Folders } from '#features/folders/index';
import {
  type Integrations,
  integrationProblems,
  lockBucket,
  type ObjectInfo,
  toObjectId,
  toProvider,
} from '#features/integrations/index';
import type { UrlTokens } from '#features/keys/index';
import type { Videos } from '#features/videos/index';
import { canRead, reaches } from '#platform/access/index';
import type { Transaction } from '#platform/db/index';
import { type Caller, httpProblems, type IdPage, readIdPage } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import { Problem } from '#platform/problem';
import { storageProblems } from '#platform/storage/index';
import * as importStore from './imports/index.ts';
import { createDirectoryFormats, createRecordingKind } from './imports/index.ts';
import { createJobHandlers, type JobHandlerDeps } from './job-handlers.ts';
import { processRecording, transferRecording } from './jobs.ts';
import { createLifecycle, isEnded, type LifecycleDeps, listCameras, newStorageKey } from './lifecycle.ts';
import { problems } from './problems.ts';
import * as store from './store.ts';
import { createTrajectories, type Trajectories } from './trajectories/index.ts';
import type { ChannelRoles, ChannelVideo, McapIngest } from './types.ts';
import { assignRoles, mergeLabels } from './views/index.ts';

export type McapDeps = Omit<JobHandlerDeps, 'life' | 'trajectories'> &
  LifecycleDeps & {
    folders: Pick<Folders, 'requireWritable'>;
    integrations: Pick<Integrations, 'requireUsable' | 'hold' | 'open'>;
    jobs: Pick<Jobs, 'sendMany'>;
    videos: Pick<Videos, 'get'>;
    urlTokens: UrlTokens;
    /** Public address of the API. */
    publicUrl: string;
  };

export type NewIngest = {
  filename: string;
  sizeBytes: number;
  sha256: string | null;
  folderId: string | null;
  scope: FolderScope | null;
  chunkSizeS: number | null;
};

export type NewImport = Pick<NewIngest, 'folderId' | 'scope' | 'chunkSizeS'> & {
  integrationId: string;
  files: readonly { key: string; filename: string | null }[];
  /** True to import objects again that were imported before. */
  force: boolean;
};

/** An ingest with its videos and the roles of its channels. */
export type IngestWithVideos = { ingest: McapIngest; videos: ChannelVideo[] };
/** `ingests`: those of files that were skipped are of earlier imports. */
export type ImportWithIngests = Pick<importStore.McapImport, 'id' | 'createdAt' | 'skipped'> & {
  ingests: McapIngest[];
  videos: Map<string, string[]>;
};

/** Calls for an ingest throw `mcap_ingest_not_found` (404) or `mcap_forbidden` (403). */
export interface Mcap {
  /**
   * Creates an ingest for an upload to `uploadUrl`. Throws `file_too_large` (413), `quota_exceeded` (403) or a folder's
   * problem.
   */
  create(caller: Caller, ingest: NewIngest): Promise<{ ingest: McapIngest; uploadUrl: string }>;
  /**
   * Stores the file. Throws `mcap_url_invalid` (403), `mcap_already_uploaded` (409), `mcap_expired` (410),
   * `mcap_size_mismatch` or `mcap_digest_mismatch` (400).
   */
  receive(ingestId: string, token: string, body: Readable, length: number | null, signal: AbortSignal): Promise<void>;
  /** Starts processing; afterwards the same as `stitch`. Throws `mcap_not_uploaded` (409) or what `stitch` throws. */
  process(caller: Caller, ingestId: string, roles: ChannelRoles): Promise<IngestWithVideos>;
  get(caller: Caller, ingestId: string): Promise<IngestWithVideos>;
  /** Ingests that the caller may read, newest first, without their videos. Throws `cursor_invalid` (400). */
  list(
    caller: Caller,
    page: IdPage,
  ): Promise<{ ingests: store.ListedIngest[]; hasMore: boolean; nextCursor: string | null }>;
  /** Sets the roles of channels. Throws `mcap_channel_unknown`, `mcap_role_invalid` or `mcap_role_repeated` (400). */
  stitch(caller: Caller, ingestId: string, roles: ChannelRoles): Promise<IngestWithVideos>;
  /** Imports recordings from a bucket. Throws `mcap_files_repeated` (400) or a problem of the integration. */
  import(caller: Caller, request: NewImport): Promise<ImportWithIngests>;
  /** Throws `mcap_import_not_found` (404) or `mcap_forbidden` (403). */
  getImport(caller: Caller, importId: string): Promise<ImportWithIngests>;
  /**
   * Handles the deletion or a change of an integration. Throws `integration_in_use` (409) while it transfers
   * recordings.
   */
  checkIntegrationUnused(trx: Transaction, integration: { integrationId: string }): Promise<void>;
  /** Joints and poses that recordings measured during their videos. */
  trajectories: Pick<Trajectories, 'get'>;
  /** Handler of recordings for imports of objects of any kind. */
  kind: ReturnType<typeof createRecordingKind>;
  /** Formats of recordings that are imported by directory. */
  formats: ReturnType<typeof createDirectoryFormats>;
  /** Registers the handlers of this room's jobs. */
  registerJobs(): void;
}

const PURPOSE = 'mcap-upload';
const URL_TTL_MS = 24 * 3600 * 1000;
/** Timeout and concurrency of reading the versions of an import's objects. */
const STAT_TIMEOUT_MS = 20_000;
const STAT_CONCURRENCY = 16;

export function createMcapService(deps: McapDeps): Mcap {
  const { database, storage, videos, folders, integrations, jobs, urlTokens, publicUrl, maxBytes } = deps;
  const { db } = database;
  const life = createLifecycle(deps);
  const trajectories = createTrajectories({ storage, videos });
  const worker = createJobHandlers({ ...deps, life, trajectories });

  function requireSeen(
    caller: Caller,
    of: { orgId: string; ownerId: string; scope?: FolderScope; folderId?: string | null },
  ) {
    if (!canRead(caller, of)) throw problems.mcap_forbidden();
    if (!reaches(caller, of.folderId)) throw httpProblems.key_limited();
  }

  async function require(caller: Caller, id: string): Promise<McapIngest> {
    const ingest = await store.find(db, id);
    if (!ingest) throw problems.mcap_ingest_not_found();
    requireSeen(caller, ingest);
    return ingest;
  }

  async function resolveDestination(caller: Caller, stated: string | null, scope: FolderScope | null) {
    // A key that is limited to a folder uploads to it.
    const folderId = stated ?? caller.folderId ?? null;
    const folder = folderId === null ? null : await folders.requireWritable(caller, folderId);
    if (folder && scope && scope !== folder.scope) throw problems.mcap_scope_conflict();
    return { orgId: caller.orgId, ownerId: caller.userId, folderId, scope: folder?.scope ?? scope ?? 'user' };
  }

  const withVideos = async (ingest: McapIngest): Promise<IngestWithVideos> => ({
    ingest,
    videos: await store.listVideos(db, ingest.id),
  });

  /** Reads the versions of these files from their bucket. Missing ones are reported by their transfer. */
  async function readVersions(integrationId: string, files: NewImport['files']): Promise<Map<string, ObjectInfo>> {
    const opened = await integrations.open(integrationId);
    if (!opened) throw integrationProblems.integration_not_found();
    const signal = AbortSignal.timeout(STAT_TIMEOUT_MS);
    const versions = new Map<string, ObjectInfo>();
    const remaining = files.values();
    const runReads = async () => {
      for (const { key } of remaining) {
        const found = await opened.bucket.stat(key, signal).catch(() => null);
        if (found) versions.set(key, found);
      }
    };
    await Promise.all(Array.from({ length: STAT_CONCURRENCY }, runReads)).finally(() => opened.bucket.close());
    return versions;
  }

  /** Error for an upload to an ingest that does not wait for its file. */
  const notExpected = (ingest: McapIngest | null) =>
    ingest?.status === 'failed' ? problems.mcap_expired() : problems.mcap_already_uploaded();

  const mcap: Mcap = {
    async create(caller, { filename, sizeBytes, sha256, chunkSizeS, ...place }) {
      if (sizeBytes > maxBytes) throw storageProblems.file_too_large();
      const id = newId();
      const ingest = {
        ...(await resolveDestination(caller, place.folderId, place.scope)),
        id,
        importId: null,
        objectKey: null,
        objectId: null,
        objectVersion: null,
        filename,
        sourceUri: `mcap://${id}/${encodeURIComponent(filename)}`,
        sizeBytes,
        reservedBytes: sizeBytes,
        sha256,
        chunkSizeS,
        status: 'created' as const,
      };
      await database.transaction(async (trx) => {
        await store.insert(trx, [ingest]);
        await videos.reserveSpace(trx, caller.orgId, sizeBytes);
      });
      const token = urlTokens.sign(PURPOSE, id, new Date(Date.now() + URL_TTL_MS), caller);
      return {
        ingest: (await store.find(db, id))!,
        uploadUrl: `${publicUrl}/api/mcap/${id}/file?token=${token}`,
      };
    },

    async receive(ingestId, token, body, length, signal) {
      if ((await urlTokens.verify(PURPOSE, ingestId, token)) !== 'ok') throw problems.mcap_url_invalid();
      const ingest = await store.find(db, ingestId);
      if (!ingest) throw problems.mcap_ingest_not_found();
      if (ingest.status !== 'created') throw notExpected(ingest);
      const wrongSize = (size: string) =>
        problems.mcap_size_mismatch(`The file has ${size} bytes, but \`size_bytes\` states ${ingest.sizeBytes}.`);
      if (length !== null && length !== ingest.sizeBytes) throw wrongSize(String(length));
      const storageKey = newStorageKey(ingestId);
      try {
        const { size, sha256 } = await storage.write(storageKey, body, { signal, maxBytes: ingest.sizeBytes! });
        if (size !== ingest.sizeBytes) throw wrongSize(String(size));
        if (ingest.sha256 !== null && sha256 !== ingest.sha256) throw problems.mcap_digest_mismatch();
        if (!(await store.markUploaded(db, ingestId, 'created', { storageKey, sizeBytes: size, sha256 }))) {
          throw notExpected(await store.find(db, ingestId));
        }
      } catch (error) {
        await storage.remove(storageKey);
        if (error instanceof Problem && error.code === 'file_too_large') throw wrongSize('more');
        throw error;
      }
    },

    async process(caller, ingestId, roles) {
      const { status } = await require(caller, ingestId);
      if (status === 'created' || status === 'transferring') throw problems.mcap_not_uploaded();
      if (status !== 'uploaded') return mcap.stitch(caller, ingestId, roles);
      await database.transaction(async (trx) => {
        const locked = await store.lock(trx, ingestId);
        if (locked?.status !== 'uploaded') return;
        await store.setRoles(trx, ingestId, mergeLabels(roles, locked.roles));
        await store.setStatus(trx, ingestId, 'processing');
        await jobs.send(trx, processRecording, { ingestId }, { orgId: locked.orgId });
      });
      return mcap.get(caller, ingestId);
    },

    get: async (caller, ingestId) => withVideos(await require(caller, ingestId)),

    async list(caller, page) {
      const read = (before: string | null, limit: number) => store.listReadable(database.db, { caller, before, limit });
      const { rows, ...next } = await readIdPage(page, read, ({ mcapIngestId }) => mcapIngestId);
      return { ingests: rows, ...next };
    },

    async stitch(caller, ingestId, stated) {
      await require(caller, ingestId);
      await database.transaction(async (trx) => {
        const ingest = (await store.lock(trx, ingestId))!;
        const cameras = listCameras(ingest);
        const roles = mergeLabels(stated, ingest.roles);
        if (cameras) assignRoles(cameras, roles);
        await store.setRoles(trx, ingestId, roles);
        await store.clearRolesProblem(trx, ingestId);
        if (isEnded(ingest) && ingest.status !== 'failed') await life.publishViews(trx, { ...ingest, roles });
      });
      return mcap.get(caller, ingestId);
    },

    async import(caller, { integrationId, files, folderId, scope, chunkSizeS, force }) {
      if (new Set(files.map(({ key }) => key)).size < files.length) throw problems.mcap_files_repeated();
      const integration = await integrations.requireUsable(caller, integrationId);
      const owner = await resolveDestination(caller, folderId, scope);
      const { type, bucket, endpointUrl } = integration;
      const place = { orgId: caller.orgId, provider: toProvider(type), endpoint: endpointUrl ?? '', bucket };
      const versions = force ? new Map<string, ObjectInfo>() : await readVersions(integrationId, files);
      const importId = newId();
      const ingests = files.map(({ key, filename }) => ({
        ...owner,
        id: newId(),
        importId,
        objectKey: key,
        objectId: toObjectId(place, key),
        objectVersion: versions.get(key)?.version || null,
        chunkSizeS,
        sizeBytes: null,
        reservedBytes: 0,
        sha256: null,
        filename: (filename || key.split('/').at(-1) || key).slice(0, 255),
        sourceUri: `${SCHEMES[type]}://${bucket}/${key}`,
        status: 'transferring' as const,
      }));
      await database.transaction(async (trx) => {
        if (!(await integrations.hold(trx, integrationId))) throw integrationProblems.integration_not_found();
        if (!force) await lockBucket(trx, place);
        const objects = ingests.flatMap(({ objectKey, objectId, objectVersion: version }) =>
          version === null ? [] : [{ objectId, version, sizeBytes: versions.get(objectKey)!.size }],
        );
        const known = force ? new Map<string, string>() : await importStore.findKnownIngests(trx, owner, objects);
        const skipped = ingests.flatMap(({ objectKey: key, objectId }) =>
          known.has(objectId) ? [{ key, ingestId: known.get(objectId)! }] : [],
        );
        const fresh = ingests.filter(({ objectId }) => !known.has(objectId));
        const by = { orgId: caller.orgId, ownerId: caller.userId };
        await importStore.insertImport(trx, { id: importId, ...by, integrationId, skipped });
        if (fresh.length === 0) return;
        await store.insert(trx, fresh);
        await jobs.sendMany(
          trx,
          transferRecording,
          fresh.map(({ id }) => ({ ingestId: id })),
          { orgId: caller.orgId },
        );
      });
      return mcap.getImport(caller, importId);
    },

    async checkIntegrationUnused(trx, { integrationId }) {
      if (await importStore.isTransferring(trx, integrationId)) throw integrationProblems.integration_in_use();
    },

    async getImport(caller, importId) {
      const found = await importStore.findImport(db, importId);
      if (!found) throw problems.mcap_import_not_found();
      const { skipped, createdAt } = found;
      const ingests = await importStore.listIngests(db, importId, skipped);
      const own = ingests.find((ingest) => ingest.importId === importId);
      requireSeen(caller, { ...found, scope: own?.scope, folderId: own?.folderId });
      const videos = await store.listVideoIds(
        db,
        ingests.map(({ id }) => id),
      );
      return { id: importId, createdAt, skipped, ingests, videos };
    },

    trajectories,
    kind: createRecordingKind({ ...deps, life }),
    formats: createDirectoryFormats(deps),
    registerJobs: worker.work,
  };
  return mcap;
}

const SCHEMES = { s3: 's3', s3_storage_transfer: 's3', gcs: 'gs', hf_bucket: 'hf' } as const;
