import { Type } from 'typebox';
import { Maybe, Name, Nullable, resource, Timestamp } from '#platform/http/index';

const SCOPES = '`user`: a personal folder, visible to its owner only; `org`: visible to everyone in the organization.';
const Scope = Type.Union([Type.Literal('user'), Type.Literal('org')], { description: SCOPES });
const FolderName = Name({
  maxLength: 255,
  description: 'The name, unique per scope. Surrounding spaces are removed.',
});

const Description = Type.String({ maxLength: 2_000, description: 'Purpose of the folder.' });
const RetentionDays = Type.Integer({
  minimum: 1,
  maximum: 36_500,
  description: 'Number of days after the start of the upload when a video of this folder is deleted; null: never.',
});

const VisionProfileName = Type.String({
  maxLength: 64,
  description: 'Profile of the vision-language model for queries on videos of this folder; null: that of the service.',
});

export const FolderParams = Type.Object({
  folder_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the folder.' }),
});

export const NewFolder = resource(
  'NewFolder',
  Type.Object(
    {
      name: FolderName,
      scope: Maybe(Scope),
      description: Maybe(Description),
      retention_days: Maybe(RetentionDays),
      vision_profile: Maybe(VisionProfileName),
    },
    {
      description: 'A folder to create. Without a scope it is personal.',
      examples: [{ name: 'Night drives', scope: 'org', description: 'Collected in Lisbon' }],
    },
  ),
);

export const FolderChanges = resource(
  'FolderChanges',
  Type.Object(
    {
      name: Maybe(FolderName),
      description: Maybe(Description),
      retention_days: Maybe(RetentionDays),
      vision_profile: Maybe(VisionProfileName),
    },
    {
      description:
        'Changes to a folder; omitted fields stay as they are. A `description` of null removes it, a `retention_days` of null keeps videos for ever, a `vision_profile` of null is that of the service.',
      examples: [{ name: 'Night drives 2026', retention_days: 90 }],
    },
  ),
);

export const FolderListQuery = Type.Object({
  scope: Maybe(
    Type.Union([Type.Literal('user'), Type.Literal('org')], {
      description: 'Only your personal folders, or only those of the organization. Default: both.',
    }),
  ),
  // Not nullable: the conversion of query values would take 0 for null.
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'Maximum number of folders; default: 100.' }),
  ),
  cursor: Maybe(Type.String({ maxLength: 2_000, description: 'The `next_cursor` of the previous page.' })),
});

export const FolderRemovalQuery = Type.Object({
  videos: Maybe(
    Type.Union([Type.Literal('move_to_root'), Type.Literal('delete')], {
      description:
        'Required if the folder contains videos: `move_to_root` keeps them, in no folder; `delete` deletes them.',
    }),
  ),
});

export const FolderByNameQuery = Type.Object({
  name: FolderName,
  scope: Maybe(
    Type.Union([Type.Literal('user'), Type.Literal('org')], {
      description:
        "Scope to search. Default: your personal folder with this name if there is one, else the organization's.",
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
  clock_rule: null,
  vision_profile: null,
};

export const Folder = resource(
  'Folder',
  Type.Object(
    {
      id: Type.String({ description: 'Identifier of the folder.' }),
      name: FolderName,
      org_id: Type.String({ description: 'Organization of the folder; also set for personal folders.' }),
      description: Type.String({ description: 'Purpose of the folder; empty if it has none.' }),
      created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
      scope: Type.Union([...Scope.anyOf, Type.Literal('sample')], {
        description: `${SCOPES} \`sample\`: the folder of sample videos, which everyone in the organization can read and nobody can change.`,
      }),
      created_by: Type.String({ description: 'The user who created it.' }),
      video_count: Type.Integer({ minimum: 0, description: 'Number of videos in the folder.' }),
      retention_days: Nullable(RetentionDays),
      clock_rule: Nullable(
        Type.Object(
          {
            path_pattern: Nullable(
              Type.String({ description: 'Where dates and times are in the paths of its videos.' }),
            ),
            time_zone: Nullable(Type.String({ description: 'Time zone that new videos start with.' })),
            shift_s: Type.Number({ description: 'Seconds by which the clocks of new videos are shifted.' }),
            local_header: Type.Boolean({ description: 'True: the files of new videos state local time as UTC.' }),
          },
          {
            description:
              'How the clocks of its new videos are read (`/api/folders/{folder_id}/clock`); null: by the files alone.',
          },
        ),
      ),
      vision_profile: Nullable(VisionProfileName),
    },
    { description: 'A folder.', examples: [EXAMPLE] },
  ),
);

export const FolderList = resource(
  'FolderList',
  Type.Object(
    {
      folders: Type.Array(Folder, { description: 'Folders, by name.' }),
      has_more: Type.Boolean({ description: 'True if more folders follow.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    { description: 'A page of folders.', examples: [{ folders: [EXAMPLE], has_more: false, next_cursor: null }] },
  ),
);

export const DeletedFolder = resource(
  'DeletedFolder',
  Type.Object(
    {
      status: Type.Literal('deleted', { description: 'Always `deleted`.' }),
      folder_id: Type.String({ description: 'Identifier of the deleted folder.' }),
      video_count: Type.Integer({ minimum: 0, description: 'Number of videos that were moved out of it or deleted.' }),
    },
    {
      description: 'The folder was deleted.',
      examples: [{ status: 'deleted', folder_id: '019a0b1c2d3e7f008000000000000003', video_count: 12 }],
    },
  ),
);
