import type { Readable } from 'node:stream';
import type { Recordings } from '#engine/recording/index';
import type { Events } from '#features/events/index';
import type { FolderScope, Folders } from '#features/folders/index';
import type { Integrations } from '#features/integrations/index';
import type { Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, httpProblems, reaches } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { JobContext, Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Secrets } from '#platform/secrets/index';
import { type Storage, storageProblems } from '#platform/storage/index';
import { dropRecording, expireIngests, giveUpRecording, processRecording, transferRecording } from './jobs.ts';
import { problems } from './problems.ts';
import { assignRoles } from './roles.ts';
import * as store from './store.ts';
import type { FilmRow, Ingest, IngestStatus, Roles } from './types.ts';
import { createWork } from './work.ts';

export type McapDeps = {
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  recordings: Recordings;
  videos: Pick<Videos, 'create' | 'amend' | 'markReady' | 'giveUp' | 'find' | 'holdSpace'>;
  folders: Pick<Folders, 'requireWritable'>;
  integrations: Pick<Integrations, 'use' | 'open'>;
  events: Pick<Events, 'publish'>;
  jobs: Pick<Jobs, 'send' | 'sendMany' | 'handle' | 'schedule'>;
  secrets: Secrets;
  log: Log;
  /** Address that clients reach the API under. */
  publicUrl: string;
  /** Largest recording, in bytes. */
  maxBytes: number;
  /** How many channels are made videos of at once. */
  atOnce: number;
};

export type NewIngest = {
  filename: string;
  sizeBytes: number;
  sha256: string | null;
  folderId: string | null;
  scope: FolderScope | null;
  partS: number | null;
};

export type NewImport = Pick<NewIngest, 'folderId' | 'scope' | 'partS'> & {
  integrationId: string;
  files: readonly { key: string; filename: string | null }[];
};

/** An ingest with its videos and the roles of its channels. */
export type Recording = { ingest: Ingest; films: FilmRow[] };
export type ImportState = { id: string; createdAt: Date; ingests: Ingest[]; videos: Map<string, string[]> };

/** Every caller's question throws `mcap_ingest_not_found` (404) or `mcap_forbidden` (403). */
export interface Mcap {
  /** Makes an ingest whose file is then PUT to `uploadUrl`. Throws `file_too_large` (413), `quota_exceeded` (403), or what the folder's room says of the folder. */
  create(caller: Caller, ingest: NewIngest): Promise<{ ingest: Ingest; uploadUrl: string }>;
  /** Takes the file. Throws `mcap_url_invalid` (403), `mcap_already_uploaded` (409), `mcap_expired` (410), `mcap_size_mismatch` or `mcap_digest_mismatch` (400). */
  receive(ingestId: string, token: string, body: Readable, length: number | null, gone: AbortSignal): Promise<void>;
  /** Has videos made of it; once it has begun, the same as `stitch`. Throws `mcap_not_uploaded` (409), or what `stitch` throws. */
  process(caller: Caller, ingestId: string, roles: Roles): Promise<Recording>;
  get(caller: Caller, ingestId: string): Promise<Recording>;
  /** Gives channels other roles. Throws `mcap_channel_unknown`, `mcap_role_invalid` or `mcap_role_repeated` (400). */
  stitch(caller: Caller, ingestId: string, roles: Roles): Promise<Recording>;
  /** Brings recordings from a bucket. Throws `mcap_files_repeated` (400), or what the integrations' room says. */
  import(caller: Caller, wanted: NewImport): Promise<ImportState>;
  /** Throws `mcap_import_not_found` (404) or `mcap_forbidden` (403). */
  getImport(caller: Caller, importId: string): Promise<ImportState>;
  /** Registers the handlers of this room's jobs. */
  work(): void;
}

const PURPOSE = 'mcap-upload';
const URL_MS = 24 * 3600 * 1000;
/** An ingest whose file did not come for this long, or that nobody had processed, is over. */
const LIFE_HOURS = 48;
const EXPIRED_AT_ONCE = 100;
const WAITING = ['created', 'uploaded'] as const;
const UNDER_WAY = [...WAITING, 'transferring', 'processing'] as const;

