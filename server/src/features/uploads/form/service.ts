import type { Folders } from '#features/folders/index';
import type { Video, Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import type { Storage } from '#platform/storage/index';
import { type FilesBeside, type FilesBesideStore, summariesOf } from '../files-beside.ts';
import { type Heartbeat, startHeartbeat } from '../heartbeat.ts';
import { findEarlierUpload } from '../idempotency.ts';
import { inspectFile } from '../ingest/inspect-file.ts';
import { problems } from '../problems.ts';
import type { Reservations } from '../reservations.ts';
import { readSidecar } from '../sidecar/index.ts';
import { readSubtitles } from '../subtitles/index.ts';
import type { IdempotentUpload, UploadConnection } from '../types.ts';
import {
  type ParsedFields,
  parseSha256,
  parseUploadFields,
  requireSource,
  type UploadFields,
} from '../upload-fields.ts';
import type { UrlUploads } from '../url/index.ts';
import { chooseVideoName } from '../video-names.ts';
import type { FormPart } from './multipart.ts';

type FormUploadsDeps = {
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  videos: Pick<Videos, 'create' | 'updatePending' | 'heartbeat' | 'markReady' | 'discard' | 'find'>;
  folders: Pick<Folders, 'requireWritable'>;
  filesBeside: FilesBesideStore;
  urls: UrlUploads;
  reservations: Pick<Reservations, 'requireRoom'>;
  log: Log;
  maxBytes: number;
};

export interface FormUploads {
  /** Largest accepted file, in bytes. */
  readonly maxBytes: number;
  /**
   * Receives an upload, its parts in any order. A file is ready when this returns; a URL only if it is fetched within
   * seconds, else it is still `PREPARE_IN_PROGRESS`. A refused or aborted upload leaves nothing. Returns the video of
   * an earlier request with the same key if it arrived completely.
   */
  receive(
    caller: Caller,
    parts: AsyncIterable<FormPart>,
    connection: UploadConnection,
    idempotent?: IdempotentUpload,
  ): Promise<Video>;
}

/** State of a form while its parts arrive. */
type FormState = {
  fields: UploadFields;
  beside: FilesBeside;
  file: ReceivedFile | null;
  idempotent: IdempotentUpload | undefined;
};
type ReceivedFile = {
  id: string;
  storageKey: string;
  /** Fields that arrived before the file. */
  fields: ParsedFields;
  filename: string;
  stored: { size: number; sha256: string } | null;
  /** Runs until the form ends: the parts after the file may be slow too. */
  heartbeat: Heartbeat;
};

const nameOf = ({ customName }: ParsedFields, filename: string) => chooseVideoName(customName, filename);

/**
 * Changes by the fields after the file. The other columns are left alone: users may have changed them in the
 * meantime.
 */
function laterChanges(
  file: ReceivedFile,
  fields: ParsedFields,
  beside: FilesBeside,
): Parameters<Videos['updatePending']>[2] {
  const name = nameOf(fields, file.filename);
  const { scope, folderId } = fields;
  const summaries = summariesOf(beside);
  const moved = scope !== file.fields.scope || folderId !== file.fields.folderId;
  return {
    ...(name === nameOf(file.fields, file.filename) ? {} : { name }),
    ...(moved ? { scope, folderId } : {}),
    ...(Object.keys(summaries).length > 0 ? { metadata: summaries } : {}),
  };
}

/** Uploads as a form: a file that is streamed to storage, or a URL that a job fetches. */
export function createFormUploads(deps: FormUploadsDeps): FormUploads {
  const { database, storage, media, videos, folders, filesBeside, urls, reservations, log, maxBytes } = deps;

  /** Streams the part `file` to storage. The record is created first, with the fields that have arrived. */
  async function receiveFile(
    caller: Caller,
    form: FormState,
    part: Extract<FormPart, { kind: 'file' }>,
    connection: UploadConnection,
  ): Promise<void> {
    const fields = await parseUploadFields(caller, form.fields, folders);
    if (form.file || fields.source === 'video_url') throw problems.upload_file_unexpected();
    const id = newId();
    const { filename } = part;
    const { storageKey } = await database.transaction(async (trx) => {
      const created = await videos.create(trx, {
        id,
        orgId: caller.orgId,
        ownerId: caller.userId,
        scope: fields.scope,
        folderId: fields.folderId,
        name: nameOf(fields, filename),
        source: 'file',
        sourceUri: null,
        heartbeat: true,
        reserveBytes: connection.length,
        metadata: {},
      });
      await reservations.requireRoom(trx, connection.length ?? 0);
      await form.idempotent?.saveReference(id, trx);
      return created;
    });
    const heartbeat = startHeartbeat(videos, id, connection);
    form.file = { id, storageKey, fields, filename, stored: null, heartbeat };
    const signal = AbortSignal.any([connection.signal, heartbeat.signal]);
    form.file.stored = await storage.write(storageKey, part.stream, { signal, maxBytes });
  }

  /** Applies the fields after the file, reads the file as a video and marks it as ready. */
  async function finishFile(caller: Caller, form: FormState): Promise<string> {
    const fields = await parseUploadFields(caller, form.fields, folders);
    const { file, beside } = form;
    if (requireSource(fields) !== 'file') throw problems.upload_file_unexpected();
    if (!file?.stored) throw problems.upload_file_missing();
    const { id, storageKey, stored, heartbeat } = file;
    heartbeat.received();
    await filesBeside.write(id, beside, heartbeat.signal);
    const sha256 = parseSha256(form.fields);
    const inspected = await inspectFile({ storage, media }, storageKey, stored, heartbeat.signal, sha256);
    const ready = await database.transaction(async (trx) => {
      await videos.updatePending(trx, id, laterChanges(file, fields, beside));
      return videos.markReady(trx, id, inspected);
    });
    if (!ready) throw problems.upload_deleted();
    return id;
  }

  /** Removes the record and the file of a failed upload. Returns the error to report. */
  async function rollBack(file: ReceivedFile | null, cause: unknown, signal: AbortSignal): Promise<unknown> {
    const error = signal.aborted ? problems.upload_incomplete(undefined, { cause }) : cause;
    if (!file) return error;
    try {
      const deleted = (await videos.find(file.id)) === null;
      await videos.discard(file.id);
      return deleted ? problems.upload_deleted(undefined, { cause }) : error;
    } catch (err) {
      // Without a heartbeat the cleanup job fails it later.
      log.warn({ err, videoId: file.id }, 'cannot remove a failed upload yet');
      return error;
    }
  }

  return {
    maxBytes,

    async receive(caller, parts, connection, idempotent) {
      const earlier = idempotent && (await findEarlierUpload(videos, idempotent, connection.signal));
      if (earlier) return earlier;
      const beside: FilesBeside = { sidecar: null, subtitles: null };
      const form: FormState = { fields: new Map(), beside, file: null, idempotent };
      try {
        for await (const part of parts) {
          if (part.kind === 'field') form.fields.set(part.name, part.value);
          else if (part.name === 'file') await receiveFile(caller, form, part, connection);
          else if (part.name === 'metadata_file')
            beside.sidecar = await readSidecar(part.filename, part.stream, connection.signal);
          else if (part.name === 'subtitles_file')
            beside.subtitles = await readSubtitles(part.filename, part.stream, connection.signal);
          else part.stream.resume();
        }
        const fields = await parseUploadFields(caller, form.fields, folders);
        if (!form.file && requireSource(fields) === 'video_url') {
          return await urls.submit(caller, fields, beside, connection.signal, idempotent);
        }
        const id = await finishFile(caller, form);
        const video = await videos.find(id);
        if (!video) throw problems.upload_deleted();
        return video;
      } catch (error) {
        throw await rollBack(form.file, error, connection.signal);
      } finally {
        form.file?.heartbeat[Symbol.dispose]();
      }
    },
  };
}
