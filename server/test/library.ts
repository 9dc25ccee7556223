import type { Owner } from '#features/accounts/index';
import type { NewVideo } from '#features/videos/index';
import type { Caller, Scope } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Probe } from '#platform/media/index';
import type { Overrides } from '../src/compose/index.ts';
import { type Env, startTestApp } from './app.ts';

export type TestLibrary = Awaited<ReturnType<typeof openLibrary>>;
export type LibraryOptions = { worker?: boolean; overrides?: Overrides };

export const PUBLIC_URL = 'http://public.example';
export const SECRET = 'a root secret of the test that is long enough';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1';

/** Small and reachable only from this machine; deleted videos are erased at once. */
const ENV: Env = {
  SIGHTLINE_PUBLIC_URL: PUBLIC_URL,
  SIGHTLINE_SECRET: SECRET,
  SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8',
  SIGHTLINE_RESTORE_HOURS: '0',
  SIGHTLINE_UPLOADS_AT_ONCE: '1000',
  SIGHTLINE_UPLOAD_BYTES_PER_MINUTE: String(2 ** 50),
  SIGHTLINE_MAX_UPLOAD_BYTES: String(2 ** 31),
  HF_ENDPOINT: NOWHERE,
  STORAGE_EMULATOR_HOST: NOWHERE,
  SIGHTLINE_LIVE_WINDOW_SECONDS: '60',
  SIGHTLINE_MEDIA_PROCESSES: '1',
};

/** The whole service with functions that create users and videos; without a worker unless requested. Close it. */
export async function openLibrary(env: Env = {}, { worker = false, overrides }: LibraryOptions = {}) {
  const started = await startTestApp({ ...ENV, ...env }, { overrides, roles: { api: true, worker } });
  const { sightline } = started;
  const { accounts, config, database, keys, storage, videos } = sightline;
  const owner = (await accounts.owner())!;

  /** A record as the uploads room makes it. */
  async function add(caller: Pick<Caller, 'orgId' | 'userId'>, more: Partial<NewVideo> = {}): Promise<string> {
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
    return id;
  }

  return {
    ...sightline,
    owner,
    add,
    app: sightline.api,
    api: started.api,
    env: started.env,
    close: started.close,
    folder: config.dataDir,
    /** Of a storage on disk. */
    filesDir: config.storage.kind === 'file' ? config.storage.dir : '',
    /** A key of a user with these scopes, and its caller; only admins have such that may everything. */
    async keyOf(user: Owner, scopes: Scope[]) {
      if (scopes.includes('admin')) {
        const member = database.db.updateTable('users').set({ role: 'admin' }).where('role', '=', 'member');
        await member.where('id', '=', user.userId).execute();
      }
      const { key } = await keys.create({ ...user, name: scopes.join(), scopes });
      return { key, caller: await keys.authenticate(key) };
    },
    /** A user of the same organization, or of a new one. */
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
    /** A stored video with these bytes, as after an upload. */
    async addStored(
      caller: Pick<Caller, 'orgId' | 'userId'>,
      bytes: Buffer,
      { probe = PROBE, ...more }: Partial<NewVideo> & { probe?: Probe } = {},
    ): Promise<string> {
      const id = await add(caller, more);
      const { storageKey } = (await videos.find(id))!;
      const { size, sha256 } = await storage.write(storageKey, bytes);
      await database.transaction((trx) => videos.markReady(trx, id, { probe, sizeBytes: size, sha256 }));
      return id;
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
    hdr: null,
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
