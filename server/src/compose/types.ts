import type { createEngine, ModelEntry, ModelFiles } from '#engine/index';
import type { createPeople } from '#features/accounts/index';
import type { createLive } from '#features/live/index';
import type { ConfiguredDatabase } from '#platform/db/index';
import type { HttpDeps } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Media, RtmpTimeouts } from '#platform/media/index';
import type { GuardedFetch, MinimumRate } from '#platform/net/index';
import type { Sealer, Secrets } from '#platform/secrets/index';
import type { createDiskSpace, DiskSpace, Storage } from '#platform/storage/index';
import type { SampleScene } from '../demo/scene.ts';

/** Parts of the service that a process runs. */
export type Roles = { api: boolean; worker: boolean };

/** Parts that the rooms share. */
export type Infrastructure = {
  database: ConfiguredDatabase;
  storage: Storage;
  diskSpace: ReturnType<typeof createDiskSpace>;
  /** The disk of stored files alone. */
  storageSpace: ReturnType<typeof createDiskSpace>;
  media: Media;
  engine: ReturnType<typeof createEngine>;
  /** The folder of models on this node. */
  modelFolder: ModelFiles;
  jobs: Jobs;
  net: GuardedFetch;
  secrets: Secrets;
  sealer: Sealer;
  log: Log;
};

/**
 * Parts of the service that tests replace. All else follows from the configuration. The caller closes the parts that it
 * passes.
 */
export type Overrides = Partial<Pick<Infrastructure, 'media' | 'engine'>> &
  Partial<Pick<HttpDeps, 'authenticate' | 'bodyRate'>> &
  Pick<Parameters<typeof createPeople>[0], 'passwords' | 'now'> & {
    /** Models that the service can use. */
    catalog?: readonly ModelEntry[];
    /** Free space of the disk of stored files. */
    storageSpace?: Pick<DiskSpace, 'freeBytes'>;
    /** Wraps the configured storage. */
    wrapStorage?: (storage: Storage) => Storage;
    /** Wraps the engine that the service creates. */
    wrapEngine?: (engine: Infrastructure['engine']) => Infrastructure['engine'];
    /** Lowest rate of a peer from which files are fetched. */
    fetchRate?: MinimumRate;
    /** Writes a sample video to a path. */
    renderSample?: (scene: SampleScene, path: string, signal: AbortSignal) => Promise<void>;
    /** Seconds before the first retry of an object of an import. */
    importRetryDelayS?: number;
    /** Seconds between attempts to deliver a message to a webhook. */
    webhookRetryDelaysS?: readonly number[];
    rtmpTimeouts?: Partial<RtmpTimeouts>;
    liveTimeouts?: Parameters<typeof createLive>[0]['timeouts'];
  };
