import { createHash } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Folders } from '#features/folders/index';
import type { Video, Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import type { PartialObject, Storage } from '#platform/storage/index';
import { startHeartbeat } from '../heartbeat.ts';
import { inspectFile } from '../ingest/inspect-file.ts';
import { finishUpload } from '../jobs.ts';
import { requireOwnUpload, UPLOAD_LIFETIME_S, uploadTooLarge } from '../open-uploads.ts';
import { problems } from '../problems.ts';
import type { Reservations } from '../reservations.ts';
import * as store from '../store.ts';
import type { UploadConnection } from '../types.ts';
import { parseSha256, parseUploadFields, type UploadFields } from '../upload-fields.ts';
import { chooseVideoName } from '../video-names.ts';
import { waitUntilReady } from '../wait-until-ready.ts';
import type { UploadChecksum } from './tus.ts';

/** A node that writes renews its lease every few seconds; a node that does not has lost it. */
const LEASE_S = 10;
const RENEW_INTERVAL_MS = 3_000;
const LEASE_POLL_MS = 250;
const EXPIRY_BATCH_SIZE = 200;

export type ResumableDeps = {
  database: Database;
  storage: Storage;
  videos: Pick<Videos, 'create' | 'find' | 'discard' | 'fail'>;
  folders: Pick<Folders, 'requireWritable'>;
  jobs: Pick<Jobs, 'send'>;
  log: Log;
  reservations: Reservations;
  maxBytes: number;
};

/** State of an upload: `offset` is the number of bytes stored, `length` the size of the whole file. */
export type UploadProgress = { id: string; offset: number; length: number; expiresAt: Date };
type UploadChunk = { offset: number; body: Readable; length: number | null; checksum: UploadChecksum | null };

/** Uploads in several requests, on any connection and node. An upload has the id of its video. */
export function createResumableUploads(deps: ResumableDeps) {
  const { database, storage, videos, folders, jobs, log, reservations, maxBytes } = deps;
  const { db } = database;

  /**
   * Returns the caller's own open upload. Throws `upload_not_found` (404), `upload_forbidden` or `key_limited` (403).
   */
  async function requireUpload(caller: Caller, id: string): Promise<{ upload: store.OpenUpload; video: Video }> {
    const [upload, video] = await Promise.all([store.find(db, id), videos.find(id)]);
    if (upload?.direct !== false || !video) throw problems.upload_not_found();
    requireOwnUpload(caller, video);
    return { upload, video };
  }

  /**
   * Waits for the lease as long as a dead node or a stalled connection may still hold it. Throws `upload_locked`
   * (423).
   */
  async function acquireLease(id: string, holder: string, signal: AbortSignal): Promise<store.OpenUpload> {
    for (let remainingMs = LEASE_S * 1000; ; remainingMs -= LEASE_POLL_MS) {
      const upload = await store.acquireLease(db, id, holder, LEASE_S);
      if (upload) return upload;
      if (remainingMs <= 0 || signal.aborted) throw problems.upload_locked();
      await store.requestLease(db, id);
      await sleep(LEASE_POLL_MS);
    }
  }

  /** Appends a chunk under the lease. Returns the new offset. */
  async function writeChunk(
    id: string,
    holder: string,
    { orgId, storageKey }: Video,
    chunk: UploadChunk,
    connection: UploadConnection,
  ): Promise<number> {
    const { draft: before, length } = await acquireLease(id, holder, connection.signal);
    let leaseEndsAt = performance.now() + LEASE_S * 1000;
    const renewLease = async (draft?: PartialObject) => {
      const requestedAt = performance.now();
      const lease = await database.transaction(async (trx) => {
        const renewed = await store.renewLease(trx, id, holder, LEASE_S, draft);
        if (renewed && draft?.size === length) await jobs.send(trx, finishUpload, { videoId: id }, { orgId });
        return renewed;
      });
      if (lease) leaseEndsAt = requestedAt + LEASE_S * 1000;
      return lease;
    };
    const saveDraft = async (draft: PartialObject) => {
      if (!(await renewLease(draft))) throw problems.upload_deleted();
    };
    const requireLease = () => {
      if (performance.now() > leaseEndsAt) throw problems.upload_locked();
    };

    if (chunk.offset !== before.size) throw problems.upload_offset_conflict();
    const remainingBytes = length - before.size;
    if ((chunk.length ?? 0) > remainingBytes) throw uploadTooLarge(length);
    if (remainingBytes === 0) return length;
    const replaced = new AbortController();
    let bytesRead = connection.bytesRead();
    const heartbeat = async () => {
      const nowRead = connection.bytesRead();
      // Bytes that were received and wait for storage do not count as a stall.
      const isStalled = nowRead === bytesRead && chunk.body.readableLength === 0;
      bytesRead = nowRead;
      const lease = await renewLease();
      // A client whose network changed opens a new connection, while the old one still looks connected.
      if (lease?.wanted && isStalled) replaced.abort(problems.upload_locked());
      return lease !== null;
    };
    using beating = startHeartbeat({ heartbeat }, id, connection, { intervalMs: RENEW_INTERVAL_MS });
    addAbortSignal(AbortSignal.any([connection.signal, beating.signal, replaced.signal]), chunk.body);
    const hash = chunk.checksum && createHash(chunk.checksum.algorithm);
    let receivedBytes = 0;
    async function* body() {
      for await (const bytes of chunk.body as AsyncIterable<Buffer>) {
        receivedBytes += bytes.length;
        if (receivedBytes > remainingBytes) throw uploadTooLarge(length);
        hash?.update(bytes);
        requireLease();
        yield bytes;
      }
    }
    let last = before;
    // A chunk with a checksum is stored completely or not at all.
    const onDraft = async (draft: PartialObject) => {
      if (!hash) await saveDraft(draft);
      last = draft;
    };
    await storage.append(storageKey, before, body(), { onCheckpoint: onDraft, maxBytes: length });
    if (hash) {
      if (hash.digest('base64') !== chunk.checksum!.digest) throw problems.upload_checksum_mismatch();
      if (last !== before) await saveDraft(last);
    }
    return last.size;
  }

  return {
    /** Starts an upload. `onCreated` runs in the transaction that creates it. */
    async create(
      caller: Caller,
      length: number,
      fields: UploadFields,
      onCreated?: (trx: Transaction, id: string) => Promise<void>,
    ): Promise<UploadProgress> {
      if (length > maxBytes) throw uploadTooLarge(maxBytes);
      const { scope, folderId, customName } = await parseUploadFields(caller, fields, folders);
      const id = newId();
      const name = chooseVideoName(customName, fields.get('filename'));
      const { orgId, userId: ownerId } = caller;
      return database.transaction(async (trx) => {
        const video = { id, orgId, ownerId, scope, folderId, name, source: 'file', sourceUri: null, metadata: {} };
        await videos.create(trx, { ...video, heartbeat: false, reserveBytes: length });
        await reservations.requireOpenable(trx, orgId);
        await reservations.requireRoom(trx, length);
        const sha256 = parseSha256(fields);
        const { expiresAt } = await store.insert(trx, { videoId: id, length, sha256, lifeS: UPLOAD_LIFETIME_S });
        await onCreated?.(trx, id);
        return { id, offset: 0, length, expiresAt };
      });
    },

    async progress(caller: Caller, id: string): Promise<UploadProgress> {
      const { upload } = await requireUpload(caller, id);
      return { id, offset: upload.draft.size, length: upload.length, expiresAt: upload.expiresAt };
    },

    /**
     * Appends a chunk at `offset`. Bytes received before a disconnect are stored, unless the chunk has a checksum.
     * After the last chunk a job makes the video ready; this waits some seconds for it, and throws the reason if the
     * file is refused.
     */
    async append(
      caller: Caller,
      id: string,
      chunk: UploadChunk,
      connection: UploadConnection,
    ): Promise<UploadProgress> {
      const { upload, video } = await requireUpload(caller, id);
      const holder = newId();
      const { length, expiresAt } = upload;
      try {
        const offset = await writeChunk(id, holder, video, chunk, connection);
        if (offset === length) await waitUntilReady(videos, id, connection.signal);
        return { id, offset, length, expiresAt };
      } catch (error) {
        // Removes bytes that were written after the video was deleted.
        if (!(await videos.find(id))) await videos.discard(id);
        throw error;
      } finally {
        await store.releaseLease(db, id, holder);
      }
    },

    /** Ends an upload. An incomplete one is removed; a complete one is a video and stays. */
    async remove(caller: Caller, id: string): Promise<void> {
      const { upload } = await requireUpload(caller, id);
      if (upload.draft.size < upload.length) await videos.discard(id);
      await store.expireNow(db, id);
    },

    /** Ends uploads past their lifetime, direct ones too, and marks the videos of incomplete ones as failed. */
    async expire(): Promise<void> {
      for (const { videoId, complete } of await store.findExpired(db, EXPIRY_BATCH_SIZE)) {
        try {
          if (!complete) await videos.fail(videoId, problems.upload_expired());
          // A job still makes the video ready.
          else if ((await videos.find(videoId))?.status === 'PREPARE_IN_PROGRESS') continue;
          await store.remove(db, videoId);
        } catch (err) {
          // Others are not held up by it.
          log.warn({ err, videoId }, 'cannot end an expired upload yet');
        }
      }
    },
  };
}

export type ResumableUploads = ReturnType<typeof createResumableUploads>;

type UploadFinisherDeps = Pick<ResumableDeps, 'database' | 'storage'> & {
  media: Pick<Media, 'probe'>;
  videos: Pick<Videos, 'markReady'>;
};

/** Returns the job that assembles a complete upload and marks its video as ready. Safe to repeat after a crash. */
export function createUploadFinisher({ database, storage, media, videos }: UploadFinisherDeps) {
  return async (videoId: string, storageKey: string, signal: AbortSignal): Promise<void> => {
    const upload = await store.findComplete(database.db, videoId);
    if (!upload) throw problems.upload_deleted();
    await storage.complete(storageKey, upload.draft);
    const file = await inspectFile({ storage, media }, storageKey, null, signal, upload.sha256);
    const ready = await database.transaction((trx) => videos.markReady(trx, videoId, file));
    if (!ready) throw problems.upload_deleted();
  };
}
