import { join } from 'node:path';
import { createEngine, createModelConverter, createModelFolder } from '#engine/index';
import { accountJobs } from '#features/accounts/index';
import { analysisJobs } from '#features/analyses/index';
import { auditJobs } from '#features/audit/index';
import { cameraJobs } from '#features/cameras/index';
import { datasetJobs } from '#features/datasets/index';
import { exportJobs } from '#features/exports/index';
import { importJobs } from '#features/imports/index';
import { liveJobs } from '#features/live/index';
import { mcapJobs } from '#features/mcap/index';
import { playbackJobs } from '#features/playback/index';
import { savedQuestionJobs } from '#features/saved-questions/index';
import { createSharedModels, systemJobs } from '#features/system/index';
import { uploadJobs } from '#features/uploads/index';
import { videoJobs } from '#features/videos/index';
import { webhookJobs } from '#features/webhooks/index';
import type { Config } from '#platform/config/index';
import { openConfiguredDatabase } from '#platform/db/index';
import { createJobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { createMedia } from '#platform/media/index';
import { createGuardedFetch, FETCH_RATE } from '#platform/net/index';
import { createSealer, createSecrets, loadRootSecret } from '#platform/secrets/index';
import { createDiskSpace, createStorage } from '#platform/storage/index';
import type { Infrastructure, Overrides, Roles } from './types.ts';

/** Every kind of job. */
export const JOB_DEFINITIONS = [
  ...accountJobs,
  ...auditJobs,
  ...videoJobs,
  ...uploadJobs,
  ...playbackJobs,
  ...analysisJobs,
  ...datasetJobs,
  ...exportJobs,
  ...savedQuestionJobs,
  ...webhookJobs,
  ...importJobs,
  ...mcapJobs,
  ...liveJobs,
  ...cameraJobs,
  ...systemJobs,
];

/**
 * Creates the parts that rooms share: database, storage, media processes, engine, jobs, network, secrets. `parts`
 * closes them.
 */
export async function createInfrastructure(
  { config, log, roles, overrides }: { config: Config; log: Log; roles: Roles; overrides: Overrides },
  parts: AsyncDisposableStack,
): Promise<Infrastructure> {
  const closed = <T extends { close(): Promise<unknown> }>(part: T): T => {
    parts.defer(async () => void (await part.close()));
    return part;
  };
  const mode = roles.api && roles.worker ? 'own' : 'share';
  const database = closed(await openConfiguredDatabase(config, log, { mode }));
  const rootSecret = loadRootSecret(config.secret, config.dataDir);
  const configured = closed(
    await createStorage(config.storage, { dataDir: config.dataDir, removesAbandoned: roles.worker }),
  );
  const storage = overrides.wrapStorage?.(configured) ?? configured;
  const { folder } = database.engine;
  const diskSpace = createDiskSpace(
    [...(folder === null ? [] : [folder]), ...(config.storage.kind === 'file' ? [config.storage.dir] : [])],
    // For the embedded database; the disk of another one is not that of this node.
    folder === null ? {} : { setAside: join(config.dataDir, 'set-aside') },
  );
  const storageSpace = createDiskSpace(config.storage.kind === 'file' ? [config.storage.dir] : []);

  async function openMedia() {
    const { path: tempDir } = parts.use(await storage.scratch());
    return closed(
      await createMedia({
        ...config.media,
        maxSeconds: config.limits.videoSeconds,
        tempDir,
        readable: [config.modelsDir],
        ownFolders: [config.dataDir, ...(config.storage.kind === 'file' ? [config.storage.dir] : [])],
        sandbox: { maxFileBytes: config.limits.uploadBytes },
        log,
      }),
    );
  }
  const media = overrides.media ?? (await openMedia());
  const { catalog } = overrides;
  const modelFolder = createModelFolder(config.modelsDir, createModelConverter({ log }));
  const models = createSharedModels({ folder: modelFolder, database, storage, log });
  const { vision, language, detector } = config;
  const createOwn = () => createEngine({ media, models, catalog, detector, vision, language, log });
  const engine = overrides.engine ?? overrides.wrapEngine?.(createOwn()) ?? createOwn();
  const jobs = closed(
    createJobs({ database, log, definitions: JOB_DEFINITIONS, maxWaiting: config.limits.waitingJobs }),
  );
  const net = closed(
    createGuardedFetch({
      allowedNetworks: config.allowedNetworks,
      minimumRate: overrides.fetchRate ?? { ...FETCH_RATE, bytesPerS: config.minFetchBytesPerS },
    }),
  );
  return {
    database,
    storage,
    diskSpace,
    storageSpace,
    media,
    engine,
    modelFolder,
    jobs,
    net,
    log,
    secrets: createSecrets(rootSecret),
    sealer: createSealer(rootSecret, config.previousSecret),
  };
}
