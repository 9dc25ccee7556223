import { Type } from 'typebox';
import { Maybe, Name, Nullable } from '#platform/http/index';
import { EXAMPLE, MetadataValue, Restorable, Tag } from './schema.ts';

export const Changes = Type.Object(
  {
    name: Maybe(Name({ maxLength: 255, description: 'A new name.' })),
    folder_id: Maybe(
      Type.String({ maxLength: 255, description: 'The folder to move it into; null takes it out of its folder.' }),
    ),
    tags: Maybe(Type.Array(Tag, { maxItems: 50, description: 'All of its tags, in place of those it has.' })),
    metadata: Maybe(
      Type.Record(Type.String({ minLength: 1, maxLength: 128 }), Type.Union([...MetadataValue, Type.Null()]), {
        maxProperties: 64,
        description: 'Names and values to say of it, beside those it has; null drops a name.',
      }),
    ),
  },
  {
    description: 'What is to change; what is left out stays.',
    examples: [{ name: 'junction, night.mp4', tags: ['night', 'rain'], metadata: { vehicle: 'A7', route: null } }],
  },
);

const VideoIds = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  minItems: 1,
  maxItems: 500,
  description: 'The videos; doubles count once.',
});
const Erase = { description: 'Erase at once, with no time to restore.' };

export const Removal = Type.Object({ erase: Type.Optional(Type.Boolean(Erase)) });
export const RemovalOfMany = Type.Object(
  { video_ids: VideoIds, erase: Maybe(Type.Boolean(Erase)) },
  { description: 'Videos to delete.', examples: [{ video_ids: [EXAMPLE.video_id] }] },
);
export const RestorationOfMany = Type.Object(
  { video_ids: VideoIds },
  { description: 'Videos to restore.', examples: [{ video_ids: [EXAMPLE.video_id] }] },
);
export const MoveOfMany = Type.Object(
  {
    video_ids: VideoIds,
    folder_id: Nullable(
      Type.String({ maxLength: 255, description: 'The folder to move them into; null takes them out of theirs.' }),
    ),
  },
  {
    description: 'Videos to move.',
    examples: [{ video_ids: [EXAMPLE.video_id], folder_id: '019a0b1c2d3e7f008000000000000003' }],
  },
);

export const Outcomes = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        video_id: Type.String({ description: 'Identifier of the video.' }),
        ok: Type.Boolean({ description: 'Whether it was done.' }),
        status: Type.Optional(Type.Integer({ description: 'Only when not: the status it would have had alone.' })),
        error: Type.Optional(Type.String({ description: 'Only when not: the code of the reason.' })),
        message: Type.Optional(Type.String({ description: 'Only when not: the reason, in a sentence.' })),
      }),
      { description: 'What became of each, in the order of the request. One that fails stops no other.' },
    ),
  },
  { description: 'What became of each video.', examples: [{ results: [{ video_id: EXAMPLE.video_id, ok: true }] }] },
);

export const Deleted = Type.Object(
  {
    status: Type.Literal('deleted', { description: 'Always `deleted`.' }),
    video_id: Type.String({ description: 'Identifier of the video that was.' }),
    ...Restorable,
  },
  {
    description: 'The video is gone.',
    examples: [{ status: 'deleted', video_id: EXAMPLE.video_id, restorable_until: '2026-11-22T09:30:00.000Z' }],
  },
);
