import { createHash } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Folders } from '#features/folders/index';
import type { Video, Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, httpProblems, reaches } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import { type Draft, type Storage, storageProblems } from '#platform/storage/index';
import { type Connection, examine, keepAlive } from './arrival.ts';
import { checkForm, type Fields, sha256Of } from './form.ts';
import { finishUpload } from './jobs.ts';
import { givenName } from './names.ts';
import { outcomeOf } from './outcome.ts';
import { problems } from './problems.ts';
import * as store from './store.ts';
import type { Checksum } from './tus.ts';

/** An upload has this long, from its first word. Storage on S3 keeps parts that nobody completes for a day longer. */
export const LIFE_S = 3 * 24 * 3600;
/** A node that writes says so every few seconds; one that was not heard of for this long writes no more. */
const LEASE_S = 10;
const RENEW_MS = 3_000;
const POLL_MS = 250;
const EXPIRED_AT_ONCE = 200;

export type ResumableDeps = {
  database: Database;
  storage: Storage;
  videos: Pick<Videos, 'create' | 'find' | 'discard' | 'giveUp'>;
  folders: Pick<Folders, 'requireWritable'>;
  jobs: Pick<Jobs, 'send'>;
  log: Log;
  maxBytes: number;
};

/** How an upload stands: how many of its bytes are kept, and how many there will be. */
export type Progress = { id: string; offset: number; length: number; expiresAt: Date };
type Piece = { offset: number; body: Readable; length: number | null; checksum: Checksum | null };

/** Uploads that come in pieces: on any connection, to any node, with any break in between. An upload has the id of its video. */
export function createResumable({ database, storage, videos, folders, jobs, log, maxBytes }: ResumableDeps) {
  const { db } = database;

  /** The caller's own upload that is not over. Throws `upload_not_found` (404) or `upload_forbidden` (403). */
  async function require(caller: Caller, id: string): Promise<{ upload: store.Resumable; video: Video }> {
    const [upload, video] = await Promise.all([store.find(db, id), videos.find(id)]);
    if (upload?.direct !== false || !video) throw problems.upload_not_found();
    requireOwn(caller, video);
    return { upload, video };
  }

  /** Waits for the lease as long as a node that died may still hold it, or a connection that brings nothing any more. */
  async function take(id: string, holder: string, gone: AbortSignal): Promise<store.Resumable> {
    for (let left = LEASE_S * 1000; ; left -= POLL_MS) {
      const upload = await store.take(db, id, holder, LEASE_S);
      if (upload) return upload;
      if (left <= 0 || gone.aborted) throw problems.upload_locked();
      await store.want(db, id);
      await sleep(POLL_MS);
    }
  }

  /** Writes a piece under the lease. Returns how many bytes there are then. */
  async function write(
    id: string,
    holder: string,
    { orgId, storageKey }: Video,
    piece: Piece,
    connection: Connection,
  ): Promise<number> {
    const { draft: before, length } = await take(id, holder, connection.gone);
    let leaseEnds = performance.now() + LEASE_S * 1000;
    const renew = async (draft?: Draft) => {
      const asked = performance.now();
      const held = await database.transaction(async (trx) => {
        const renewed = await store.renew(trx, id, holder, LEASE_S, draft);
        if (renewed && draft?.size === length) await jobs.send(trx, finishUpload, { videoId: id }, { orgId });
        return renewed;
      });
      if (held) leaseEnds = asked + LEASE_S * 1000;
      return held;
    };
    const keep = async (draft: Draft) => {
      if (!(await renew(draft))) throw problems.upload_deleted();
    };
    const checkLease = () => {
      if (performance.now() > leaseEnds) throw problems.upload_locked();
    };

    if (piece.offset !== before.size) throw problems.upload_offset_conflict();
    const room = length - before.size;
    if ((piece.length ?? 0) > room) throw tooLong(length);
    if (room === 0) return length;
    const givenWay = new AbortController();
    let seen = connection.bytesRead();
    const touch = async () => {
      const read = connection.bytesRead();
      // Not while what has come waits for storage.
      const isSilent = read === seen && piece.body.readableLength === 0;
      seen = read;
      const held = await renew();
      // A client whose network changed comes again on another connection, while the old one is silent and looks as if it were there.
      if (held?.wanted && isSilent) givenWay.abort(problems.upload_locked());
      return held !== null;
    };
    using alive = keepAlive({ touch }, id, connection, { heartbeatMs: RENEW_MS });
    addAbortSignal(AbortSignal.any([connection.gone, alive.signal, givenWay.signal]), piece.body);
    const hash = piece.checksum && createHash(piece.checksum.algorithm);
    let came = 0;
    async function* body() {
      for await (const chunk of piece.body as AsyncIterable<Buffer>) {
        came += chunk.length;
        if (came > room) throw tooLong(length);
        hash?.update(chunk);
        checkLease();
        yield chunk;
      }
    }
    let last = before;
    // With a checksum the piece is kept as a whole or not at all.
    const kept = async (draft: Draft) => {
      if (!hash) await keep(draft);
      last = draft;
    };
    await storage.append(storageKey, before, body(), { kept, maxBytes: length });
    if (hash) {
      if (hash.digest('base64') !== piece.checksum!.digest) throw problems.upload_checksum_mismatch();
      if (last !== before) await keep(last);
    }
    return last.size;
  }

  return {
    /** Begins an upload. `made` runs in the transaction that makes it. */
    async create(
      caller: Caller,
      length: number,
      fields: Fields,
      made?: (trx: Transaction, id: string) => Promise<void>,
    ): Promise<Progress> {
      if (length > maxBytes) throw tooLong(maxBytes);
      const { scope, folderId, customName } = await checkForm(caller, fields, folders);
      const id = newId();
      const name = givenName(customName, fields.get('filename'));
      const { orgId, userId: ownerId } = caller;
      return database.transaction(async (trx) => {
        const record = { id, orgId, ownerId, scope, folderId, name, source: 'file', sourceUri: null, metadata: {} };
        await videos.create(trx, { ...record, heartbeat: false, reserveBytes: length });
        const { expiresAt } = await store.insert(trx, { videoId: id, length, sha256: sha256Of(fields), lifeS: LIFE_S });
        await made?.(trx, id);
        return { id, offset: 0, length, expiresAt };
      });
    },

    async progress(caller: Caller, id: string): Promise<Progress> {
      const { upload } = await require(caller, id);
      return { id, offset: upload.draft.size, length: upload.length, expiresAt: upload.expiresAt };
    },

    /**
     * Adds a piece at `offset`; what came of it is kept when its connection breaks, unless it has a checksum. With the last piece the
     * upload becomes a video, which is waited for a while; throws what is wrong with it.
     */
    async append(caller: Caller, id: string, piece: Piece, connection: Connection): Promise<Progress> {
      const { upload, video } = await require(caller, id);
      const holder = newId();
      const { length, expiresAt } = upload;
      try {
        const offset = await write(id, holder, video, piece, connection);
        if (offset === length) await outcomeOf(videos, id, connection.gone);
        return { id, offset, length, expiresAt };
      } catch (error) {
        // What came after the deletion goes too.
        if (!(await videos.find(id))) await videos.discard(id);
        throw error;
      } finally {
        await store.giveBack(db, id, holder);
      }
    },

    /** Ends an upload: one that is not complete leaves nothing; a complete one is a video, which stays. */
    async remove(caller: Caller, id: string): Promise<void> {
      const { upload } = await require(caller, id);
      if (upload.draft.size < upload.length) await videos.discard(id);
      await store.end(db, id);
    },

    /** Ends uploads whose time is over; videos they never became say so. */
    async expire(): Promise<void> {
      for (const { videoId, complete } of await store.expired(db, EXPIRED_AT_ONCE)) {
        try {
          if (!complete) await videos.giveUp(videoId, problems.upload_expired());
          // A worker still makes a video of it.
          else if ((await videos.find(videoId))?.status === 'PREPARE_IN_PROGRESS') continue;
          await store.remove(db, videoId);
        } catch (err) {
          // The others do not wait for it.
          log.warn({ err, videoId }, 'cannot end an expired upload yet');
        }
      }
    },
  };
}

