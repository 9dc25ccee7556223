import type { Readable } from 'node:stream';
import type { FolderScope, Folders } from '#features/folders/index';
import {
  type Integrations,
  integrationProblems,
  lockBucket,
  type ObjectFacts,
  objectIdOf,
  providerOf,
} from '#features/integrations/index';
import type { Transaction } from '#platform/db/index';
import { type Caller, httpProblems, reaches } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import { Problem } from '#platform/problem';
import type { Secrets } from '#platform/secrets/index';
import { storageProblems } from '#platform/storage/index';
import * as importStore from './import-store.ts';
import { processRecording, transferRecording } from './jobs.ts';
import { createRecordingKind } from './kind.ts';
import { camerasOf, createLife, isEnded, type LifeDeps, newFile } from './life.ts';
import { problems } from './problems.ts';
import { assignRoles, withLabels } from './roles.ts';
import * as store from './store.ts';
import type { FilmRow, Ingest, Roles } from './types.ts';
import { createWorker, type WorkerDeps } from './worker.ts';

export type McapDeps = Omit<WorkerDeps, 'life'> &
  LifeDeps & {
    folders: Pick<Folders, 'requireWritable'>;
    integrations: Pick<Integrations, 'use' | 'hold' | 'open'>;
    jobs: Pick<Jobs, 'sendMany'>;
    secrets: Secrets;
    /** Address that clients reach the API under. */
    publicUrl: string;
  };

export type NewIngest = {
  filename: string;
  sizeBytes: number;
  sha256: string | null;
  folderId: string | null;
  scope: FolderScope | null;
  partS: number | null;
};

export type NewImport = Pick<NewIngest, 'folderId' | 'scope' | 'partS'> & {
  integrationId: string;
  files: readonly { key: string; filename: string | null }[];
  /** Whether objects that were imported already are imported again. */
  force: boolean;
};

/** An ingest with its videos and the roles of its channels. */
export type Recording = { ingest: Ingest; films: FilmRow[] };
/** `ingests`: those of files that were skipped are of earlier imports. */
export type ImportState = Pick<importStore.Import, 'id' | 'createdAt' | 'skipped'> & {
  ingests: Ingest[];
  videos: Map<string, string[]>;
};

/** Every caller's question throws `mcap_ingest_not_found` (404) or `mcap_forbidden` (403). */
export interface Mcap {
  /** Makes an ingest whose file is then PUT to `uploadUrl`. Throws `file_too_large` (413), `quota_exceeded` (403), or what the folder's room says of the folder. */
  create(caller: Caller, ingest: NewIngest): Promise<{ ingest: Ingest; uploadUrl: string }>;
  /** Takes the file. Throws `mcap_url_invalid` (403), `mcap_already_uploaded` (409), `mcap_expired` (410), `mcap_size_mismatch` or `mcap_digest_mismatch` (400). */
  receive(ingestId: string, token: string, body: Readable, length: number | null, gone: AbortSignal): Promise<void>;
  /** Has videos made of it; once it has begun, the same as `stitch`. Throws `mcap_not_uploaded` (409), or what `stitch` throws. */
  process(caller: Caller, ingestId: string, roles: Roles): Promise<Recording>;
  get(caller: Caller, ingestId: string): Promise<Recording>;
  /** Gives channels other roles. Throws `mcap_channel_unknown`, `mcap_role_invalid` or `mcap_role_repeated` (400). */
  stitch(caller: Caller, ingestId: string, roles: Roles): Promise<Recording>;
  /** Brings recordings from a bucket. Throws `mcap_files_repeated` (400), or what the integrations' room says. */
  import(caller: Caller, wanted: NewImport): Promise<ImportState>;
  /** Throws `mcap_import_not_found` (404) or `mcap_forbidden` (403). */
  getImport(caller: Caller, importId: string): Promise<ImportState>;
  /** News: an integration goes, or leads elsewhere. Throws `integration_in_use` (409) while recordings come by it. `compose.ts` subscribes it. */
  keepIntegration(trx: Transaction, news: { integrationId: string }): Promise<void>;
  /** What recordings are to those who import objects of all kinds. */
  kind: ReturnType<typeof createRecordingKind>;
  /** Registers the handlers of this room's jobs. */
  work(): void;
}

const PURPOSE = 'mcap-upload';
const URL_MS = 24 * 3600 * 1000;
/** How long, and how many at once, files of an import are looked up in their bucket before the answer. */
const STATS_MS = 20_000;
const STATS_AT_ONCE = 16;

