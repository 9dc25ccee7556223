import type { FolderScope } from '#features/folders/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Storage, StoredFile } from '#platform/storage/index';
import { knownIngests } from './import-store.ts';
import { folderOf, type Life, newFile } from './life.ts';
import * as store from './store.ts';

/** An object that somebody imports; its id becomes that of the ingest. */
type Arriving = {
  id: string;
  key: string;
  uri: string;
  objectId: string;
  version: string | null;
  sizeBytes: number | null;
  job: { orgId: string; ownerId: string; scope: FolderScope; folderId: string | null };
};
type Source = { bytes(key: string): AsyncIterable<Buffer> };
type Brought = { storageKey: string; file: StoredFile };

export type KindDeps = { database: Database; storage: Storage; life: Life; maxBytes: number };

/** Recordings among objects of all kinds, for the room that imports those: each becomes an ingest, processed as soon as it is here. */
export function createRecordingKind({ database, storage, life, maxBytes }: KindDeps) {
  const { db } = database;
  return {
    name: 'recording',
    extensions: ['.mcap'],

    async stateOf(id: string) {
      const ingest = await store.find(db, id);
      if (!ingest) return null;
      return ingest.status === 'failed' ? 'failed' : 'arriving';
    },

    known: knownIngests,

    async begin(trx: Transaction, objects: readonly Arriving[]) {
      const ingests = objects.map(({ id, key, uri, objectId, version, sizeBytes, job }) => {
        const { orgId, ownerId, scope, folderId } = job;
        const filename = key.slice(key.lastIndexOf('/') + 1).slice(0, 255);
        const object = { objectKey: key, objectId, objectVersion: version };
        const file = { ...object, filename, sourceUri: uri, importId: null, sizeBytes, sha256: null, partS: null };
        const status = 'transferring' as const;
        return { id, orgId, ownerId, scope, folderId, ...file, reservedBytes: 0, status };
      });
      await store.insert(trx, ingests);
      for (const { id, sizeBytes } of objects) await life.hold(trx, id, sizeBytes ?? 0);
    },

    async receive({ id, key }: Arriving, source: Source, signal: AbortSignal) {
      const storageKey = newFile(id);
      return { storageKey, file: await storage.write(storageKey, source.bytes(key), { signal, maxBytes }) };
    },

    async finish(trx: Transaction, received: readonly { id: string; brought: Brought }[]) {
      for (const { id, brought } of received) {
        await life.hold(trx, id, brought.file.size);
        if (!(await life.brought(trx, id, brought.storageKey, brought.file))) return false;
      }
      return true;
    },

    fail: (trx: Transaction, id: string, problem: { code: string; message: string }) =>
      life.end(trx, id, 'failed', problem, ['transferring']),

    async discard(id: string) {
      await storage.removeAll(folderOf(id));
      await store.removeFailed(db, id);
    },
  } as const;
}