export function createMcapService(deps: McapDeps): Mcap {
  const { database, storage, videos, folders, integrations, events, jobs, secrets, log, publicUrl, maxBytes } = deps;
  const { db } = database;
  const work = createWork(deps);
  const folderOf = (id: string) => `mcap/${id}/`;
  const ended = ({ status }: Ingest) => !UNDER_WAY.some((each) => each === status);

  function requireSeen(
    caller: Caller,
    of: { orgId: string; ownerId: string; scope?: FolderScope; folderId?: string | null },
  ) {
    const sees = of.scope === 'org' || of.ownerId === caller.userId || caller.scopes.includes('admin');
    if (of.orgId !== caller.orgId || !sees) throw problems.mcap_forbidden();
    if (!reaches(caller, of.folderId ?? null)) throw httpProblems.key_limited();
  }

  async function require(caller: Caller, id: string): Promise<Ingest> {
    const ingest = await store.find(db, id);
    if (!ingest) throw problems.mcap_ingest_not_found();
    requireSeen(caller, ingest);
    return ingest;
  }

  async function placeOf(caller: Caller, asked: string | null, scope: FolderScope | null) {
    // A key that is limited to a folder has what it brings land there.
    const folderId = asked ?? caller.folderId ?? null;
    const folder = folderId === null ? null : await folders.requireWritable(caller, folderId);
    if (folder && scope && scope !== folder.scope) throw problems.mcap_scope_conflict();
    return { orgId: caller.orgId, ownerId: caller.userId, folderId, scope: folder?.scope ?? scope ?? 'user' };
  }

  const recordingOf = async (ingest: Ingest): Promise<Recording> => ({
    ingest,
    films: await store.films(db, ingest.id),
  });

  /** The channels that roles can be given to: all that have pictures, as far as the recording was looked into. */
  const camerasOf = ({ survey }: Ingest) =>
    survey?.channels.filter(({ pictures }) => pictures).map(({ name }) => name) ?? null;

  /** Tells of the views that the roles make: each stretch of the recording is a set of its own. */
  async function publishViews(trx: Transaction, ingest: Ingest): Promise<void> {
    const films = (await store.films(trx, ingest.id)).filter(({ status }) => status === 'completed');
    const roles = assignRoles(camerasOf(ingest) ?? [], ingest.roles);
    for (const stretch of Map.groupBy(films, ({ part }) => part).values()) {
      const views = viewsOf(roles, stretch);
      if (views.length > 1) {
        await events.publish(trx, 'views.linked', { orgId: ingest.orgId, primaryVideoId: views[0]!.videoId, views });
      }
    }
  }

  /** One attempt at a job's work; what will not pass ends the ingest. */
  async function attempt(id: string, context: JobContext, doing: (ingest: Ingest) => Promise<void>): Promise<void> {
    const ingest = await store.find(db, id);
    if (!ingest || ended(ingest)) return;
    try {
      await doing(ingest);
    } catch (error) {
      if (context.signal.aborted) throw error;
      const final = error instanceof Problem && error.status < 500;
      if (!final && !context.lastAttempt) throw error;
      log[final ? 'info' : 'error']({ err: error, ingestId: id }, 'a recording could not be processed');
      await finish(id, 'failed', final ? error : problems.mcap_failed());
    }
  }

  /** Ends it, if it is in one of the states `from`: its views are told of, its file goes and the space that was held for it is free. */
  async function finish(
    id: string,
    status: 'completed' | 'partial' | 'failed',
    problem: Problem | null,
    from: readonly IngestStatus[] = UNDER_WAY,
  ): Promise<void> {
    await database.transaction(async (trx) => {
      const ingest = await store.end(trx, id, from, status, problem);
      if (!ingest) return;
      if (status !== 'failed') await publishViews(trx, ingest);
      await jobs.send(trx, dropRecording, { ingestId: id });
      await videos.holdSpace(trx, ingest.orgId, -ingest.reservedBytes);
    });
  }

  /** The file is not waited for any more. */
  const notAwaited = (ingest: Ingest | null) =>
    ingest?.status === 'failed' ? problems.mcap_expired() : problems.mcap_already_uploaded();

  async function makeVideos(ingest: Ingest, signal: AbortSignal): Promise<void> {
    await work.make(ingest, signal);
    const films = await store.films(db, ingest.id);
    const failed = films.filter(({ status }) => status === 'failed');
    if (failed.length === films.length) {
      const reasons = failed.map(({ channel, problem }) => `${channel}: ${problem?.message}`).join(' ');
      throw problems.mcap_no_films(`None of the channels of pictures could be made a video of. ${reasons}`);
    }
    const lost = (await store.find(db, ingest.id))!.survey!.lost;
    const [first] = failed;
    const why = first
      ? problems.mcap_part_missing(`${first.channel}: ${first.problem?.message}`)
      : lost[0] && problems.mcap_part_missing(`A part of the recording could not be read: ${lost[0].reason}.`);
    await finish(ingest.id, why ? 'partial' : 'completed', why ?? null);
  }

  /** Holds space for a file whose size is known now, in place of what was held. Throws `quota_exceeded` (403). */
  async function hold(id: string, bytes: number): Promise<void> {
    await database.transaction(async (trx) => {
      const ingest = await store.lock(trx, id);
      if (!ingest || ended(ingest)) return;
      await store.setReserved(trx, id, bytes);
      await videos.holdSpace(trx, ingest.orgId, bytes - ingest.reservedBytes);
    });
  }

  /** Brings the object and hands it to processing. */
  async function transfer(ingest: Ingest, signal: AbortSignal): Promise<void> {
    const row = ingest.importId === null ? null : await store.findImport(db, ingest.importId);
    const opened = row && (await integrations.open(row.integrationId));
    if (!opened) throw problems.mcap_import_not_found('The integration that this recording comes from was deleted.');
    try {
      const object = await opened.bucket.open(ingest.objectKey!, { version: null, at: 0 }, signal);
      await hold(ingest.id, object.size);
      const storageKey = `${folderOf(ingest.id)}${newId()}`;
      const file = await storage.write(storageKey, object.body, { signal, maxBytes });
      if (file.size !== object.size) throw problems.mcap_size_mismatch('The bucket sent less than the object has.');
      await database.transaction(async (trx) => {
        const here = await store.arrived(trx, ingest.id, 'transferring', {
          storageKey,
          sizeBytes: file.size,
          sha256: file.sha256,
        });
        if (!here) return;
        await store.setStatus(trx, ingest.id, 'processing');
        await jobs.send(trx, processRecording, { ingestId: ingest.id });
      });
    } finally {
      opened.bucket.close();
    }
  }

  const mcap: Mcap = {
    async create(caller, { filename, sizeBytes, sha256, partS, ...place }) {
      if (sizeBytes > maxBytes) throw storageProblems.file_too_large();
      const id = newId();
      const ingest = {
        ...(await placeOf(caller, place.folderId, place.scope)),
        ...{ id, importId: null, objectKey: null, filename, sourceUri: `mcap://${id}/${encodeURIComponent(filename)}` },
        ...{ sizeBytes, reservedBytes: sizeBytes, sha256, partS, status: 'created' as const },
      };
      await database.transaction(async (trx) => {
        await store.insert(trx, [ingest]);
        await videos.holdSpace(trx, caller.orgId, sizeBytes);
      });
      const token = secrets.sign(PURPOSE, id, new Date(Date.now() + URL_MS));
      return {
        ingest: (await store.find(db, id))!,
        uploadUrl: `${publicUrl}/api/mcap/${id}/file?token=${token}`,
      };
    },

    async receive(ingestId, token, body, length, gone) {
      if (secrets.verify(PURPOSE, ingestId, token) !== 'ok') throw problems.mcap_url_invalid();
      const ingest = await store.find(db, ingestId);
      if (!ingest) throw problems.mcap_ingest_not_found();
      if (ingest.status !== 'created') throw notAwaited(ingest);
      const wrongSize = (bytes: number) =>
        problems.mcap_size_mismatch(`${ingest.sizeBytes} bytes were announced, and ${bytes} came.`);
      if (length !== null && length !== ingest.sizeBytes) throw wrongSize(length);
      // A name of its own: of two that come at once, one is kept.
      const storageKey = `${folderOf(ingestId)}${newId()}`;
      try {
        const { size, sha256 } = await storage.write(storageKey, body, { signal: gone, maxBytes: ingest.sizeBytes! });
        if (size !== ingest.sizeBytes) throw wrongSize(size);
        if (ingest.sha256 !== null && sha256 !== ingest.sha256) throw problems.mcap_digest_mismatch();
        if (!(await store.arrived(db, ingestId, 'created', { storageKey, sizeBytes: size, sha256 }))) {
          throw notAwaited(await store.find(db, ingestId));
        }
      } catch (error) {
        await storage.remove(storageKey);
        if (error instanceof Problem && error.code === 'file_too_large') throw wrongSize(ingest.sizeBytes! + 1);
        throw error;
      }
    },

    async process(caller, ingestId, roles) {
      const { status } = await require(caller, ingestId);
      if (status === 'created' || status === 'transferring') throw problems.mcap_not_uploaded();
      if (status !== 'uploaded') return mcap.stitch(caller, ingestId, roles);
      await database.transaction(async (trx) => {
        const locked = await store.lock(trx, ingestId);
        if (locked?.status !== 'uploaded') return;
        await store.setRoles(trx, ingestId, roles);
        await store.setStatus(trx, ingestId, 'processing');
        await jobs.send(trx, processRecording, { ingestId });
      });
      return mcap.get(caller, ingestId);
    },

    get: async (caller, ingestId) => recordingOf(await require(caller, ingestId)),

    async stitch(caller, ingestId, roles) {
      await require(caller, ingestId);
      await database.transaction(async (trx) => {
        const ingest = (await store.lock(trx, ingestId))!;
        const cameras = camerasOf(ingest);
        if (cameras) assignRoles(cameras, roles);
        await store.setRoles(trx, ingestId, roles);
        if (ended(ingest) && ingest.status !== 'failed') await publishViews(trx, { ...ingest, roles });
      });
      return mcap.get(caller, ingestId);
    },

    async import(caller, { integrationId, files, folderId, scope, partS }) {
      if (new Set(files.map(({ key }) => key)).size < files.length) throw problems.mcap_files_repeated();
      const integration = await integrations.use(caller, integrationId);
      const place = await placeOf(caller, folderId, scope);
      const importId = newId();
      const ingests = files.map(({ key, filename }) => ({
        ...{ ...place, id: newId(), importId, objectKey: key, partS, sizeBytes: null, reservedBytes: 0, sha256: null },
        filename: (filename || key.split('/').at(-1) || key).slice(0, 255),
        sourceUri: `${SCHEMES[integration.type]}://${integration.bucket}/${key}`,
        status: 'transferring' as const,
      }));
      await database.transaction(async (trx) => {
        await store.insertImport(trx, { id: importId, orgId: caller.orgId, ownerId: caller.userId, integrationId });
        await store.insert(trx, ingests);
        await jobs.sendMany(
          trx,
          transferRecording,
          ingests.map(({ id }) => ({ ingestId: id })),
        );
      });
      return mcap.getImport(caller, importId);
    },

    async getImport(caller, importId) {
      const found = await store.findImport(db, importId);
      if (!found) throw problems.mcap_import_not_found();
      const ingests = await store.ofImport(db, importId);
      requireSeen(caller, { ...found, scope: ingests[0]?.scope, folderId: ingests[0]?.folderId });
      const videos = await store.videosOf(
        db,
        ingests.map(({ id }) => id),
      );
      return { id: importId, createdAt: found.createdAt, ingests, videos };
    },

    work() {
      jobs.handle(transferRecording, ({ ingestId }, context) =>
        attempt(ingestId, context, (ingest) => transfer(ingest, context.signal)),
      );
      jobs.handle(processRecording, ({ ingestId }, context) =>
        attempt(ingestId, context, (ingest) => makeVideos(ingest, context.signal)),
      );
      jobs.handle(giveUpRecording, async ({ ingestId }) => {
        for (const { videoId, status } of await store.films(db, ingestId)) {
          if (videoId && status === 'processing') await videos.giveUp(videoId, problems.mcap_failed());
        }
        await finish(ingestId, 'failed', problems.mcap_failed());
      });
      jobs.handle(expireIngests, async () => {
        const never = problems.mcap_expired();
        for (const id of await store.waiting(db, LIFE_HOURS, EXPIRED_AT_ONCE))
          await finish(id, 'failed', never, WAITING);
      });
      jobs.handle(dropRecording, ({ ingestId }) => storage.removeAll(folderOf(ingestId)));
      jobs.schedule(expireIngests, '17 * * * *', {});
    },
  };
  return mcap;
}

const SCHEMES = { s3: 's3', s3_storage_transfer: 's3', gcs: 'gs', hf_bucket: 'hf' } as const;

/** The views of one stretch, the primary first; offsets count from the first frame of the primary. */
export function viewsOf(roles: ReturnType<typeof assignRoles>, films: readonly FilmRow[]) {
  const shown = roles.flatMap((role) => {
    const film = films.find(({ channel, status }) => channel === role.channel && status === 'completed');
    return film?.videoId && film.film ? [{ ...role, videoId: film.videoId, facts: film.film }] : [];
  });
  const origin = shown[0]?.facts.start_s ?? 0;
  return shown.map(({ facts, ...view }) => ({ ...view, offsetS: Math.round((facts.start_s - origin) * 1e6) / 1e6 }));
}
