import type { DomainEvents, Events } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import { type Integrations, integrationProblems } from '#features/integrations/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { cancelRows, listObjects, maintainImports, transferRows } from './background-jobs.ts';
import {
  createDirectoryStarter,
  createImportJobs,
  createImportStarter,
  createNamedRows,
  createObjectLister,
} from './jobs/index.ts';
import * as jobStore from './jobs/job-store.ts';
import { createSourceBuckets } from './source-bucket.ts';
import { createSyncs } from './syncs/index.ts';
import * as syncStore from './syncs/sync-store.ts';
import { createTransferWorkers } from './transfer/index.ts';
import type { DirectoryFormat, ObjectKind, ObjectKinds } from './types.ts';
import { createVideoKind, type VideoKindDeps } from './video-kind.ts';

export type ImportsDeps = VideoKindDeps & {
  database: Database;
  events: Pick<Events, 'publish'>;
  folders: Pick<Folders, 'requireWritable'>;
  integrations: Pick<
    Integrations,
    'requireUsable' | 'hold' | 'open' | 'openPublic' | 'openAsReader' | 'canUseReader' | 'findForBucket'
  >;
  jobs: Pick<Jobs, 'send' | 'sendMany' | 'handle' | 'schedule'>;
  log: Log;
  /** Seconds until the first retry of an object; doubles with each retry. Default 2. */
  firstRetryDelayS?: number;
  /** Kinds of objects that other rooms import, besides videos. */
  additionalKinds?: readonly ObjectKind[];
  /** Formats of recordings that are imported by directory, by name. Default: none. */
  directoryFormats?: Readonly<Record<string, DirectoryFormat>>;
};

export function createImports({ additionalKinds = [], directoryFormats = {}, ...deps }: ImportsDeps) {
  const { database, jobs } = deps;
  const kinds: ObjectKinds = [createVideoKind(deps), ...additionalKinds];
  const sources = createSourceBuckets(deps);
  const workers = createTransferWorkers({ ...deps, sources, kinds });
  const listBucket = createObjectLister({ database, events: deps.events, sources, workers, kinds });
  const namedRows = createNamedRows({ events: deps.events, workers, kinds });
  const starter = createImportStarter({ ...deps, sources, namedRows, kinds });
  const startDirectories = createDirectoryStarter({ database, sources, starter, namedRows, formats: directoryFormats });
  const importJobs = createImportJobs({ ...deps, sources, starter, startDirectories, workers, kinds });
  const syncs = createSyncs({ ...deps, starter, workers });

  return {
    jobs: importJobs,
    syncs,
    onVideoDeleted: workers.onVideoDeleted,

    /** Deletes the integration's scheduled imports. Throws `integration_in_use` (409) while an import uses it. */
    async onIntegrationDeleted(
      trx: Transaction,
      { integrationId }: DomainEvents['integration.deleted'],
    ): Promise<void> {
      if (await jobStore.hasRunningJob(trx, integrationId)) throw integrationProblems.integration_in_use();
      await syncStore.deleteSyncsOfIntegration(trx, integrationId);
    },

    /** Throws `integration_in_use` (409) while an import uses it: its pending objects are in the previous bucket. */
    async onIntegrationMoved(trx: Transaction, { integrationId }: DomainEvents['integration.moved']): Promise<void> {
      if (await jobStore.hasRunningJob(trx, integrationId)) throw integrationProblems.integration_in_use();
    },

    /** Registers the handlers of this room's background jobs. */
    work(): void {
      jobs.handle(listObjects, ({ jobId }, { signal, lastAttempt }) => listBucket(jobId, signal, lastAttempt));
      jobs.handle(transferRows, workers.run);
      jobs.handle(cancelRows, ({ jobId }) => workers.cancel(jobId));
      jobs.handle(maintainImports, syncs.maintain);
      jobs.schedule(maintainImports, '* * * * *', {});
    },
  };
}

export type ImportsRoom = ReturnType<typeof createImports>;
