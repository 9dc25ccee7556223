import type { createEngine } from '#engine/index';
import type { ConfiguredDatabase } from '#platform/db/index';
import type { HttpDeps } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import type { GuardedFetch } from '#platform/net/index';
import type { Sealer, Secrets } from '#platform/secrets/index';
import type { createDiskSpace, Storage } from '#platform/storage/index';

/** Parts of the service that a process runs. */
export type Roles = { api: boolean; worker: boolean };

/** Parts that the rooms share. */
export type Infrastructure = {
  database: ConfiguredDatabase;
  storage: Storage;
  diskSpace: ReturnType<typeof createDiskSpace>;
  media: Media;
  engine: ReturnType<typeof createEngine>;
  jobs: Jobs;
  net: GuardedFetch;
  secrets: Secrets;
  sealer: Sealer;
  log: Log;
};

/** Parts to use instead of those that the configuration describes. The caller closes the parts that it passes. */
export type Overrides = Partial<Pick<Infrastructure, 'database' | 'storage' | 'media' | 'engine' | 'net'>> &
  Partial<Pick<HttpDeps, 'authenticate' | 'bodyRate'>> & {
    /** Writes the sample video to a path. */
    renderSample?: (path: string, signal: AbortSignal) => Promise<void>;
    /** Seconds before the first retry of an object of an import. */
    importRetryDelayS?: number;
  };
