import { Type } from 'typebox';
import { Maybe, Nullable } from '#platform/http/index';
import { DESTINATION, EXAMPLE_ID, FolderId, Scope, SELECTION, Sidecars } from './schema.ts';

export const NewSyncBody = Type.Object(
  {
    integration_id: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The saved integration that opens the bucket.',
    }),
    ...SELECTION,
    ...DESTINATION,
    every_minutes: Maybe(
      Type.Integer({
        minimum: 1,
        maximum: 44_640,
        description: 'How often the bucket is looked at, in minutes; default 60.',
      }),
    ),
  },
  {
    description: 'A selection to import again and again.',
    examples: [{ integration_id: EXAMPLE_ID, prefix: 'drives/', every_minutes: 15, scope: 'org' }],
  },
);

export const SyncParams = Type.Object({
  sync_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the scheduled import.' }),
});

const SYNC_EXAMPLE = {
  id: '019a0b1c2d3e7f008000000000000041',
  integration_id: EXAMPLE_ID,
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

export const SyncAnswer = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the scheduled import.' }),
    integration_id: Type.String({ description: 'The integration that it uses.' }),
    prefix: Type.String({ description: 'What it brings begins with this.' }),
    include: Type.Array(Type.String(), { description: 'Patterns, one of which must fit.' }),
    exclude: Type.Array(Type.String(), { description: 'Patterns, none of which may fit.' }),
    folder_id: Nullable(FolderId),
    scope: Scope,
    sidecars: Sidecars,
    every_minutes: Type.Integer({ minimum: 1, description: 'How often the bucket is looked at, in minutes.' }),
    next_run_at: Nullable(
      Type.String({ format: 'date-time', description: 'When it is due, ISO 8601, UTC; null: it has stopped.' }),
    ),
    error: Nullable(
      Type.String({
        description:
          'Code of why it has stopped: whoever made it left, or may not use the integration or folder any more.',
      }),
    ),
    message: Nullable(Type.String({ description: 'The same in a sentence.' })),
    last_import_job_id: Nullable(
      Type.String({ description: 'Its last run; a run that brought nothing new is not kept.' }),
    ),
    created_at: Type.String({ format: 'date-time', description: 'When it was made.' }),
  },
  { description: 'A scheduled import.', examples: [SYNC_EXAMPLE] },
);

export const SyncList = Type.Object(
  { syncs: Type.Array(SyncAnswer, { description: 'Oldest first.' }) },
  { description: 'The scheduled imports that you see.', examples: [{ syncs: [SYNC_EXAMPLE] }] },
);

export const SyncDeleted = Type.Object(
  {
    status: Type.Literal('deleted', { description: 'Always `deleted`.' }),
    id: Type.String({ description: 'Identifier of the scheduled import that was.' }),
  },
  { description: 'It runs no more; what it brought stays.', examples: [{ status: 'deleted', id: SYNC_EXAMPLE.id }] },
);
