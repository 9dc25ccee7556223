import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccounts, type Owner } from '#features/accounts/index';
import { createEvents } from '#features/events/index';
import { createFolders, foldersRoutes } from '#features/folders/index';
import { createKeys } from '#features/keys/index';
import { createVideos, type NewVideo, type QuotaLimits, videoJobs, videosRoutes } from '#features/videos/index';
import { openDatabase } from '#platform/db/database';
import type { Caller, Scope } from '#platform/http/index';
import { createHttp, createIdempotencyStore } from '#platform/http/index';
import { newId } from '#platform/ids';
import { createJobs, type JobDefinition } from '#platform/jobs/index';
import { createLog } from '#platform/log';
import type { Probe } from '#platform/media/index';
import type { MinimumRate } from '#platform/net/index';
import { createStorage, type Storage } from '#platform/storage/index';
import { createTestDatabase } from './database/test-database.ts';
import { listen } from './http.ts';

export type TestLibrary = Awaited<ReturnType<typeof openLibrary>>;

const inFolder = (folder: string) =>
  createStorage({ kind: 'file', dir: join(folder, 'files') }, { dataDir: folder, reserveBytes: 0 });

/**
 * A library on a database and a folder of its own, served over HTTP, with its worker running. `more` adds rooms that
 * stand on it.
 */
export async function openLibrary({
  jobs: moreJobs = [],
  bodyBytes = 1 << 20,
  bodyRate,
  restoreS = 0,
  limits,
  storage: open = inFolder,
}: {
  jobs?: readonly JobDefinition[];
  bodyBytes?: number;
  bodyRate?: MinimumRate;
  restoreS?: number;
  limits?: QuotaLimits;
  /** Where the files are; default: a folder. */
  storage?: (folder: string) => Promise<Storage>;
} = {}) {
  const log = createLog('silent');
  const { connection, drop } = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'sightline library '));
  const database = openDatabase(connection, log);
  const storage = await open(folder);
  const events = createEvents({ database });
  const folders = createFolders({ database, events });
  const keys = createKeys({ database, log });
  const jobs = createJobs({ database, log, definitions: [...videoJobs, ...moreJobs] });
  const videos = createVideos({ database, storage, events, folders, jobs, log, restoreS, limits });
  const owner: Owner = await database.transaction((trx) => createAccounts({ database }).bootstrap(trx));
  const app = createHttp({
    log,
    bodyBytes,
    bodyRate,
    authenticate: keys.authenticate,
    idempotency: createIdempotencyStore(database),
  });
  foldersRoutes(app, folders);
  videosRoutes(app, videos);
  events.subscribe('folder.deleted', videos.onFolderDeleted);

  return {
    ...{ log, database, storage, events, folders, keys, jobs, videos, owner, folder, app },
    filesDir: join(folder, 'files'),
    serve: () => listen(app),
    /** A key of a user with these scopes, and its caller; only admins have such that may everything. */
    async keyOf(user: Owner, scopes: Scope[]) {
      if (scopes.includes('admin')) {
        const member = database.db.updateTable('users').set({ role: 'admin' }).where('role', '=', 'member');
        await member.where('id', '=', user.userId).execute();
      }
      const { key } = await keys.create({ ...user, name: scopes.join(), scopes });
      return { key, caller: await keys.authenticate(key) };
    },
    /** A user of the same organisation, or of a new one. */
    async addUser(orgId?: string): Promise<Owner> {
      const userId = newId();
      const org = orgId ?? newId();
      await database.transaction(async (trx) => {
        if (!orgId) await trx.insertInto('organizations').values({ id: org, name: 'Other' }).execute();
        const email = `${userId}@example.org`;
        await trx.insertInto('users').values({ id: userId, orgId: org, email, name: userId, role: 'member' }).execute();
      });
      return { ...owner, userId, orgId: org, email: `${userId}@example.org` };
    },
    /** A record as the uploads room makes it. */
    async add(caller: Pick<Caller, 'orgId' | 'userId'>, more: Partial<NewVideo> = {}): Promise<string> {
      const id = newId();
      const video: NewVideo = {
        id,
        orgId: caller.orgId,
        ownerId: caller.userId,
        scope: 'user',
        folderId: null,
        name: `${id}.mp4`,
        source: 'file',
        sourceUri: null,
        metadata: {},
        heartbeat: true,
        ...more,
      };
      await database.transaction((trx) => videos.create(trx, video));
      return video.id;
    },
    async close() {
      await app.close();
      await jobs.close();
      await keys.close();
      await storage.close();
      await database.close();
      await drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const PROBE: Probe = {
  container: 'mp4',
  durationS: 12.5,
  startS: 0,
  sizeBytes: 1000,
  video: {
    codec: 'h264',
    pixelFormat: 'yuv420p',
    width: 640,
    height: 360,
    rotation: 0,
    frameRate: 25,
    timeBase: [1, 12_800],
    frames: 312,
  },
  audio: null,
  createdAt: null,
  tags: {},
};
