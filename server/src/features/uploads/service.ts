import type { News } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import { type NewVideo, sidecarKey, type Video, type Videos } from '#features/videos/index';
import type { Config } from '#platform/config/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import type { GuardedFetch } from '#platform/net/index';
import type { Storage } from '#platform/storage/index';
import { type Connection, examine, keepAlive } from './arrival.ts';
import { createAttempts } from './attempt.ts';
import { createDirect, type Direct } from './direct.ts';
import { createFetcher } from './fetch.ts';
import { checkForm, type Fields, type Form, type Part, requireSource, sha256Of } from './form.ts';
import { drawSample, expireUploads, fetchVideo, finishUpload, giveUpFetch, giveUpFinish } from './jobs.ts';
import { givenName, nameOfUrl } from './names.ts';
import { outcomeOf } from './outcome.ts';
import { problems } from './problems.ts';
import { type Repeat, resumeUpload } from './repeat.ts';
import { createFinisher, createResumable, type Resumable } from './resumable.ts';
import { createSampler } from './sample.ts';
import { checkSidecar, readSidecar, type Sidecar } from './sidecar.ts';

export type UploadsDeps = {
  config: { limits: Pick<Config['limits'], 'uploadBytes'> };
  net: GuardedFetch;
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  videos: Pick<
    Videos,
    | 'create'
    | 'amend'
    | 'reserve'
    | 'touch'
    | 'markReady'
    | 'giveUp'
    | 'discard'
    | 'find'
    | 'get'
    | 'getWritable'
    | 'setSidecar'
  >;
  folders: Pick<Folders, 'requireWritable'>;
  jobs: Pick<Jobs, 'send' | 'handle' | 'schedule'>;
  log: Log;
  /** Draws the sample that a new library has, as a file at the path. */
  drawSample(path: string, signal: AbortSignal): Promise<void>;
};

export interface Uploads {
  /** Largest file that is accepted, in bytes. */
  readonly maxBytes: number;
  /**
   * Takes an upload, its parts in whatever order they come. A file is ready when this returns; a URL is when it is fetched within seconds, else
   * it is still `PREPARE_IN_PROGRESS`. What is refused leaves nothing behind, nor does a client that goes away. What an earlier request
   * created is the answer to its `repeat`, where it arrived whole.
   */
  receive(caller: Caller, parts: AsyncIterable<Part>, connection: Connection, repeat?: Repeat): Promise<Video>;
  /** Uploads that come in pieces. */
  readonly resumable: Resumable;
  /** Uploads whose bytes go from the client to the storage. */
  readonly direct: Direct;
  /**
   * Puts what was measured beside a video, in place of what was there; the video may be on its way, by whatever road. Throws what
   * `Videos.get` throws, or `sidecar_invalid` (400).
   */
  putSidecar(caller: Caller, videoId: string, filename: string, bytes: Buffer): Promise<Video>;
  /** News of samples that somebody asked for; `compose.ts` subscribes it. */
  onSamplesWanted(trx: Transaction, news: News['samples.wanted']): Promise<void>;
  /** Registers the handlers of this room's jobs. */
  work(): void;
}

/** What has come of a form so far. */
type Upload = { fields: Fields; sidecar: Sidecar | null; begun: Begun | null; repeat: Repeat | undefined };
type Begun = {
  id: string;
  storageKey: string;
  form: Form;
  filename: string;
  stored: { size: number; sha256: string } | null;
  /** Until the form has ended: what follows the file may be slow too. */
  alive: ReturnType<typeof keepAlive>;
};

const nameOf = ({ customName }: Form, filename: string) => givenName(customName, filename);

/** What a form said of its video after the file. The rest stands in the record, and may have been changed there since. */
function saidLater(begun: Begun, form: Form, sidecar: Sidecar | null): Parameters<Videos['amend']>[2] {
  const name = nameOf(form, begun.filename);
  const { scope, folderId } = form;
  const moved = scope !== begun.form.scope || folderId !== begun.form.folderId;
  return {
    ...(name === nameOf(begun.form, begun.filename) ? {} : { name }),
    ...(moved ? { scope, folderId } : {}),
    ...(sidecar ? { metadata: { sidecar: sidecar.summary } } : {}),
  };
}

