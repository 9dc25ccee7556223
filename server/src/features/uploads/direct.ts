import type { Folders } from '#features/folders/index';
import type { Video, Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { DirectUploads, Storage, UploadPart } from '#platform/storage/index';
import { checkForm, type Fields, sha256Of } from './form.ts';
import { finishUpload } from './jobs.ts';
import { givenName } from './names.ts';
import { outcomeOf } from './outcome.ts';
import { problems } from './problems.ts';
import type { Repeat } from './repeat.ts';
import { LIFE_S, requireOwn, tooLong } from './resumable.ts';
import * as store from './store.ts';

/** A URL of a part holds this long; another one is there for the asking. */
const URL_S = 3600;

export type DirectDeps = {
  database: Database;
  storage: Pick<Storage, 'direct'>;
  videos: Pick<Videos, 'create' | 'find' | 'discard'>;
  folders: Pick<Folders, 'requireWritable'>;
  jobs: Pick<Jobs, 'send'>;
  maxBytes: number;
};

/** How a direct upload stands. */
export type DirectUpload = {
  id: string;
  length: number;
  /** Size of each part but the last. */
  partBytes: number;
  parts: number;
  arrived: UploadPart[];
  expiresAt: Date;
};

export type PartUrl = UploadPart & { url: string; expiresAt: Date };

/** Uploads whose bytes go from the client to the storage. An upload has the id of its video. */
export function createDirect({ database, storage, videos, folders, jobs, maxBytes }: DirectDeps) {
  const { db } = database;

  function available(): DirectUploads {
    if (storage.direct) return storage.direct;
    throw problems.direct_upload_unavailable();
  }

  /** The caller's own upload that is not over. Throws `upload_not_found` (404), `upload_forbidden` or `key_limited` (403). */
  async function require(caller: Caller, id: string) {
    const direct = available();
    const [upload, video] = await Promise.all([store.find(db, id), videos.find(id)]);
    if (!upload?.direct || !upload.draft.multipart || !video) throw problems.upload_not_found();
    requireOwn(caller, video);
    return { direct, upload, video, multipart: upload.draft.multipart.id };
  }

  async function progress(caller: Caller, id: string): Promise<DirectUpload> {
    const { direct, upload, video, multipart } = await require(caller, id);
    const { length, expiresAt } = upload;
    const parts = partsOf(direct, length);
    const arrived = upload.draft.size === length ? parts : await direct.arrived(video.storageKey, multipart);
    return { id, length, partBytes: direct.partBytes(length), parts: parts.length, arrived, expiresAt };
  }

  /** The upload of an earlier request; null when it is gone, as where storage refused it. */
  async function resume(direct: DirectUploads, caller: Caller, id: string): Promise<DirectUpload | null> {
    const [upload, video] = await Promise.all([store.find(db, id), videos.find(id)]);
    if (!upload?.direct || !video) return null;
    if (!upload.draft.multipart) await store.setMultipart(db, id, await direct.begin(video.storageKey));
    return progress(caller, id);
  }

  return {
    /** Begins an upload, or resumes beginning the one that an earlier request created. */
    async create(caller: Caller, length: number, fields: Fields, repeat?: Repeat): Promise<DirectUpload> {
      const direct = available();
      const earlier = repeat?.remembered && (await resume(direct, caller, repeat.remembered));
      if (earlier) return earlier;
      if (length > maxBytes) throw tooLong(maxBytes);
      const { scope, folderId, customName } = await checkForm(caller, fields, folders);
      const sha256 = sha256Of(fields);
      const name = givenName(customName, fields.get('filename'));
      const { orgId, userId: ownerId } = caller;
      const record = { orgId, ownerId, scope, folderId, name, source: 'file', sourceUri: null, metadata: {} };
      const id = newId();
      const { expiresAt, storageKey } = await database.transaction(async (trx) => {
        const made = await videos.create(trx, { ...record, id, heartbeat: false, reserveBytes: length });
        const { expiresAt } = await store.insert(trx, { videoId: id, length, sha256, lifeS: LIFE_S, direct: true });
        await repeat?.remember(id, trx);
        return { ...made, expiresAt };
      });
      try {
        // Not while the transaction holds rows that others wait for.
        await store.setMultipart(db, id, await direct.begin(storageKey));
      } catch (error) {
        await videos.discard(id);
        throw error;
      }
      const parts = partsOf(direct, length);
      return { id, length, partBytes: direct.partBytes(length), parts: parts.length, arrived: [], expiresAt };
    },

    progress,

    /** URLs that take these parts. Throws `upload_part_unknown` (400). */
    async urls(caller: Caller, id: string, numbers: readonly number[]): Promise<PartUrl[]> {
      const { direct, upload, video, multipart } = await require(caller, id);
      const parts = partsOf(direct, upload.length);
      const expiresAt = new Date(Date.now() + URL_S * 1000);
      return Promise.all(
        numbers.map(async (number) => {
          const part = parts[number - 1];
          if (!part)
            throw problems.upload_part_unknown(`The upload has the parts 1 to ${parts.length}, and no ${number}.`);
          return { ...part, url: await direct.partUrl(video.storageKey, multipart, part, URL_S), expiresAt };
        }),
      );
    },

    /** All parts are there: the upload becomes a video, which is waited for a while. Throws `upload_parts_missing` (409), or what is wrong with it. */
    async complete(caller: Caller, id: string, gone: AbortSignal): Promise<Video> {
      const { direct, upload, video, multipart } = await require(caller, id);
      if (upload.draft.size < upload.length) {
        const arrived = new Map((await direct.arrived(video.storageKey, multipart)).map((part) => [part.number, part]));
        const parts = partsOf(direct, upload.length);
        const missing = parts.filter(({ number, size }) => arrived.get(number)?.size !== size);
        if (missing.length > 0) throw incomplete(missing);
        const etags = parts.map(({ number }) => arrived.get(number)!.etag);
        await database.transaction(async (trx) => {
          const whole = { size: upload.length, multipart: { id: multipart, etags, tail: 0 } };
          if (await store.seal(trx, id, whole))
            await jobs.send(trx, finishUpload, { videoId: id }, { orgId: video.orgId });
        });
      }
      return outcomeOf(videos, id, gone);
    },

    /** Ends an upload: one that is not complete leaves nothing; a complete one is a video, which stays. */
    async remove(caller: Caller, id: string): Promise<void> {
      const { upload } = await require(caller, id);
      if (upload.draft.size < upload.length) await videos.discard(id);
      await store.end(db, id);
    },
  };
}

export type Direct = ReturnType<typeof createDirect>;

function partsOf(direct: DirectUploads, length: number): UploadPart[] {
  const size = direct.partBytes(length);
  return Array.from({ length: Math.ceil(length / size) }, (_, i) => ({
    number: i + 1,
    size: Math.min(size, length - i * size),
  }));
}

function incomplete(missing: readonly UploadPart[]) {
  const [first] = missing;
  const others = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
  return problems.upload_parts_missing(
    `Part ${first!.number}${others} of the upload is not there with its ${first!.size} bytes: send it, and complete the upload again.`,
  );
}
