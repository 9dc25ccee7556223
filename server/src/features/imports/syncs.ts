import { type Actor, recordAction } from '#features/audit/index';
import { type Integrations, providerOf } from '#features/integrations/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import { Problem } from '#platform/problem';
import { listObjects, tendImports } from './jobs.ts';
import type { Lanes } from './lanes.ts';
import { problems } from './problems.ts';
import type { Selection } from './selection.ts';
import type { Destination, Imports } from './service.ts';
import * as store from './store.ts';
import * as syncStore from './sync-store.ts';

/** A running import that nothing was heard of for this long may have lost its jobs. */
const QUIET_S = 300;
const TENDED_AT_ONCE = 100;

type Deps = {
  database: Database;
  integrations: Pick<Integrations, 'use'>;
  imports: Pick<Imports, 'make' | 'destinationOf'>;
  lanes: Pick<Lanes, 'send'>;
  jobs: Pick<Jobs, 'send'>;
};

export type NewSync = Omit<Destination, 'force'> & {
  integrationId: string;
  selection: Selection;
  everyMinutes: number;
};

/** Scheduled imports: the same selection again and again, each time what is new in it. */
export function createSyncs({ database, integrations, imports, lanes, jobs }: Deps) {
  const { db } = database;

  async function get(caller: Caller, id: string): Promise<syncStore.Sync> {
    const sync = await syncStore.find(db, id);
    if (sync?.orgId !== caller.orgId) throw problems.sync_not_found();
    const sees = sync.scope === 'org' || sync.ownerId === caller.userId || caller.scopes.includes('admin');
    if (!sees) throw problems.import_forbidden('This scheduled import belongs to someone else.');
    return sync;
  }

  /** A run is its owner's doing: what they may not do any more, it does not do either. */
  async function begin(trx: Transaction, sync: syncStore.DueSync): Promise<void> {
    const owner = { orgId: sync.orgId, userId: sync.ownerId };
    if (sync.ownerLeft) throw problems.sync_owner_left();
    const integration = await integrations.use(owner, sync.integrationId);
    const place = await imports.destinationOf(owner, sync);
    const { sidecars, selection } = sync;
    const job = await imports.make(
      trx,
      owner,
      { provider: providerOf(integration.type), bucketName: integration.bucket, integration },
      { ...place, sidecars, force: false, selection, syncId: sync.id, multiView: false },
    );
    await syncStore.setLastJob(trx, sync.id, job.id);
    await jobs.send(trx, listObjects, { jobId: job.id }, { orgId: job.orgId });
  }

  /** Begins one that is due, or stops it and says why. False when none is. */
  async function runDue(): Promise<boolean> {
    return database.transaction(async (trx) => {
      const sync = await syncStore.takeDue(trx);
      if (!sync) return false;
      try {
        await begin(trx, sync);
      } catch (error) {
        if (!(error instanceof Problem) || error.status >= 500) throw error;
        await syncStore.stop(trx, sync.id, error);
      }
      return true;
    });
  }

  return {
    get,

    /** Its first run begins within a minute. Throws what the integration's and the folder's rooms say. */
    async create(caller: Caller, { integrationId, selection, everyMinutes, ...destination }: NewSync, by: Actor) {
      const integration = await integrations.use(caller, integrationId);
      const place = await imports.destinationOf(caller, destination);
      const sync: syncStore.NewSync = {
        ...{ id: newId(), orgId: caller.orgId, ownerId: caller.userId, integrationId, ...place, everyMinutes },
        ...{ sidecars: destination.sidecars },
        selection: { ...selection, prefix: selection.prefix || (integration.prefix ?? '') },
      };
      await database.transaction(async (trx) => {
        await syncStore.insert(trx, sync);
        await record(trx, by, 'created', sync);
      });
      return get(caller, sync.id);
    },

    async list(caller: Caller): Promise<syncStore.Sync[]> {
      const { orgId, userId, scopes } = caller;
      const all = await syncStore.ofOrg(db, orgId);
      return all.filter(({ scope, ownerId }) => scope === 'org' || ownerId === userId || scopes.includes('admin'));
    },

    /** Makes it due now, also where it had stopped, and has that looked at. */
    async run(caller: Caller, id: string, by: Actor): Promise<syncStore.Sync> {
      const sync = await get(caller, id);
      await database.transaction(async (trx) => {
        await syncStore.hasten(trx, id);
        await record(trx, by, 'run', sync);
        await jobs.send(trx, tendImports, {});
      });
      return get(caller, id);
    },

    /** What it brought stays. */
    async remove(caller: Caller, id: string, by: Actor): Promise<void> {
      const sync = await get(caller, id);
      await database.transaction(async (trx) => {
        if (await syncStore.remove(trx, id)) await record(trx, by, 'deleted', sync);
      });
    },

    /** Begins what is due, and sends the jobs of running imports that nothing was heard of anew, but for those that wait; one too many ends by itself. */
    async tend(): Promise<void> {
      while (await runDue());
      for (const { id, orgId, listed } of await store.quietJobs(db, QUIET_S, TENDED_AT_ONCE)) {
        await database.transaction(async (trx) => {
          await store.touchJob(trx, id);
          if (!listed) await jobs.send(trx, listObjects, { jobId: id }, { orgId, unlessWaiting: true });
          await lanes.send(trx, { id, orgId }, Number.MAX_SAFE_INTEGER, { unlessWaiting: true });
        });
      }
    },
  };
}

export type Syncs = ReturnType<typeof createSyncs>;

const record = (trx: Transaction, by: Actor, verb: 'created' | 'run' | 'deleted', sync: syncStore.NewSync) =>
  recordAction(trx, by, {
    ...{ orgId: sync.orgId, action: `import_sync.${verb}`, subjectId: sync.id },
    detail: {
      ...{ integration_id: sync.integrationId, prefix: sync.selection.prefix },
      ...{ folder_id: sync.folderId, scope: sync.scope, every_minutes: sync.everyMinutes },
    },
  });