export function createMcapService(deps: McapDeps): Mcap {
  const { database, storage, videos, folders, integrations, jobs, secrets, publicUrl, maxBytes } = deps;
  const { db } = database;
  const life = createLife(deps);
  const worker = createWorker({ ...deps, life });

  function requireSeen(
    caller: Caller,
    of: { orgId: string; ownerId: string; scope?: FolderScope; folderId?: string | null },
  ) {
    const sees = of.scope === 'org' || of.ownerId === caller.userId || caller.scopes.includes('admin');
    if (of.orgId !== caller.orgId || !sees) throw problems.mcap_forbidden();
    if (!reaches(caller, of.folderId ?? null)) throw httpProblems.key_limited();
  }

  async function require(caller: Caller, id: string): Promise<Ingest> {
    const ingest = await store.find(db, id);
    if (!ingest) throw problems.mcap_ingest_not_found();
    requireSeen(caller, ingest);
    return ingest;
  }

  async function placeOf(caller: Caller, asked: string | null, scope: FolderScope | null) {
    // A key that is limited to a folder has what it brings land there.
    const folderId = asked ?? caller.folderId ?? null;
    const folder = folderId === null ? null : await folders.requireWritable(caller, folderId);
    if (folder && scope && scope !== folder.scope) throw problems.mcap_scope_conflict();
    return { orgId: caller.orgId, ownerId: caller.userId, folderId, scope: folder?.scope ?? scope ?? 'user' };
  }

  const recordingOf = async (ingest: Ingest): Promise<Recording> => ({
    ingest,
    films: await store.films(db, ingest.id),
  });

  /** What the bucket says of these files at once; of one that it says nothing of, its transfer reports why. */
  async function factsOf(integrationId: string, files: NewImport['files']): Promise<Map<string, ObjectFacts>> {
    const opened = await integrations.open(integrationId);
    if (!opened) throw integrationProblems.integration_not_found();
    const signal = AbortSignal.timeout(STATS_MS);
    const facts = new Map<string, ObjectFacts>();
    const waiting = files.values();
    const ask = async () => {
      for (const { key } of waiting) {
        const found = await opened.bucket.stat(key, signal).catch(() => null);
        if (found) facts.set(key, found);
      }
    };
    await Promise.all(Array.from({ length: STATS_AT_ONCE }, ask)).finally(() => opened.bucket.close());
    return facts;
  }

  /** The file is not waited for any more. */
  const notAwaited = (ingest: Ingest | null) =>
    ingest?.status === 'failed' ? problems.mcap_expired() : problems.mcap_already_uploaded();

  const mcap: Mcap = {
    async create(caller, { filename, sizeBytes, sha256, partS, ...place }) {
      if (sizeBytes > maxBytes) throw storageProblems.file_too_large();
      const id = newId();
      const ingest = {
        ...(await placeOf(caller, place.folderId, place.scope)),
        ...{ id, importId: null, objectKey: null, objectId: null, objectVersion: null, filename },
        ...{ sourceUri: `mcap://${id}/${encodeURIComponent(filename)}` },
        ...{ sizeBytes, reservedBytes: sizeBytes, sha256, partS, status: 'created' as const },
      };
      await database.transaction(async (trx) => {
        await store.insert(trx, [ingest]);
        await videos.holdSpace(trx, caller.orgId, sizeBytes);
      });
      const token = secrets.sign(PURPOSE, id, new Date(Date.now() + URL_MS));
      return {
        ingest: (await store.find(db, id))!,
        uploadUrl: `${publicUrl}/api/mcap/${id}/file?token=${token}`,
      };
    },

    async receive(ingestId, token, body, length, gone) {
      if (secrets.verify(PURPOSE, ingestId, token) !== 'ok') throw problems.mcap_url_invalid();
      const ingest = await store.find(db, ingestId);
      if (!ingest) throw problems.mcap_ingest_not_found();
      if (ingest.status !== 'created') throw notAwaited(ingest);
      const wrongSize = (bytes: number) =>
        problems.mcap_size_mismatch(`${ingest.sizeBytes} bytes were announced, and ${bytes} came.`);
      if (length !== null && length !== ingest.sizeBytes) throw wrongSize(length);
      // A name of its own: of two that come at once, one is kept.
      const storageKey = newFile(ingestId);
      try {
        const { size, sha256 } = await storage.write(storageKey, body, { signal: gone, maxBytes: ingest.sizeBytes! });
        if (size !== ingest.sizeBytes) throw wrongSize(size);
        if (ingest.sha256 !== null && sha256 !== ingest.sha256) throw problems.mcap_digest_mismatch();
        if (!(await store.arrived(db, ingestId, 'created', { storageKey, sizeBytes: size, sha256 }))) {
          throw notAwaited(await store.find(db, ingestId));
        }
      } catch (error) {
        await storage.remove(storageKey);
        if (error instanceof Problem && error.code === 'file_too_large') throw wrongSize(ingest.sizeBytes! + 1);
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
        await store.setRoles(trx, ingestId, withLabels(roles, locked.roles));
        await store.setStatus(trx, ingestId, 'processing');
        await jobs.send(trx, processRecording, { ingestId }, { orgId: locked.orgId });
      });
      return mcap.get(caller, ingestId);
    },

    get: async (caller, ingestId) => recordingOf(await require(caller, ingestId)),

    async stitch(caller, ingestId, said) {
      await require(caller, ingestId);
      await database.transaction(async (trx) => {
        const ingest = (await store.lock(trx, ingestId))!;
        const cameras = camerasOf(ingest);
        const roles = withLabels(said, ingest.roles);
        if (cameras) assignRoles(cameras, roles);
        await store.setRoles(trx, ingestId, roles);
        await store.forgetRolesProblem(trx, ingestId);
        if (isEnded(ingest) && ingest.status !== 'failed') await life.publishViews(trx, { ...ingest, roles });
      });
      return mcap.get(caller, ingestId);
    },

    async import(caller, { integrationId, files, folderId, scope, partS, force }) {
      if (new Set(files.map(({ key }) => key)).size < files.length) throw problems.mcap_files_repeated();
      const integration = await integrations.use(caller, integrationId);
      const owner = await placeOf(caller, folderId, scope);
      const { type, bucket, endpointUrl } = integration;
      const place = { orgId: caller.orgId, provider: providerOf(type), endpoint: endpointUrl ?? '', bucket };
      const facts = force ? new Map<string, ObjectFacts>() : await factsOf(integrationId, files);
      const importId = newId();
      const wanted = files.map(({ key, filename }) => {
        const { version, size } = facts.get(key) ?? { version: null, size: null };
        return {
          ...{ ...owner, id: newId(), importId, objectKey: key, objectId: objectIdOf(place, key) },
          ...{ objectVersion: version || null, partS, sizeBytes: null, reservedBytes: 0, sha256: null },
          filename: (filename || key.split('/').at(-1) || key).slice(0, 255),
          sourceUri: `${SCHEMES[type]}://${bucket}/${key}`,
          status: 'transferring' as const,
          object: { objectId: objectIdOf(place, key), version: version || null, sizeBytes: size },
        };
      });
      await database.transaction(async (trx) => {
        if (!(await integrations.hold(trx, integrationId))) throw integrationProblems.integration_not_found();
        if (!force) await lockBucket(trx, place);
        const objects = wanted.filter(({ object }) => object.version !== null).map(({ object }) => object);
        const known = force ? new Map<string, string>() : await importStore.knownIngests(trx, owner, objects);
        const skipped = wanted.flatMap(({ objectKey: key, objectId }) =>
          known.has(objectId) ? [{ key, ingestId: known.get(objectId)! }] : [],
        );
        const fresh = wanted.filter(({ objectId }) => !known.has(objectId));
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

    async keepIntegration(trx, { integrationId }) {
      if (await importStore.isTransferring(trx, integrationId)) throw integrationProblems.integration_in_use();
    },

    async getImport(caller, importId) {
      const found = await importStore.findImport(db, importId);
      if (!found) throw problems.mcap_import_not_found();
      const { skipped, createdAt } = found;
      const ingests = await importStore.ofImport(db, importId, skipped);
      const own = ingests.find((ingest) => ingest.importId === importId);
      requireSeen(caller, { ...found, scope: own?.scope, folderId: own?.folderId });
      const videos = await store.videosOf(
        db,
        ingests.map(({ id }) => id),
      );
      return { id: importId, createdAt, skipped, ingests, videos };
    },

    kind: createRecordingKind({ ...deps, life }),
    work: worker.work,
  };
  return mcap;
}

const SCHEMES = { s3: 's3', s3_storage_transfer: 's3', gcs: 'gs', hf_bucket: 'hf' } as const;
