import { type AuditActor, recordAction } from '#features/audit/index';
import { type Integrations, toProvider } from '#features/integrations/index';
import { canRead } from '#platform/access/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import { Problem } from '#platform/problem';
import { listObjects, maintainImports } from '../background-jobs.ts';
import type { ImportStarter } from '../jobs/index.ts';
import * as jobStore from '../jobs/job-store.ts';
import { problems } from '../problems.ts';
import type { ObjectSelection } from '../selection.ts';
import type { TransferWorkers } from '../transfer/index.ts';
import type { ImportDestination } from '../types.ts';
import * as syncStore from './sync-store.ts';

/** A running import without progress for this long may have lost its background jobs. */
const STALLED_S = 300;
const RESTART_BATCH = 100;

type Deps = {
  database: Database;
  integrations: Pick<Integrations, 'requireUsable'>;
  starter: Pick<ImportStarter, 'createJob' | 'resolveDestination'>;
  workers: Pick<TransferWorkers, 'start'>;
  jobs: Pick<Jobs, 'send'>;
};

export type RequestedSync = Omit<ImportDestination, 'force'> & {
  integrationId: string;
  selection: ObjectSelection;
  everyMinutes: number;
};

/** Scheduled imports: each run imports the new objects of a selection. */
export function createSyncs({ database, integrations, starter, workers, jobs }: Deps) {
  const { db } = database;

  async function get(caller: Caller, id: string): Promise<syncStore.ImportSync> {
    const sync = await syncStore.findSync(db, id);
    if (!sync) throw problems.sync_not_found();
    if (!canRead(caller, sync)) throw problems.import_forbidden('This scheduled import belongs to another user.');
    return sync;
  }

  /** Starts a run with the current permissions of the sync's owner. */
  async function startRun(trx: Transaction, sync: syncStore.DueSync): Promise<void> {
    const owner = { orgId: sync.orgId, userId: sync.ownerId };
    if (sync.ownerRemoved) throw problems.sync_owner_left();
    const integration = await integrations.requireUsable(owner, sync.integrationId);
    const destination = await starter.resolveDestination(owner, sync);
    const { sidecars, selection } = sync;
    const job = await starter.createJob(
      trx,
      owner,
      { provider: toProvider(integration.type), bucketName: integration.bucket, integration },
      { ...destination, sidecars, force: false, selection, syncId: sync.id, multiView: false, format: null },
    );
    await syncStore.setLastJob(trx, sync.id, job.id);
    await jobs.send(trx, listObjects, { jobId: job.id }, { orgId: job.orgId });
  }

  /** Starts one due sync, or stops it with the reason. Returns false if none is due. */
  async function runNextDue(): Promise<boolean> {
    return database.transaction(async (trx) => {
      const sync = await syncStore.claimDue(trx);
      if (!sync) return false;
      try {
        await startRun(trx, sync);
      } catch (error) {
        if (!(error instanceof Problem) || error.isFault) throw error;
        await syncStore.markStopped(trx, sync.id, error);
      }
      return true;
    });
  }

  return {
    get,

    /** Creates a sync that first runs within a minute. Throws if the integration or folder cannot be used. */
    async create(
      caller: Caller,
      { integrationId, selection, everyMinutes, ...destination }: RequestedSync,
      by: AuditActor,
    ) {
      const integration = await integrations.requireUsable(caller, integrationId);
      const place = await starter.resolveDestination(caller, destination);
      const sync: syncStore.NewSync = {
        id: newId(),
        orgId: caller.orgId,
        ownerId: caller.userId,
        integrationId,
        ...place,
        everyMinutes,
        sidecars: destination.sidecars,
        selection: { ...selection, prefix: selection.prefix || (integration.prefix ?? '') },
      };
      await database.transaction(async (trx) => {
        await syncStore.insertSync(trx, sync);
        await recordSyncAction(trx, by, 'created', sync);
      });
      return get(caller, sync.id);
    },

    list: (caller: Caller): Promise<syncStore.ImportSync[]> => syncStore.listSyncs(db, caller),

    /** Makes a sync due now, even if it has stopped. */
    async run(caller: Caller, id: string, by: AuditActor): Promise<syncStore.ImportSync> {
      const sync = await get(caller, id);
      await database.transaction(async (trx) => {
        await syncStore.makeDue(trx, id);
        await recordSyncAction(trx, by, 'run', sync);
        await jobs.send(trx, maintainImports, {});
      });
      return get(caller, id);
    },

    /** Deletes the schedule; imported videos stay. */
    async remove(caller: Caller, id: string, by: AuditActor): Promise<void> {
      const sync = await get(caller, id);
      await database.transaction(async (trx) => {
        if (await syncStore.deleteSync(trx, id)) await recordSyncAction(trx, by, 'deleted', sync);
      });
    },

    /** Starts due syncs and re-sends the jobs of stalled imports. A superfluous job ends without effect. */
    async maintain(): Promise<void> {
      while (await runNextDue());
      for (const { id, orgId, listed } of await jobStore.listStalledJobs(db, STALLED_S, RESTART_BATCH)) {
        await database.transaction(async (trx) => {
          await jobStore.touchJob(trx, id);
          if (!listed) await jobs.send(trx, listObjects, { jobId: id }, { orgId, unlessWaiting: true });
          await workers.start(trx, { id, orgId }, Number.MAX_SAFE_INTEGER, { unlessWaiting: true });
        });
      }
    },
  };
}

export type Syncs = ReturnType<typeof createSyncs>;

const recordSyncAction = (
  trx: Transaction,
  by: AuditActor,
  verb: 'created' | 'run' | 'deleted',
  sync: syncStore.NewSync,
) =>
  recordAction(trx, by, {
    orgId: sync.orgId,
    action: `import_sync.${verb}`,
    subjectId: sync.id,
    detail: {
      integration_id: sync.integrationId,
      prefix: sync.selection.prefix,
      folder_id: sync.folderId,
      scope: sync.scope,
      every_minutes: sync.everyMinutes,
    },
  });
