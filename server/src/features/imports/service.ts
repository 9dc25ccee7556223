import { randomBytes } from 'node:crypto';
import type { Events } from '#features/events/index';
import type { FolderScope, Folders } from '#features/folders/index';
import { type Integrations, isTransientRefusal, type ProviderName, providerOf } from '#features/integrations/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller, Person } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Jobs } from '#platform/jobs/index';
import { refusal, selectionOf, viewsOf } from './asked.ts';
import { checkObjects } from './checks.ts';
import { cancelRows, listObjects } from './jobs.ts';
import { kindOf } from './kinds.ts';
import * as laneStore from './lane-store.ts';
import type { Lanes } from './lanes.ts';
import { isWanted } from './lister.ts';
import { createNamedRows } from './named-rows.ts';
import { previewOf } from './preview.ts';
import { problems } from './problems.ts';
import * as rowStore from './row-store.ts';
import type { Selection } from './selection.ts';
import { bucketOf, keyOf, type Origin, type Sources, type Wanted } from './source.ts';
import * as store from './store.ts';
import type { ImportJob, Kinds, Row } from './types.ts';

/** Where videos go, what comes with them, and whether known objects are imported again. */
export type Destination = { folderId: string | null; scope: FolderScope | null; sidecars: boolean; force: boolean };
/** What is to come: named objects, sets of views by their roles, or what fits a selection. */
export type Objects =
  | { names: readonly string[] }
  | { sets: readonly Record<string, string>[] }
  | { selection: Selection | null };

export type Started = { job: ImportJob; videoIds: string[] };
export type RowsPage = { job: ImportJob; rows: (Row & { views: Row[] | null })[]; more: boolean };

export type ImportsDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  folders: Pick<Folders, 'requireWritable'>;
  integrations: Pick<Integrations, 'use' | 'hold'>;
  jobs: Pick<Jobs, 'send'>;
  sources: Sources;
  lanes: Lanes;
  kinds: Kinds;
};

