import { actorOf } from '#features/audit/index';
import { type App, routes } from '#platform/http/index';
import { toDestination, toSelection } from '../request.ts';
import { toErrorFields } from '../resources.ts';
import { DeletedSync, NewSync, SyncList, SyncParams, SyncResource } from './schema.ts';
import type { Syncs } from './service.ts';
import type { ImportSync } from './sync-store.ts';

const DEFAULT_INTERVAL_MINUTES = 60;

export function syncRoutes(app: App, syncs: Syncs): void {
  const route = routes(app, { tag: 'Cloud Imports', scope: 'read' });

  route.post(
    '/api/import-syncs',
    {
      id: 'createImportSync',
      summary: 'Schedule an import',
      description:
        'Imports a selection on a schedule. Each run imports the objects that are new or have another version (ETag) or size than before. The first run starts within a minute.',
      body: NewSync,
      response: SyncResource,
      errors: [404, 502, 504],
    },
    async (request) => {
      const { caller, body } = request;
      const { integrationId, everyMinutes } = body;
      const sync = {
        integrationId,
        selection: toSelection(body),
        everyMinutes: everyMinutes ?? DEFAULT_INTERVAL_MINUTES,
        ...toDestination(body),
      };
      return toSyncResource(await syncs.create(caller, sync, actorOf(request)));
    },
  );

  route.get(
    '/api/import-syncs',
    {
      id: 'listImportSyncs',
      summary: 'List scheduled imports',
      description: 'Returns your scheduled imports and those of the organization.',
      response: SyncList,
    },
    async ({ caller }) => ({ syncs: (await syncs.list(caller)).map(toSyncResource) }),
  );

  route.get(
    '/api/import-syncs/:sync_id',
    {
      id: 'getImportSync',
      summary: 'Get a scheduled import',
      description: 'Returns a scheduled import with its last job and the time of its next run.',
      params: SyncParams,
      response: SyncResource,
      errors: [404],
    },
    async ({ caller, params }) => toSyncResource(await syncs.get(caller, params.syncId)),
  );

  route.post(
    '/api/import-syncs/:sync_id/run',
    {
      id: 'runImportSync',
      summary: 'Run a scheduled import now',
      description:
        'Starts a run immediately, or as soon as the current run ends. Restarts a scheduled import that has stopped.',
      params: SyncParams,
      response: SyncResource,
      errors: [404],
    },
    async (request) => toSyncResource(await syncs.run(request.caller, request.params.syncId, actorOf(request))),
  );

  route.delete(
    '/api/import-syncs/:sync_id',
    {
      id: 'deleteImportSync',
      summary: 'Delete a scheduled import',
      description: 'Deletes the schedule. The current run continues, and imported videos stay.',
      params: SyncParams,
      response: DeletedSync,
      errors: [404],
    },
    async (request) => {
      const { syncId: id } = request.params;
      await syncs.remove(request.caller, id, actorOf(request));
      return { status: 'deleted' as const, id };
    },
  );
}

const toSyncResource = (sync: ImportSync) => ({
  ...sync,
  ...sync.selection,
  ...toErrorFields(sync.problem),
  nextRunAt: sync.problem ? null : sync.nextRunAt,
  lastImportJobId: sync.lastJobId,
});
