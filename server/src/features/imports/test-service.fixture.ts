import { readFile } from 'node:fs/promises';
import { createEvents } from '#features/events/index';
import { createFolders } from '#features/folders/index';
import { createIdentity, createIntegrations, integrationsRoutes } from '#features/integrations/index';
import { createVideos, videoJobs } from '#features/videos/index';
import type { Config } from '#platform/config/index';
import { openDatabase } from '#platform/db/database';
import type { ConnectionOptions } from '#platform/db/index';
import { createJobs } from '#platform/jobs/index';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { createGuardedFetch, type MinimumRate } from '#platform/net/index';
import { createSealer } from '#platform/secrets/index';
import { createStorage } from '#platform/storage/index';
import { openLibrary } from '#test/library';
import { createTestMedia, flatClip } from '#test/media/clips';
import { createImports, importJobs, importsRoutes } from './index.ts';

const SECRET = 'a root secret of the test that is long enough';

type Parts = Pick<
  Awaited<ReturnType<typeof openLibrary>>,
  'database' | 'storage' | 'events' | 'folders' | 'jobs' | 'videos' | 'log'
>;

const HUB = 'http://127.0.0.1:1';

function createRooms(
  parts: Parts,
  media: Pick<Media, 'probe'>,
  identity: Config['cloudIdentity'],
  hubUrl: string,
  minimumRate?: MinimumRate,
) {
  const net = createGuardedFetch({ allowedNetworks: ['127.0.0.1/32'], minimumRate });
  const integrations = createIntegrations({
    ...{ database: parts.database, events: parts.events, net },
    sealer: createSealer(SECRET),
    identity: createIdentity(identity),
    hubUrl,
    gcsUrl: HUB,
  });
  const imports = createImports({ ...parts, media, integrations, maxBytes: 2 ** 31, firstRetryDelayS: 0.2 });
  parts.events.subscribe('video.deleted', imports.onVideoDeleted);
  parts.events.subscribe('integration.deleted', imports.onIntegrationDeleted);
  parts.events.subscribe('integration.moved', imports.onIntegrationMoved);
  return { net, integrations, imports };
}

export type ImportService = Awaited<ReturnType<typeof openImportService>>;

/** Serves imports over HTTP with real media processes, a running worker and a key of the owner. Close it. */
export async function openImportService({
  worker = true,
  identity = null,
  hubUrl = HUB,
  minimumRate,
}: {
  worker?: boolean;
  hubUrl?: string;
  minimumRate?: MinimumRate;
  identity?: Config['cloudIdentity'];
} = {}) {
  const library = await openLibrary({ jobs: importJobs });
  const media = await createTestMedia();
  const { net, integrations, imports } = createRooms(library, media, identity, hubUrl, minimumRate);
  integrationsRoutes(library.app, integrations);
  importsRoutes(library.app, imports);
  library.videos.registerJobs();
  imports.work();
  if (worker) await library.jobs.start();
  const api = await library.serve();
  const me = await library.keyOf(library.owner, ['read', 'write']);

  const call = (method: string, path: string, json?: unknown, key = me.key) => api.call(method, path, { key, json });
  const rows = async (jobId: string): Promise<Record<string, unknown>[]> =>
    (await call('GET', `/api/import-jobs/${jobId}/videos?limit=1000`)).json.videos as Record<string, unknown>[];
  return {
    ...{ library, media, integrations, imports, me, call, rows },
    /** Saves an integration; returns its id. */
    async save(kind: string, body: object): Promise<string> {
      const { json, text } = await call('POST', `/api/cloud-integrations/${kind}`, { name: 'Test', ...body });
      if (typeof json.id !== 'string') throw new Error(text);
      return json.id;
    },
    /** Waits until a job has ended and returns it. */
    async ended(jobId: string, withinMs = 60_000): Promise<Record<string, unknown>> {
      const deadline = Date.now() + withinMs;
      for (;;) {
        const { json } = await call('GET', `/api/import-jobs/${jobId}`);
        if (json.completed_at && Number(json.uploaded) + Number(json.failed) === Number(json.objects)) return json;
        if (Date.now() > deadline) {
          throw new Error(`the import has not ended: ${JSON.stringify(json)} ${JSON.stringify(await rows(jobId))}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    async close() {
      library.app.server.closeAllConnections();
      await library.app.close();
      await library.jobs.close();
      await net.close();
      await library.close();
      await media.close();
    },
  };
}

/** Starts a worker on the same database and storage. Close it. */
export async function openWorker(connection: ConnectionOptions, filesDir: string) {
  const log = createLog('silent');
  const database = openDatabase(connection, log);
  const storage = await createStorage({ kind: 'file', dir: filesDir }, { dataDir: filesDir, reserveBytes: 0 });
  const events = createEvents({ database });
  const folders = createFolders({ database, events });
  const jobs = createJobs({ database, log, definitions: [...videoJobs, ...importJobs] });
  const videos = createVideos({ database, storage, events, folders, jobs, log, restoreS: 0 });
  const media = await createTestMedia();
  const { net, imports } = createRooms({ database, storage, events, folders, jobs, videos, log }, media, null, HUB);
  videos.registerJobs();
  imports.work();
  await jobs.start();
  return {
    async close() {
      await jobs.close();
      await net.close();
      await media.close();
      await storage.close();
      await database.close();
    },
  };
}

let clip: Promise<Buffer> | null = null;

/** Creates a video of exactly this size; a `free` box after its frames makes it unique to the name. */
export async function createVideo(name: string, bytes = 40_000): Promise<Buffer> {
  clip ??= flatClip({ times: [0, 0.5], endS: 1 }).then((path) => readFile(path));
  const video = await clip;
  const rest = Buffer.alloc(bytes - video.length, `${name} `);
  rest.writeUInt32BE(rest.length, 0);
  rest.write('free', 4);
  return Buffer.concat([video, rest]);
}

/** Body of a test integration for S3. */
export const s3Keys = (endpoint_url: string, bucket: string) => ({
  ...{ type: 's3', access_key_id: 'AKIATEST', secret_access_key: 'secret', session_token: null, prefix: null },
  ...{ endpoint_url, bucket },
});