export function createUploadsService(deps: UploadsDeps): Uploads {
  const { config, database, storage, media, net, videos, folders, jobs, log } = deps;
  const maxBytes = config.limits.uploadBytes;
  const attempts = createAttempts({ videos, log });
  const bring = createFetcher({ database, storage, media, videos, net, maxBytes });
  const finish = createFinisher({ database, storage, media, videos });
  const bringSample = createSampler(deps);
  const resumable = createResumable({ database, storage, videos, folders, jobs, log, maxBytes });
  const direct = createDirect({ database, storage, videos, folders, jobs, maxBytes });

  async function begin(
    caller: Caller,
    form: Form,
    more: Pick<NewVideo, 'id' | 'name' | 'source' | 'sourceUri' | 'heartbeat' | 'reserveBytes' | 'metadata'>,
    work: (trx: Transaction) => Promise<unknown>,
  ): Promise<{ id: string; storageKey: string }> {
    const { orgId, userId: ownerId } = caller;
    const { scope, folderId } = form;
    const { storageKey } = await database.transaction(async (trx) => {
      const made = await videos.create(trx, { orgId, ownerId, scope, folderId, ...more });
      await work(trx);
      return made;
    });
    return { id: more.id, storageKey };
  }

  /** Streams the part `file` to storage. The record is made first, with what the form has said until now. */
  async function receiveFile(
    caller: Caller,
    upload: Upload,
    part: Extract<Part, { kind: 'file' }>,
    connection: Connection,
  ): Promise<void> {
    const form = await checkForm(caller, upload.fields, folders);
    if (upload.begun || form.source === 'video_url') throw problems.upload_file_unexpected();
    const video = {
      id: newId(),
      name: nameOf(form, part.filename),
      source: 'file',
      sourceUri: null,
      heartbeat: true,
      reserveBytes: connection.length,
      metadata: {},
    };
    const made = await begin(caller, form, video, async (trx) => upload.repeat?.remember(video.id, trx));
    const alive = keepAlive(videos, made.id, connection);
    upload.begun = { ...made, form, filename: part.filename, stored: null, alive };
    const signal = AbortSignal.any([connection.gone, alive.signal]);
    upload.begun.stored = await storage.write(made.storageKey, part.stream, { signal, maxBytes });
  }

  /** All is here: what came after the file is noted, the file is read, and the video is ready. */
  async function finishFile(caller: Caller, upload: Upload): Promise<string> {
    const form = await checkForm(caller, upload.fields, folders);
    const { begun, sidecar } = upload;
    if (requireSource(form) !== 'file') throw problems.upload_file_unexpected();
    if (!begun?.stored) throw problems.upload_file_missing();
    const { id, storageKey, stored, alive } = begun;
    alive.received();
    if (sidecar) await keepSidecar(id, sidecar, alive.signal);
    const facts = await examine({ storage, media }, storageKey, stored, alive.signal, sha256Of(upload.fields));
    const ready = await database.transaction(async (trx) => {
      await videos.amend(trx, id, saidLater(begun, form, sidecar));
      return videos.markReady(trx, id, facts);
    });
    if (!ready) throw problems.upload_deleted();
    return id;
  }

  async function keepSidecar(id: string, { bytes }: Sidecar, signal?: AbortSignal): Promise<void> {
    await storage.write(sidecarKey(id), bytes, { signal, contentType: 'application/octet-stream' });
  }

  /** Hands a URL to a worker, and waits for it for a while. */
  async function receiveUrl(caller: Caller, upload: Upload, form: Form, gone: AbortSignal): Promise<Video> {
    if (!form.videoUrl)
      throw problems.upload_field_invalid('With `source` set to `video_url`, the field `video_url` is required.');
    const url = await net.check(form.videoUrl);
    const name = form.customName === null ? nameOfUrl(url) : givenName(form.customName);
    const sourceUri = withoutCredentials(url);
    const { sidecar } = upload;
    const payload = { url: url.href, named: form.customName !== null };
    const id = newId();
    const { orgId } = caller;
    const metadata = sidecar ? { sidecar: sidecar.summary } : {};
    try {
      // Not while the transaction holds rows that others wait for.
      if (sidecar) await keepSidecar(id, sidecar, gone);
      const video = { id, name, source: 'video_url', sourceUri, heartbeat: false, metadata };
      await begin(caller, form, video, async (trx) => {
        await jobs.send(trx, fetchVideo, { videoId: id, ...payload }, { orgId });
        await upload.repeat?.remember(id, trx);
      });
    } catch (error) {
      await videos.discard(id).catch((err) => log.warn({ err, videoId: id }, 'cannot take back a sidecar'));
      throw error;
    }
    return outcomeOf(videos, id, gone);
  }

  return {
    maxBytes,
    resumable,
    direct,

    async putSidecar(caller, videoId, filename, bytes) {
      await videos.getWritable(caller, videoId);
      const sidecar = checkSidecar(filename, bytes);
      await keepSidecar(videoId, sidecar);
      if (!(await database.transaction((trx) => videos.setSidecar(trx, videoId, sidecar.summary)))) {
        await videos.discard(videoId);
        throw problems.upload_deleted();
      }
      return videos.get(caller, videoId);
    },

    async receive(caller, parts, connection, repeat) {
      const earlier = repeat && (await resumeUpload(videos, repeat, connection.gone));
      if (earlier) return earlier;
      const upload: Upload = { fields: new Map(), sidecar: null, begun: null, repeat };
      try {
        for await (const part of parts) {
          if (part.kind === 'field') upload.fields.set(part.name, part.value);
          else if (part.name === 'file') await receiveFile(caller, upload, part, connection);
          else if (part.name === 'metadata_file') upload.sidecar = await readSidecar(part.filename, part.stream);
          else part.stream.resume();
        }
        const form = await checkForm(caller, upload.fields, folders);
        if (!upload.begun && requireSource(form) === 'video_url') {
          return await receiveUrl(caller, upload, form, connection.gone);
        }
        const id = await finishFile(caller, upload);
        const video = await videos.find(id);
        if (!video) throw problems.upload_deleted();
        return video;
      } catch (error) {
        throw await takeBack(upload.begun, error, connection.gone);
      } finally {
        upload.begun?.alive[Symbol.dispose]();
      }
    },

    async onSamplesWanted(trx, { folderId, orgId, userId: ownerId }) {
      const id = newId();
      const from = { source: 'sample', sourceUri: null, metadata: {}, heartbeat: false };
      await videos.create(trx, { id, orgId, ownerId, scope: 'sample', folderId, name: 'Street scene.mp4', ...from });
      await jobs.send(trx, drawSample, { videoId: id }, { orgId });
    },

    work() {
      jobs.handle(fetchVideo, (payload, context) =>
        attempts.attempt(payload.videoId, context, (key, signal) => bring(payload, key, signal)),
      );
      jobs.handle(giveUpFetch, ({ videoId }) => attempts.giveUp(videoId));
      jobs.handle(finishUpload, ({ videoId }, context) =>
        attempts.attempt(videoId, context, (key, signal) => finish(videoId, key, signal)),
      );
      jobs.handle(drawSample, ({ videoId }, context) =>
        attempts.attempt(videoId, context, (key, signal) => bringSample(videoId, key, signal)),
      );
      jobs.handle(giveUpFinish, ({ videoId }) => attempts.giveUp(videoId));
      jobs.handle(expireUploads, resumable.expire);
      jobs.schedule(expireUploads, '* * * * *', {});
    },
  };

  /** Nothing stays of an upload that failed. Returns what to tell of it. */
  async function takeBack(begun: Begun | null, cause: unknown, gone: AbortSignal): Promise<unknown> {
    const why = gone.aborted ? problems.upload_incomplete(undefined, { cause }) : cause;
    if (!begun) return why;
    try {
      const deleted = (await videos.find(begun.id)) === null;
      await videos.discard(begun.id);
      return deleted ? problems.upload_deleted(undefined, { cause }) : why;
    } catch (err) {
      // It goes silent then, and is swept.
      log.warn({ err, videoId: begun.id }, 'cannot take back an upload yet');
      return why;
    }
  }
}

function withoutCredentials(url: URL): string {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain.href;
}
