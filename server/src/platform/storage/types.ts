import type { Readable } from 'node:stream';

/**
 * Stores files on the local disk or in S3; one conformance test covers both. Keys are `/`-separated paths of
 * `[A-Za-z0-9._-]` segments. They are always generated here, never taken from users.
 */
export interface Storage {
  readonly kind: 'file' | 's3';
  /**
   * Writes `body` under `key` atomically: readers see the complete new object or the previous one. On abort a stream is
   * destroyed; other iterables must end themselves when `signal` aborts. Memory use is constant. Throws
   * `file_too_large` (413) past `maxBytes` and `storage_full` (507) on a full disk.
   */
  write(key: string, body: AsyncIterable<Uint8Array> | Uint8Array, options?: WriteOptions): Promise<StoredFile>;
  /**
   * Appends a stream to the unfinished object `key`, starting where `draft` ends. Any process can continue. Calls
   * `onCheckpoint` with the durable state about every 16 MiB and at the end, also if the stream fails; bytes after the
   * last accepted checkpoint are dropped. One caller at a time. `EMPTY_OBJECT` starts a new object. Throws
   * `file_not_found` if the unfinished object does not exist.
   */
  append(key: string, draft: PartialObject, body: AsyncIterable<Buffer>, options: AppendOptions): Promise<void>;
  /** Turns the unfinished object into the object `key`. Idempotent. `removeAll` deletes one that is never completed. */
  complete(key: string, draft: PartialObject): Promise<void>;
  /** Streams bytes `start` to `end`, both inclusive as in HTTP ranges. Throws `file_not_found`. */
  read(key: string, options?: { start?: number; end?: number; signal?: AbortSignal }): Promise<Readable>;
  /** Reads a small object into memory. */
  readAll(key: string, signal?: AbortSignal): Promise<Buffer>;
  stat(key: string): Promise<{ size: number; modified: Date } | null>;
  /** Deletes the object. A missing object is not an error. */
  remove(key: string): Promise<void>;
  /**
   * Deletes all objects whose key starts with `prefix` (which ends in `/`), and unfinished ones. A concurrent write
   * below the prefix either fails or recreates its object.
   */
  removeAll(prefix: string): Promise<void>;
  /** Lists the objects below a prefix that ends in `/`; all objects for an empty one. */
  list(prefix: string): AsyncIterable<{ key: string; size: number; modified: Date }>;
  /**
   * Local path of the object, for programs that need one. For S3 it is a copy in a size-limited cache, held until the
   * result is disposed: `await using file = await storage.local(key)`.
   */
  local(key: string, signal?: AbortSignal): Promise<LocalFile>;
  /** URL from which clients can GET the object directly; null if the storage has no such URLs (local disk). */
  presignedUrl(
    key: string,
    options: { expiresIn: number; contentType?: string; filename?: string },
  ): Promise<string | null>;
  /** Creates an empty folder on a local disk, deleted on disposal, or at the next start after a crash. */
  scratch(): Promise<LocalFile>;
  /** Uploads from clients directly to the bucket; null for the local disk. */
  readonly direct: DirectUploads | null;
  close(): Promise<void>;
}

/** The part of `Storage` that each implementation provides. */
export type StorageBackend = Omit<Storage, 'scratch'>;

/** One part of a multipart upload. Numbers start at 1, sizes are in bytes. */
export type UploadPart = { number: number; size: number };

/**
 * Multipart uploads from clients directly to the bucket. They are completed by `Storage.complete` with
 * `{ size, multipart: { id, etags, tail: 0 } }`.
 */
export interface DirectUploads {
  /** Size of all parts but the last, for an upload of `bytes`. */
  partBytes(bytes: number): number;
  /** Starts an upload of the object `key` and returns its id. `removeAll` aborts one that is never completed. */
  create(key: string): Promise<string>;
  /** Presigned URL for a PUT of this part, with exactly this size. */
  presignPart(key: string, id: string, part: UploadPart, expiresInS: number): Promise<string>;
  /** Uploaded parts, ordered by number; null if the upload was completed or aborted. */
  listParts(key: string, id: string): Promise<(UploadPart & { etag: string })[] | null>;
}

export type WriteOptions = { signal?: AbortSignal; maxBytes?: number; contentType?: string };
/** State of an unfinished object between two appends. Callers store it as JSON. */
export type PartialObject = {
  readonly size: number;
  /** S3 only: the multipart upload. `tail` is the number of last bytes, too few for a part, in a separate object. */
  readonly multipart?: { readonly id: string; readonly etags: readonly string[]; readonly tail: number };
};
export type AppendOptions = {
  onCheckpoint(draft: PartialObject): Promise<void>;
  /** Maximum size of the complete object. */
  maxBytes: number;
};
export type StoredFile = { size: number; sha256: string };
export type LocalFile = { path: string } & AsyncDisposable;
