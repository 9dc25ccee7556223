/**
 * Imports: videos that lie in somebody's bucket. Named objects, sets of views, or all that fits a selection, once or on a schedule: each object is
 * a row of the import, brought by lanes that any worker takes up, and told of in the transaction that makes it a video.
 */
import type { Events, News } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import { type Integrations, integrationProblems } from '#features/integrations/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { cancelRows, listObjects, tendImports, transferRows } from './jobs.ts';
import { kindOf } from './kinds.ts';
import { createLanes } from './lanes.ts';
import { createLister } from './lister.ts';
import { createImportsService } from './service.ts';
import { createSources } from './source.ts';
import * as store from './store.ts';
import * as syncStore from './sync-store.ts';
import { createSyncs } from './syncs.ts';
import type { Kinds, ObjectKind } from './types.ts';
import { createVideoKind, type VideoKindDeps } from './video-kind.ts';

export { importJobs } from './jobs.ts';
export { importsRoutes } from './routes.ts';
export type { ObjectKind } from './types.ts';

export type ImportsDeps = VideoKindDeps & {
  database: Database;
  events: Pick<Events, 'publish'>;
  folders: Pick<Folders, 'requireWritable'>;
  integrations: Pick<Integrations, 'use' | 'hold' | 'open' | 'openPublic' | 'forBucket'>;
  jobs: Pick<Jobs, 'send' | 'sendMany' | 'handle' | 'schedule'>;
  log: Log;
  firstPauseS?: number;
  /** What else than videos is taken in, by the rooms that do. */
  moreKinds?: readonly ObjectKind[];
};

export function createImports({ moreKinds = [], ...deps }: ImportsDeps) {
  const { database, jobs } = deps;
  const kinds: Kinds = [createVideoKind(deps), ...moreKinds];
  const sources = createSources(deps);
  const lanes = createLanes({ ...deps, sources, kinds });
  const list = createLister({ database, sources, lanes, kinds });
  const imports = createImportsService({ ...deps, sources, lanes, kinds });
  const syncs = createSyncs({ ...deps, imports, lanes });

  return {
    ...imports,
    syncs,
    onVideoDeleted: lanes.onVideoDeleted,
    /** What becomes of an object of this name. */
    nameOf: (key: string) => kindOf(kinds, key).name,

    /** Throws `integration_in_use` (409) while an import uses it; scheduled imports with it go too. */
    async onIntegrationDeleted(trx: Transaction, { integrationId }: News['integration.deleted']): Promise<void> {
      if (await store.runningWith(trx, integrationId)) throw integrationProblems.integration_in_use();
      await syncStore.removeWith(trx, integrationId);
    },

    /** Throws `integration_in_use` (409) while an import uses it: what it has not brought yet lies where the integration led. */
    async onIntegrationMoved(trx: Transaction, { integrationId }: News['integration.moved']): Promise<void> {
      if (await store.runningWith(trx, integrationId)) throw integrationProblems.integration_in_use();
    },

    /** Registers the handlers of this room's jobs. */
    work(): void {
      jobs.handle(listObjects, ({ jobId }, { signal, lastAttempt }) => list(jobId, signal, lastAttempt));
      jobs.handle(transferRows, lanes.work);
      jobs.handle(cancelRows, ({ jobId }) => lanes.cancel(jobId));
      jobs.handle(tendImports, syncs.tend);
      jobs.schedule(tendImports, '* * * * *', {});
    },
  };
}

export type ImportsRoom = ReturnType<typeof createImports>;