/** Throws `upload_not_found` (404) when the upload has failed, `upload_forbidden` or `key_limited` (403) when it is out of the caller's reach. */
export function requireOwn(caller: Caller, { status, orgId, ownerId, folderId }: Video): void {
  if (status === 'UPLOADING_FAILED') throw problems.upload_not_found();
  if (orgId !== caller.orgId || ownerId !== caller.userId) throw problems.upload_forbidden();
  if (!reaches(caller, folderId)) throw httpProblems.key_limited();
}

/** Makes a video of an upload whose pieces are all here; once more after a crash is no error. */
export function createFinisher({ database, storage, media, videos }: FinisherDeps) {
  return async (videoId: string, storageKey: string, signal: AbortSignal): Promise<void> => {
    const upload = await store.findComplete(database.db, videoId);
    if (!upload) throw problems.upload_deleted();
    await storage.complete(storageKey, upload.draft);
    const facts = await examine({ storage, media }, storageKey, null, signal, upload.sha256);
    const ready = await database.transaction((trx) => videos.markReady(trx, videoId, facts));
    if (!ready) throw problems.upload_deleted();
  };
}

type FinisherDeps = Pick<ResumableDeps, 'database' | 'storage'> & {
  media: Pick<Media, 'probe'>;
  videos: Pick<Videos, 'markReady'>;
};

export type Resumable = ReturnType<typeof createResumable>;

export const tooLong = (bytes: number) =>
  storageProblems.file_too_large(`The upload is larger than the ${bytes} bytes that are accepted.`);
