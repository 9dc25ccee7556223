import { actorOf } from '#features/audit/index';
import { type App, failures } from '#platform/http/index';
import { destinationOf, selectionOf } from './body.ts';
import { NewSyncBody, SyncAnswer, SyncDeleted, SyncList, SyncParams } from './sync-schema.ts';
import type { Sync } from './sync-store.ts';
import type { Syncs } from './syncs.ts';

const tags = ['Cloud Imports'];
const EVERY_MINUTES = 60;

export function syncRoutes(app: App, syncs: Syncs): void {
  app.post(
    '/api/import-syncs',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'createImportSync',
        tags,
        summary: 'Schedule an import',
        description:
          'Imports a selection again and again, each time what is new: objects that were not there before, or have another version (ETag) or size. The first run begins within a minute.',
        body: NewSyncBody,
        response: { 200: SyncAnswer, ...failures(404) },
      },
    },
    async (request) => {
      const { caller, body } = request;
      const sync = {
        integrationId: body.integration_id,
        selection: selectionOf(body),
        everyMinutes: body.every_minutes ?? EVERY_MINUTES,
        ...destinationOf(body),
      };
      return answer(await syncs.create(caller, sync, actorOf(request)));
    },
  );

  app.get(
    '/api/import-syncs',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'listImportSyncs',
        tags,
        summary: 'List scheduled imports',
        description: 'Returns your scheduled imports and those of the organisation.',
        response: { 200: SyncList, ...failures() },
      },
    },
    async ({ caller }) => ({ syncs: (await syncs.list(caller)).map(answer) }),
  );

  app.get(
    '/api/import-syncs/:sync_id',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getImportSync',
        tags,
        summary: 'Get a scheduled import',
        description: 'Returns it with its last run and when it is due.',
        params: SyncParams,
        response: { 200: SyncAnswer, ...failures(404) },
      },
    },
    async ({ caller, params }) => answer(await syncs.get(caller, params.sync_id)),
  );

  app.post(
    '/api/import-syncs/:sync_id/run',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'runImportSync',
        tags,
        summary: 'Run a scheduled import now',
        description:
          'Makes it due at once, also one that has stopped; while its last run is going on it begins after that.',
        params: SyncParams,
        response: { 200: SyncAnswer, ...failures(404) },
      },
    },
    async (request) => answer(await syncs.run(request.caller, request.params.sync_id, actorOf(request))),
  );

  app.delete(
    '/api/import-syncs/:sync_id',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'deleteImportSync',
        tags,
        summary: 'Delete a scheduled import',
        description: 'Ends the schedule. A run that is going on goes on; what was brought stays.',
        params: SyncParams,
        response: { 200: SyncDeleted, ...failures(404) },
      },
    },
    async (request) => {
      const { caller, params } = request;
      await syncs.remove(caller, params.sync_id, actorOf(request));
      return { status: 'deleted' as const, id: params.sync_id };
    },
  );
}

function answer(sync: Sync) {
  return {
    id: sync.id,
    integration_id: sync.integrationId,
    prefix: sync.selection.prefix,
    include: [...sync.selection.include],
    exclude: [...sync.selection.exclude],
    folder_id: sync.folderId,
    scope: sync.scope,
    sidecars: sync.sidecars,
    every_minutes: sync.everyMinutes,
    next_run_at: sync.problem ? null : sync.nextAt.toISOString(),
    error: sync.problem?.code ?? null,
    message: sync.problem?.message ?? null,
    last_import_job_id: sync.lastJobId,
    created_at: sync.createdAt.toISOString(),
  };
}
