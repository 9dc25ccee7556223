import { Type } from 'typebox';
import { Maybe, Nullable, resource, Timestamp } from '#platform/http/index';
import { DestinationFields, EXAMPLE_INTEGRATION_ID, FolderId, Scope, SelectionFields, Sidecars } from '../schema.ts';

export const NewSync = resource(
  'NewImportSync',
  Type.Object(
    {
      integration_id: Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Integration that opens the bucket.',
      }),
      ...SelectionFields.properties,
      ...DestinationFields.properties,
      every_minutes: Maybe(
        Type.Integer({ minimum: 1, maximum: 44_640, description: 'Interval between runs in minutes. Default 60.' }),
      ),
    },
    {
      description: 'A selection to import on a schedule.',
      examples: [{ integration_id: EXAMPLE_INTEGRATION_ID, prefix: 'drives/', every_minutes: 15, scope: 'org' }],
    },
  ),
);

export const SyncParams = Type.Object({
  sync_id: Type.String({ minLength: 1, maxLength: 255, description: 'Id of the scheduled import.' }),
});

const SYNC_EXAMPLE = {
  id: '019a0b1c2d3e7f008000000000000041',
  integration_id: EXAMPLE_INTEGRATION_ID,
  prefix: 'drives/',
  include: [],
  exclude: [],
  folder_id: null,
  scope: 'org' as const,
  sidecars: false,
  every_minutes: 15,
  next_run_at: '2026-11-21T09:45:00.000Z',
  error: null,
  message: null,
  last_import_job_id: 'ij_0a1b2c3d4e5f',
  created_at: '2026-11-21T09:30:00.000Z',
};

export const SyncResource = resource(
  'ImportSync',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the scheduled import.' }),
      integration_id: Type.String({ description: 'Integration that opens the bucket.' }),
      prefix: Type.String({ description: 'Prefix of the imported objects.' }),
      include: Type.Array(Type.String(), { description: 'Patterns, at least one of which an object must match.' }),
      exclude: Type.Array(Type.String(), { description: 'Patterns of objects to skip.' }),
      folder_id: Nullable(FolderId),
      scope: Scope,
      sidecars: Sidecars,
      every_minutes: Type.Integer({ minimum: 1, description: 'Interval between runs in minutes.' }),
      next_run_at: Nullable(Timestamp({ description: 'Time of the next run, ISO 8601, UTC; null if it has stopped.' })),
      error: Nullable(
        Type.String({
          description:
            'Error code if it has stopped: its creator was removed, or may no longer use the integration or the folder.',
        }),
      ),
      message: Nullable(Type.String({ description: 'Explanation of `error`.' })),
      last_import_job_id: Nullable(
        Type.String({ description: 'Import job of the last run that found new objects. Other runs leave no job.' }),
      ),
      created_at: Timestamp({ description: 'Creation time.' }),
    },
    { description: 'A scheduled import.', examples: [SYNC_EXAMPLE] },
  ),
);

export const SyncList = resource(
  'ImportSyncList',
  Type.Object(
    { syncs: Type.Array(SyncResource, { description: 'Scheduled imports, oldest first.' }) },
    { description: 'Scheduled imports that you can see.', examples: [{ syncs: [SYNC_EXAMPLE] }] },
  ),
);

export const DeletedSync = resource(
  'DeletedImportSync',
  Type.Object(
    {
      status: Type.Literal('deleted', { description: 'Always `deleted`.' }),
      id: Type.String({ description: 'Id of the deleted scheduled import.' }),
    },
    { description: 'The deleted scheduled import.', examples: [{ status: 'deleted', id: SYNC_EXAMPLE.id }] },
  ),
);
