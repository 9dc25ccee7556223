import { Type } from 'typebox';
import { Maybe } from '#platform/http/index';

const Scope = Type.Union([Type.Literal('user'), Type.Literal('org')], {
  description: '`user`: a personal folder, seen by its owner alone; `org`: seen by everyone in the organisation.',
});
const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The name, unique per scope. Spaces around it are dropped.',
});

export const NewFolder = Type.Object(
  {
    name: Name,
    scope: Maybe(Scope),
    description: Maybe(Type.String({ maxLength: 2_000, description: 'What the folder is for.' })),
  },
  {
    description: 'A folder to make. Without a scope it is personal.',
    examples: [{ name: 'Night drives', scope: 'org', description: 'Collected in Lisbon' }],
  },
);

export const FolderByName = Type.Object({
  name: Name,
  scope: Maybe(
    Type.Union([Type.Literal('user'), Type.Literal('org')], {
      description:
        'Where to look. Without it: the personal folder of this name if there is one, else the organisation’s.',
    }),
  ),
});

export const FolderAnswer = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the folder.' }),
    name: Name,
    org_id: Type.String({ description: 'The organisation it belongs to; also set for personal folders.' }),
    description: Type.String({ description: 'What the folder is for; empty when nothing was said.' }),
    created_at: Type.String({ format: 'date-time', description: 'When it was made, ISO 8601, UTC.' }),
    scope: Scope,
    created_by: Type.String({ description: 'The user who made it.' }),
    video_count: Type.Integer({ minimum: 0, description: 'How many videos lie in it.' }),
  },
  {
    description: 'A folder.',
    examples: [
      {
        id: '019a0b1c2d3e7f008000000000000003',
        name: 'Night drives',
        org_id: '019a0b1c2d3e7f008000000000000000',
        description: 'Collected in Lisbon',
        created_at: '2026-11-21T09:30:00.000Z',
        scope: 'org',
        created_by: '019a0b1c2d3e7f008000000000000001',
        video_count: 12,
      },
    ],
  },
);