/** Imports as requests see them: begun, looked at, cancelled, tried again. */
export function createImportsService(deps: ImportsDeps) {
  const { database, folders, integrations, jobs, sources, kinds, lanes } = deps;
  const { db } = database;
  const named = createNamedRows(deps);

  /** The job, if the caller may see it. Throws `import_not_found` (404) or `import_forbidden` (403). */
  async function get(caller: Caller, id: string): Promise<ImportJob> {
    const job = await store.findJob(db, id);
    if (!job) throw problems.import_not_found(`There is no import job with the id ${id.slice(0, 64)}.`);
    const sees = job.scope === 'org' || job.ownerId === caller.userId || caller.scopes.includes('admin');
    if (job.orgId !== caller.orgId || !sees) throw problems.import_forbidden();
    return job;
  }

  /** Folder and scope, checked: a video has the scope of its folder. */
  async function destinationOf(caller: Person, { folderId, scope }: Pick<Destination, 'folderId' | 'scope'>) {
    const folder = folderId === null ? null : await folders.requireWritable(caller, folderId);
    if (folder && scope && folder.scope !== scope) {
      throw problems.import_invalid(`The folder "${folder.name}" has the scope "${folder.scope}", not "${scope}".`);
    }
    return { folderId, scope: folder?.scope ?? scope ?? 'user' };
  }

  /** Makes the job, in the transaction of what calls for it. */
  async function make(
    trx: Transaction,
    owner: { orgId: string; userId: string },
    origin: Pick<Origin, 'provider' | 'bucketName' | 'integration'>,
    more: Pick<ImportJob, 'folderId' | 'scope' | 'sidecars' | 'force' | 'selection' | 'multiView' | 'syncId'>,
  ): Promise<store.NewJob> {
    const { integration } = origin;
    if (integration && !(await integrations.hold(trx, integration.id))) throw problems.import_integration_gone();
    const job: store.NewJob = {
      id: `ij_${randomBytes(6).toString('hex')}`,
      orgId: owner.orgId,
      ownerId: owner.userId,
      integrationId: integration?.id ?? null,
      provider: origin.provider,
      bucket: origin.bucketName,
      endpoint: integration?.endpointUrl ?? '',
      public: integration === null,
      ...more,
    };
    await store.insertJob(trx, job);
    return job;
  }

  async function startNamed(
    caller: Caller,
    origin: Origin,
    destination: Destination,
    groups: { view: string | null; key: string }[][],
    gone: AbortSignal,
  ): Promise<Started> {
    const place = await destinationOf(caller, destination);
    const keys = [...new Set(groups.flat().map(({ key }) => key))];
    const checked = new Map((await checkObjects(origin.bucket, keys, gone)).map((each) => [each.key, each]));
    if ([...checked.values()].every(({ problem }) => problem)) throw refusal([...checked.values()]);
    const multiView = groups.some(([first]) => first?.view != null);
    const rows = groups.flatMap((group, i) => {
      const ids = group.map(() => newId());
      return group.map(({ view, key }, j) => {
        const { facts, problem } = checked.get(key)!;
        return {
          ...{ videoId: ids[j]!, position: j === 0 ? i + 1 : null, setId: multiView ? ids[0]! : null, view, key },
          ...{ version: facts?.version || null, sizeBytes: facts?.size ?? null },
          // What may pass is tried as all else is.
          problem: isTransientRefusal(problem) ? null : problem,
        };
      });
    });
    const { sidecars, force } = destination;
    const more = { ...place, sidecars, force, selection: null, multiView, syncId: null };
    const begun = await database.transaction(async (trx) => {
      const job = await make(trx, caller, origin, more);
      return { id: job.id, rows: await named.begin(trx, job, rows) };
    });
    const shown = begun.rows.filter(({ position }) => position !== null);
    return { job: await get(caller, begun.id), videoIds: shown.map(rowStore.shownId) };
  }

  async function startSelection(
    caller: Caller,
    origin: Origin,
    destination: Destination,
    selection: Selection,
    gone: AbortSignal,
  ): Promise<Started> {
    const place = await destinationOf(caller, destination);
    const { objects, cursor } = await origin.bucket.list({ prefix: selection.prefix, cursor: null }, gone);
    if (cursor === null && !objects.some((object) => isWanted(kinds, selection, object))) {
      throw problems.import_nothing_found(
        `No video in the bucket "${origin.bucketName}" begins with "${selection.prefix}" and fits the patterns.`,
      );
    }
    const { sidecars, force } = destination;
    const more = { ...place, sidecars, force, selection, multiView: false, syncId: null };
    const id = await database.transaction(async (trx) => {
      const job = await make(trx, caller, origin, more);
      await jobs.send(trx, listObjects, { jobId: job.id }, { orgId: job.orgId });
      return job.id;
    });
    return { job: await get(caller, id), videoIds: [] };
  }

  /** Opens the bucket for the work, and closes it after. */
  async function within<T>(caller: Caller, wanted: Wanted, work: (origin: Origin) => Promise<T>): Promise<T> {
    const origin = await sources.wanted(caller, wanted);
    try {
      return await work(origin);
    } finally {
      origin.bucket.close();
    }
  }

  return {
    get,
    destinationOf,

    /** Begins an import. Throws why, when nothing of it can be read; what can not among others is a row that failed. */
    async start(
      caller: Caller,
      wanted: Wanted,
      objects: Objects,
      destination: Destination,
      gone: AbortSignal,
    ): Promise<Started> {
      const all =
        'names' in objects ? objects.names : 'sets' in objects ? objects.sets.flatMap(Object.values<string>) : [];
      const bucket = wanted.bucket ?? (wanted.integrationId ? null : (all.map(bucketOf).find((name) => name) ?? null));
      return within(caller, { ...wanted, bucket }, (origin) => {
        if ('selection' in objects) {
          const selection = selectionOf(objects.selection, origin);
          return startSelection(caller, origin, destination, selection, gone);
        }
        const groups =
          'names' in objects
            ? [...new Set(objects.names.map((name) => keyOf(origin, name)))].map((key) => [{ view: null, key }])
            : objects.sets.map((views) => viewsOf(views, origin));
        const odd = 'sets' in objects && groups.flat().find(({ key }) => kindOf(kinds, key) !== kinds[0]);
        if (odd) throw problems.import_invalid(`The views of a set are videos, and "${odd.key}" is none.`);
        return startNamed(caller, origin, destination, groups, gone);
      });
    },

    /** Whose bucket an integration opens. */
    async providerOf(caller: Caller, integrationId: string | null): Promise<ProviderName> {
      if (!integrationId) throw problems.import_invalid('The field `integration_id` or `source` is required.');
      return providerOf((await integrations.use(caller, integrationId)).type);
    },

    /** What an import of a selection would bring, a page at a time. */
    preview: (caller: Caller, wanted: Wanted, selection: Selection | null, from: string | null, gone: AbortSignal) =>
      within(caller, wanted, (origin) => previewOf(origin, kinds, selectionOf(selection, origin), from, gone)),

    /** Newest first. */
    async list(caller: Caller, after: string | null, limit: number): Promise<{ jobs: ImportJob[]; more: boolean }> {
      const { orgId, userId, scopes } = caller;
      const page = { orgId, userId, whole: scopes.includes('admin'), after, limit: limit + 1 };
      const found = await store.jobsPage(db, page);
      return { jobs: found.slice(0, limit), more: found.length > limit };
    },

    /** One page of a job's rows, in a stable order. Throws `import_cursor_invalid` or `import_invalid` (400). */
    async rows(
      caller: Caller,
      id: string,
      { cursor, offset, limit }: { cursor: string | null; offset: number | null; limit: number },
    ): Promise<RowsPage> {
      if (cursor !== null && offset !== null) {
        throw problems.import_invalid('Give `cursor` or `offset`, not both.');
      }
      const job = await get(caller, id);
      if (job.multiView && offset !== null) {
        throw problems.import_invalid('The rows of an import of sets are read with `cursor`, not with `offset`.');
      }
      const from = cursor === null ? { offset: offset ?? 0 } : { cursor };
      const { rows: found, total } = await rowStore.rowsPage(db, id, from, limit + 1);
      if (found.length === 0 && cursor !== null && !(await rowStore.isListed(db, id, cursor))) {
        throw problems.import_cursor_invalid();
      }
      const rows = found.slice(0, limit);
      const sets = job.multiView ? await viewsBySet(rows) : null;
      return {
        job: { ...job, total: total ?? job.total },
        rows: rows.map((row) => ({ ...row, views: sets?.get(row.videoId) ?? null })),
        more: found.length > limit,
      };
    },

    /** What has come stays, what has not fails. Throws `import_not_running` (409). */
    async cancel(caller: Caller, id: string): Promise<ImportJob> {
      await get(caller, id);
      await database.transaction(async (trx) => {
        if ((await store.lockJob(trx, id)) !== 'importing') throw problems.import_not_running();
        await store.setStatus(trx, id, 'cancelled');
        await jobs.send(trx, cancelRows, { jobId: id });
      });
      return get(caller, id);
    },

    /** Tries again what failed, under the same ids. Throws `import_running` or `import_nothing_failed` (409). */
    async retry(caller: Caller, id: string): Promise<ImportJob> {
      const { orgId, integrationId, public: open, listed, selection, problem } = await get(caller, id);
      if (!integrationId && !open) throw problems.import_integration_gone();
      await database.transaction(async (trx) => {
        if ((await store.lockJob(trx, id)) === 'importing') throw problems.import_running();
        const count = await laneStore.reopen(trx, id);
        const unfinished = selection !== null && (!listed || problem !== null);
        if (count === 0 && !unfinished) throw problems.import_nothing_failed();
        await store.setStatus(trx, id, 'importing');
        if (unfinished) {
          await store.resumeListing(trx, id);
          await jobs.send(trx, listObjects, { jobId: id }, { orgId });
        }
        await lanes.send(trx, { id, orgId }, unfinished ? Number.MAX_SAFE_INTEGER : count);
        await store.count(trx, id, { failed: -count });
      });
      return get(caller, id);
    },

    make,
  };

  async function viewsBySet(rows: Row[]): Promise<Map<string, Row[]>> {
    const views = await rowStore.views(
      db,
      rows.map(({ videoId }) => videoId),
    );
    return Map.groupBy(views, ({ setId }) => setId!);
  }
}

export type Imports = ReturnType<typeof createImportsService>;
