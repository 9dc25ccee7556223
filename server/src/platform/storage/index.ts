import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../config/index.ts';
import { openDisk } from './disk.ts';
import { openOwnFolder } from './own-folder.ts';
import { openS3 } from './s3.ts';
import { RESERVE_BYTES } from './space.ts';

export { problems as storageProblems } from './problems.ts';
export { createSpace } from './space.ts';

/**
 * Where files live: one small interface, local disk and S3 behind it, one conformance test for both.
 * Keys are `/`-separated paths of `[A-Za-z0-9._-]` segments, made by us, never by users.
 */
export interface Storage {
  readonly kind: 'file' | 's3';
  /**
   * Stores what is read under `key`, all or nothing: a reader sees the whole new object or what was there before. A stream is
   * destroyed when it is given up; another iterable ends by itself when `signal` aborts. Memory does not grow with the object.
   * Throws a Problem `file_too_large` (413) past `maxBytes` and `storage_full` (507) on a full disk.
   */
  write(key: string, body: AsyncIterable<Uint8Array> | Uint8Array, options?: WriteOptions): Promise<StoredFile>;
  /**
   * Grows what is to become the object `key` by a stream, from where `draft` ends: on any process, whatever became of those before.
   * `kept` is told what would survive a power cut, about every 16 MiB and at the end, also when the stream breaks; what came after
   * the last draft it took is forgotten. One caller at a time; an `EMPTY_DRAFT` begins. Throws `file_not_found` when the draft is gone.
   */
  append(key: string, draft: Draft, body: AsyncIterable<Buffer>, options: AppendOptions): Promise<void>;
  /** Makes the draft the object. Again is no error. `removeAll` removes a draft that is never completed. */
  complete(key: string, draft: Draft): Promise<void>;
  /** A stream of bytes `start`..`end` (both included, like HTTP ranges). Throws `file_not_found`. */
  read(key: string, options?: { start?: number; end?: number; signal?: AbortSignal }): Promise<Readable>;
  /** The whole of a small object. */
  readAll(key: string, signal?: AbortSignal): Promise<Buffer>;
  stat(key: string): Promise<{ size: number; modified: Date } | null>;
  /** Removes the object; one that is not there is no error. */
  remove(key: string): Promise<void>;
  /**
   * Removes every object whose key starts with `prefix` (which ends in `/`), and what is half written there: whoever writes it
   * then fails, or finishes with an object that is there again.
   */
  removeAll(prefix: string): Promise<void>;
  list(prefix: string): AsyncIterable<{ key: string; size: number; modified: Date }>;
  /**
   * A local path holding the object, for programs that need one (the decoder). On disk it is the file itself;
   * from S3 it is a copy in a bounded cache. `await using file = await storage.local(key)` gives it back.
   */
  local(key: string, signal?: AbortSignal): Promise<LocalFile>;
  /** A URL that clients can GET the object from directly, or null when this storage has none (local disk). */
  presignedUrl(
    key: string,
    options: { expiresIn: number; contentType?: string; filename?: string },
  ): Promise<string | null>;
  /** An empty folder on a local disk with room for whole videos. It goes when it is disposed of, or after a crash at the next start. */
  scratch(): Promise<LocalFile>;
  /** Uploads that clients bring to the storage themselves; null where they cannot reach it (local disk). */
  readonly direct: DirectUploads | null;
  close(): Promise<void>;
}

/** What each kind of storage brings itself. */
export type Files = Omit<Storage, 'scratch'>;

/** One part of an upload: numbers begin with 1. */
export type UploadPart = { number: number; size: number };

/** Uploads in parts that do not pass through here. The draft `{ size, multipart: { id, etags, tail: 0 } }` then completes the object. */
export interface DirectUploads {
  /** How large the parts of an upload of this many bytes are, all but the last. */
  partBytes(bytes: number): number;
  /** Begins an upload that is to become the object `key`. Returns its id; `removeAll` ends one that is never completed. */
  begin(key: string): Promise<string>;
  /** A URL that takes this part by PUT, of exactly this size. */
  partUrl(key: string, id: string, part: UploadPart, expiresInS: number): Promise<string>;
  /** The parts that are there, by number. */
  arrived(key: string, id: string): Promise<(UploadPart & { etag: string })[]>;
}

export type WriteOptions = { signal?: AbortSignal; maxBytes?: number; contentType?: string };
/** A file that comes in pieces: what must be remembered of it between two of them, as JSON. */
export type Draft = {
  readonly size: number;
  /** On S3: the upload in parts, and how many of the last bytes are too few for a part and lie beside it. */
  readonly multipart?: { readonly id: string; readonly etags: readonly string[]; readonly tail: number };
};
export const EMPTY_DRAFT: Draft = { size: 0 };
export type AppendOptions = {
  kept(draft: Draft): Promise<void>;
  /** How large the whole can become. */
  maxBytes: number;
};
export type StoredFile = { size: number; sha256: string };
export type LocalFile = { path: string } & AsyncDisposable;

export type StorageSettings = {
  /** Folder for local copies of remote objects and for temporary files. */
  dataDir: string;
  /** Bytes that local copies may take together. */
  cacheBytes?: number;
  /** Bytes that stay free on the disk that holds the files; past that a write is `storage_full`. */
  reserveBytes?: number;
};

/**
 * Opens the storage that is configured, and removes what processes that are gone have left half written.
 * Throws `storage_unreachable` (503) when the bucket cannot be used.
 */
export async function createStorage(
  storage: Config['storage'],
  { dataDir, cacheBytes = 32 * 2 ** 30, reserveBytes = RESERVE_BYTES }: StorageSettings,
): Promise<Storage> {
  const files =
    storage.kind === 'file'
      ? await openDisk({ dir: storage.dir, reserveBytes })
      : await openS3({ ...storage, cacheDir: join(dataDir, 'cache', 's3'), cacheBytes });
  const own = await openOwnFolder(join(dataDir, 'tmp'));
  const close = async () => {
    await files.close();
    await own.close();
  };
  return { ...files, scratch: own.scratch, close };
}
