import { createHash } from 'node:crypto';
import type { EpisodeGroup } from '#engine/robot-logs/index';
import type { FolderScope } from '#features/folders/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Storage, StoredFile } from '#platform/storage/index';
import { type Lifecycle, newStorageKey, toFileKey, toStorageFolder } from '../lifecycle.ts';
import * as store from '../store.ts';
import { findKnownIngests } from './store.ts';

/** An object of an import; its id becomes that of the ingest. */
type SourceObject = {
  id: string;
  name: string | null;
  key: string;
  /** Episodes of a dataset: only that format has content. */
  content: { files: string[] } | null;
  uri: string;
  objectId: string;
  version: string | null;
  sizeBytes: number | null;
  job: { orgId: string; ownerId: string; scope: FolderScope; folderId: string | null };
};
type ObjectReader = { read(key: string): AsyncIterable<Buffer> };
type Stored = { storageKey: string; file: StoredFile };

export type KindDeps = { database: Database; storage: Storage; life: Lifecycle; maxBytes: number };

/**
 * Handles recordings for imports of objects of any kind: each becomes an ingest, which is processed after its transfer.
 */
export function createRecordingKind({ database, storage, life, maxBytes }: KindDeps) {
  const { db } = database;

  /** Stores the files of a dataset; their digest is that of the digests of all of them. */
  async function storeFiles(storageKey: string, keys: readonly string[], source: ObjectReader, signal: AbortSignal) {
    const digest = createHash('sha256');
    let size = 0;
    for (const [i, key] of keys.entries()) {
      const file = await storage.write(toFileKey(storageKey, i), source.read(key), { signal, maxBytes });
      digest.update(file.sha256);
      size += file.size;
    }
    return { size, sha256: digest.digest('hex') };
  }

  return {
    name: 'recording',
    extensions: ['.mcap', '.lerobot'],

    async getRecordState(id: string) {
      const ingest = await store.find(db, id);
      if (!ingest) return null;
      return ingest.status === 'failed' ? 'failed' : 'pending';
    },

    findExisting: findKnownIngests,

    async createRecords(trx: Transaction, objects: readonly SourceObject[]) {
      const ingests = objects.map(({ id, name, key, content, uri, objectId, version, sizeBytes, job }) => {
        const { orgId, ownerId, scope, folderId } = job;
        const filename = (name ?? key.slice(key.lastIndexOf('/') + 1)).slice(0, 255);
        const object = { objectKey: key, objectId, objectVersion: version };
        const file = { ...object, filename, sourceUri: uri, importId: null, sizeBytes, sha256: null, chunkSizeS: null };
        const status = 'transferring' as const;
        return {
          id,
          orgId,
          ownerId,
          scope,
          folderId,
          ...file,
          reservedBytes: 0,
          status,
          episodes: content as EpisodeGroup | null,
        };
      });
      await store.insert(trx, ingests);
      for (const { id, sizeBytes } of objects) await life.hold(trx, id, sizeBytes ?? 0);
    },

    async store({ id, key, content }: SourceObject, source: ObjectReader, signal: AbortSignal): Promise<Stored> {
      const storageKey = newStorageKey(id);
      if (content) return { storageKey, file: await storeFiles(storageKey, content.files, source, signal) };
      return { storageKey, file: await storage.write(storageKey, source.read(key), { signal, maxBytes }) };
    },

    async markReady(trx: Transaction, objects: readonly { id: string; stored: Stored }[]) {
      for (const { id, stored } of objects) {
        await life.hold(trx, id, stored.file.size);
        if (!(await life.startProcessing(trx, id, stored.storageKey, stored.file))) return false;
      }
      return true;
    },

    markFailed: (trx: Transaction, id: string, problem: { code: string; message: string }) =>
      life.end(trx, id, 'failed', problem, ['transferring']),

    async discard(id: string) {
      await storage.removeAll(toStorageFolder(id));
      await store.removeFailed(db, id);
    },

    countProcessing: (ids: readonly string[]) => store.countProcessing(db, ids),
    listVideos: (ids: readonly string[]) => store.listVideoIds(db, ids),
  } as const;
}
