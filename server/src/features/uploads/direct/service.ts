import type { Folders } from '#features/folders/index';
import type { Video, Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { DirectUploads, Storage, UploadPart } from '#platform/storage/index';
import { finishUpload } from '../jobs.ts';
import { requireOwnUpload, UPLOAD_LIFETIME_S, uploadTooLarge } from '../open-uploads.ts';
import { problems } from '../problems.ts';
import type { Reservations } from '../reservations.ts';
import * as store from '../store.ts';
import type { IdempotentUpload } from '../types.ts';
import { parseSha256, parseUploadFields, type UploadFields } from '../upload-fields.ts';
import { chooseVideoName } from '../video-names.ts';
import { waitUntilReady } from '../wait-until-ready.ts';

/** Lifetime of the URL of a part; clients can request another one. */
const PART_URL_LIFETIME_S = 3600;

export type DirectDeps = {
  database: Database;
  storage: Pick<Storage, 'direct'>;
  videos: Pick<Videos, 'create' | 'find' | 'discard'>;
  folders: Pick<Folders, 'requireWritable'>;
  jobs: Pick<Jobs, 'send'>;
  reservations: Pick<Reservations, 'requireOpenable'>;
  maxBytes: number;
};

/** State of a direct upload. */
export type DirectUpload = {
  id: string;
  length: number;
  /** Size of each part except the last. */
  partBytes: number;
  partCount: number;
  /** Parts that storage has received. */
  received: UploadPart[];
  expiresAt: Date;
};

export type SignedPart = UploadPart & { url: string; expiresAt: Date };

/** Uploads whose bytes the client sends straight to S3 storage. An upload has the id of its video. */
export function createDirectUploads(deps: DirectDeps) {
  const { database, storage, videos, folders, jobs, reservations, maxBytes } = deps;
  const { db } = database;

  function requireDirect(): DirectUploads {
    if (storage.direct) return storage.direct;
    throw problems.direct_upload_unavailable();
  }

  /**
   * Returns the caller's own open upload. Throws `upload_not_found` (404), `upload_forbidden` or `key_limited` (403).
   */
  async function requireUpload(caller: Caller, id: string) {
    const direct = requireDirect();
    const [upload, video] = await Promise.all([store.find(db, id), videos.find(id)]);
    if (!upload?.direct || !upload.draft.multipart || !video) throw problems.upload_not_found();
    requireOwnUpload(caller, video);
    return { direct, upload, video, multipartId: upload.draft.multipart.id };
  }

  async function progress(caller: Caller, id: string): Promise<DirectUpload> {
    const { direct, upload, video, multipartId } = await requireUpload(caller, id);
    const { length, expiresAt } = upload;
    const parts = splitIntoParts(direct, length);
    const listed = upload.draft.size === length ? parts : await direct.listParts(video.storageKey, multipartId);
    if (listed === null) await requireComplete(id);
    return {
      id,
      length,
      partBytes: direct.partBytes(length),
      partCount: parts.length,
      received: listed ?? parts,
      expiresAt,
    };
  }

  /** Throws `upload_not_found` (404) unless another request completed the upload, whose parts are missing. */
  async function requireComplete(id: string): Promise<void> {
    const upload = await store.find(db, id);
    if (!upload || upload.draft.size < upload.length) throw problems.upload_not_found();
  }

  /** Returns the upload of an earlier request; null if it was removed, for example because storage failed. */
  async function findEarlier(direct: DirectUploads, caller: Caller, id: string): Promise<DirectUpload | null> {
    const [upload, video] = await Promise.all([store.find(db, id), videos.find(id)]);
    if (!upload?.direct || !video) return null;
    if (!upload.draft.multipart) await store.setMultipart(db, id, await direct.create(video.storageKey));
    return progress(caller, id);
  }

  return {
    /** Starts an upload, or continues the start that an earlier request with the same key began. */
    async create(
      caller: Caller,
      length: number,
      fields: UploadFields,
      idempotent?: IdempotentUpload,
    ): Promise<DirectUpload> {
      const direct = requireDirect();
      const earlier = idempotent?.savedReference && (await findEarlier(direct, caller, idempotent.savedReference));
      if (earlier) return earlier;
      if (length > maxBytes) throw uploadTooLarge(maxBytes);
      const { scope, folderId, customName } = await parseUploadFields(caller, fields, folders);
      const sha256 = parseSha256(fields);
      const name = chooseVideoName(customName, fields.get('filename'));
      const { orgId, userId: ownerId } = caller;
      const record = { orgId, ownerId, scope, folderId, name, source: 'file', sourceUri: null, metadata: {} };
      const id = newId();
      const { expiresAt, storageKey } = await database.transaction(async (trx) => {
        const created = await videos.create(trx, { ...record, id, heartbeat: false, reserveBytes: length });
        await reservations.requireOpenable(trx, orgId);
        const upload = { videoId: id, length, sha256, lifeS: UPLOAD_LIFETIME_S, direct: true };
        const { expiresAt } = await store.insert(trx, upload);
        await idempotent?.saveReference(id, trx);
        return { ...created, expiresAt };
      });
      try {
        // After the transaction, which holds rows that others wait for.
        await store.setMultipart(db, id, await direct.create(storageKey));
      } catch (error) {
        await videos.discard(id);
        throw error;
      }
      const partCount = splitIntoParts(direct, length).length;
      return { id, length, partBytes: direct.partBytes(length), partCount, received: [], expiresAt };
    },

    progress,

    /** Signs URLs that accept the parts. Throws `upload_part_unknown` (400). */
    async signParts(caller: Caller, id: string, numbers: readonly number[]): Promise<SignedPart[]> {
      const { direct, upload, video, multipartId } = await requireUpload(caller, id);
      const parts = splitIntoParts(direct, upload.length);
      const expiresAt = new Date(Date.now() + PART_URL_LIFETIME_S * 1000);
      return Promise.all(
        numbers.map(async (number) => {
          const part = parts[number - 1];
          if (!part)
            throw problems.upload_part_unknown(`The upload has the parts 1 to ${parts.length}, but no part ${number}.`);
          return {
            ...part,
            url: await direct.presignPart(video.storageKey, multipartId, part, PART_URL_LIFETIME_S),
            expiresAt,
          };
        }),
      );
    },

    /**
     * Completes an upload with all its parts, and waits some seconds until its video is ready.
     * Throws `upload_parts_missing` (409), or the reason if the file is refused.
     */
    async complete(caller: Caller, id: string, signal: AbortSignal): Promise<Video> {
      const { direct, upload, video, multipartId } = await requireUpload(caller, id);
      if (upload.draft.size < upload.length) {
        const listed = await direct.listParts(video.storageKey, multipartId);
        if (listed === null) {
          await requireComplete(id);
          return waitUntilReady(videos, id, signal);
        }
        const received = new Map(listed.map((part) => [part.number, part]));
        const parts = splitIntoParts(direct, upload.length);
        const missing = parts.filter(({ number, size }) => received.get(number)?.size !== size);
        if (missing.length > 0) throw partsMissing(missing);
        const etags = parts.map(({ number }) => received.get(number)!.etag);
        await database.transaction(async (trx) => {
          const draft = { size: upload.length, multipart: { id: multipartId, etags, tail: 0 } };
          if (await store.markComplete(trx, id, draft))
            await jobs.send(trx, finishUpload, { videoId: id }, { orgId: video.orgId });
        });
      }
      return waitUntilReady(videos, id, signal);
    },

    /** Ends an upload. An incomplete one is removed; a complete one is a video and stays. */
    async remove(caller: Caller, id: string): Promise<void> {
      const { upload } = await requireUpload(caller, id);
      if (upload.draft.size < upload.length) await videos.discard(id);
      await store.expireNow(db, id);
    },
  };
}

export type DirectUploadsService = ReturnType<typeof createDirectUploads>;

function splitIntoParts(direct: DirectUploads, length: number): UploadPart[] {
  const size = direct.partBytes(length);
  return Array.from({ length: Math.ceil(length / size) }, (_, i) => ({
    number: i + 1,
    size: Math.min(size, length - i * size),
  }));
}

function partsMissing(missing: readonly UploadPart[]) {
  const [first] = missing;
  const others = missing.length > 1 ? ` and ${missing.length - 1} more parts` : '';
  const are = missing.length > 1 ? 'are' : 'is';
  return problems.upload_parts_missing(
    `Part ${first!.number} (${first!.size} bytes)${others} of the upload ${are} missing or incomplete. Send ${missing.length > 1 ? 'them' : 'it'}, then complete the upload again.`,
  );
}
