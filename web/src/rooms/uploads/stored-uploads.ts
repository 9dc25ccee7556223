import type { UploadItem } from './upload-types.ts';

/** The part of an upload that is needed to resume it after a reload of the page. */
export type StoredUpload = Pick<
  UploadItem,
  'id' | 'name' | 'size' | 'lastModified' | 'folderId' | 'scope' | 'url' | 'handle' | 'sent' | 'sidecar' | 'creationKey'
>;

const STORE = 'uploads';

/** Unfinished uploads in the browser's database. Without one, such as in a private window, nothing is stored. */
function openStore(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('sightline', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

let database: Promise<IDBDatabase> | undefined;

async function run<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | null> {
  try {
    database ??= openStore();
    const request = use((await database).transaction(STORE, mode).objectStore(STORE));
    return await new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch {
    return null;
  }
}

export function storeUpload(item: UploadItem) {
  const { id, name, size, lastModified, folderId, scope, url, handle, sent, sidecar, creationKey } = item;
  const stored: StoredUpload = {
    id,
    name,
    size,
    lastModified,
    folderId,
    scope,
    url,
    handle,
    sent,
    sidecar,
    creationKey,
  };
  return run('readwrite', (store) => store.put(stored));
}

export const forgetUpload = (id: string) => run('readwrite', (store) => store.delete(id));

export const storedUploads = async (): Promise<StoredUpload[]> =>
  (await run<StoredUpload[]>('readonly', (store) => store.getAll())) ?? [];
