import { Type } from 'typebox';
import { Maybe, Name, Nullable } from '#platform/http/index';

const SCOPES = '`user`: a personal folder, seen by its owner alone; `org`: seen by everyone in the organisation.';
const Scope = Type.Union([Type.Literal('user'), Type.Literal('org')], { description: SCOPES });
const FolderName = Name({
  maxLength: 255,
  description: 'The name, unique per scope. Spaces around it are dropped.',
});

const Description = Type.String({ maxLength: 2_000, description: 'What the folder is for.' });
const RetentionDays = Type.Integer({
  minimum: 1,
  maximum: 36_500,
  description: 'Videos in it are deleted this many days after their upload began; null keeps them.',
});

export const FolderId = Type.Object({
  folder_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the folder.' }),
});

export const NewFolder = Type.Object(
  {
    name: FolderName,
    scope: Maybe(Scope),
    description: Maybe(Description),
    retention_days: Maybe(RetentionDays),
  },
  {
    description: 'A folder to make. Without a scope it is personal.',
    examples: [{ name: 'Night drives', scope: 'org', description: 'Collected in Lisbon' }],
  },
);

export const FolderChanges = Type.Object(
  { name: Maybe(FolderName), description: Maybe(Description), retention_days: Maybe(RetentionDays) },
  {
    description:
      'What is to change; what is left out stays. A `description` of null is emptied, a `retention_days` of null keeps videos for ever.',
    examples: [{ name: 'Night drives 2026', retention_days: 90 }],
  },
);

export const FolderListQuery = Type.Object({
  scope: Maybe(
    Type.Union([Type.Literal('user'), Type.Literal('org')], {
      description: 'Only your personal folders, or only those of the organisation. Without it: both.',
    }),
  ),
  // Not nullable: the conversion of query values would take 0 for null.
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'How many folders at most; 100 without it.' }),
  ),
  cursor: Maybe(Type.String({ maxLength: 2_000, description: 'The `next_cursor` of the page before.' })),
});

export const FolderRemoval = Type.Object({
  videos: Maybe(
    Type.Union([Type.Literal('move_to_root'), Type.Literal('delete')], {
      description:
        'What becomes of the videos in it: `move_to_root` leaves them in no folder, `delete` deletes them as deleting each would. Required when it holds any.',
    }),
  ),
});

export const FolderByName = Type.Object({
  name: FolderName,
  scope: Maybe(
    Type.Union([Type.Literal('user'), Type.Literal('org')], {
      description:
        'Where to look. Without it: the personal folder of this name if there is one, else the organisation’s.',
    }),
  ),
});

const EXAMPLE = {
  id: '019a0b1c2d3e7f008000000000000003',
  name: 'Night drives',
  org_id: '019a0b1c2d3e7f008000000000000000',
  description: 'Collected in Lisbon',
  created_at: '2026-11-21T09:30:00.000Z',
  scope: 'org' as const,
  created_by: '019a0b1c2d3e7f008000000000000001',
  video_count: 12,
  retention_days: null,
};

export const FolderAnswer = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the folder.' }),
    name: FolderName,
    org_id: Type.String({ description: 'The organisation it belongs to; also set for personal folders.' }),
    description: Type.String({ description: 'What the folder is for; empty when nothing was said.' }),
    created_at: Type.String({ format: 'date-time', description: 'When it was made, ISO 8601, UTC.' }),
    scope: Type.Union([...Scope.anyOf, Type.Literal('sample')], {
      description: `${SCOPES} \`sample\`: the folder of samples, which everyone in it reads and nobody changes.`,
    }),
    created_by: Type.String({ description: 'The user who made it.' }),
    video_count: Type.Integer({ minimum: 0, description: 'How many videos lie in it.' }),
    retention_days: Nullable(RetentionDays),
  },
  {
    description: 'A folder.',
    examples: [EXAMPLE],
  },
);

export const FolderList = Type.Object(
  {
    folders: Type.Array(FolderAnswer, { description: 'By name.' }),
    has_more: Type.Boolean({ description: 'Whether more folders follow.' }),
    next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get them.' })),
  },
  { description: 'A page of folders.', examples: [{ folders: [EXAMPLE], has_more: false, next_cursor: null }] },
);

export const FolderDeleted = Type.Object(
  {
    status: Type.Literal('deleted', { description: 'Always `deleted`.' }),
    folder_id: Type.String({ description: 'Identifier of the folder that was.' }),
    video_count: Type.Integer({ minimum: 0, description: 'How many videos were moved out of it, or deleted with it.' }),
  },
  {
    description: 'The folder is gone.',
    examples: [{ status: 'deleted', folder_id: '019a0b1c2d3e7f008000000000000003', video_count: 12 }],
  },
);
