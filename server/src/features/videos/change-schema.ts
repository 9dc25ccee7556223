import { Type } from 'typebox';
import { Maybe, Name, Nullable, resource } from '#platform/http/index';
import { MetadataValue, Restorable, Tag, VIDEO_EXAMPLE } from './schema.ts';

export const ChangeVideoBody = resource(
  'VideoChanges',
  Type.Object(
    {
      name: Maybe(Name({ maxLength: 255, description: 'New name.' })),
      folder_id: Maybe(
        Type.String({ maxLength: 255, description: 'Folder to move it into; null removes it from its folder.' }),
      ),
      tags: Maybe(Type.Array(Tag, { maxItems: 50, description: 'New tags; they replace the existing ones.' })),
      metadata: Maybe(
        Type.Record(Type.String({ minLength: 1, maxLength: 128 }), Type.Union([...MetadataValue, Type.Null()]), {
          maxProperties: 64,
          description: 'Names and values that are merged into the metadata; null removes a name.',
        }),
      ),
    },
    {
      description: 'Changes to a video; omitted fields stay as they are.',
      examples: [{ name: 'junction, night.mp4', tags: ['night', 'rain'], metadata: { vehicle: 'A7', route: null } }],
    },
  ),
);

const VideoIds = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  minItems: 1,
  maxItems: 500,
  description: 'The videos; duplicates count once.',
});
const Erase = { description: 'True: erase at once, without a period to restore.' };

export const DeleteVideoQuery = Type.Object({ erase: Type.Optional(Type.Boolean(Erase)) });
export const DeleteVideosBody = resource(
  'VideosToDelete',
  Type.Object(
    { video_ids: VideoIds, erase: Maybe(Type.Boolean(Erase)) },
    { description: 'Videos to delete.', examples: [{ video_ids: [VIDEO_EXAMPLE.video_id] }] },
  ),
);
export const RestoreVideosBody = resource(
  'VideosToRestore',
  Type.Object(
    { video_ids: VideoIds },
    { description: 'Videos to restore.', examples: [{ video_ids: [VIDEO_EXAMPLE.video_id] }] },
  ),
);
export const MoveVideosBody = resource(
  'VideosToMove',
  Type.Object(
    {
      video_ids: VideoIds,
      folder_id: Nullable(
        Type.String({ maxLength: 255, description: 'Folder to move them into; null removes them from their folders.' }),
      ),
    },
    {
      description: 'Videos to move.',
      examples: [{ video_ids: [VIDEO_EXAMPLE.video_id], folder_id: '019a0b1c2d3e7f008000000000000003' }],
    },
  ),
);

export const VideoResults = resource(
  'VideoResults',
  Type.Object(
    {
      results: Type.Array(
        Type.Object({
          video_id: Type.String({ description: 'Identifier of the video.' }),
          ok: Type.Boolean({ description: 'True if the operation succeeded for this video.' }),
          status: Type.Optional(
            Type.Integer({ description: 'HTTP status that the video alone would have had; only on failure.' }),
          ),
          error: Type.Optional(Type.String({ description: 'Code of the reason; only on failure.' })),
          message: Type.Optional(Type.String({ description: 'Reason as a sentence; only on failure.' })),
        }),
        { description: 'One result per video, in the order of the request. A failure does not affect the others.' },
      ),
    },
    {
      description: 'Results of a bulk operation.',
      examples: [{ results: [{ video_id: VIDEO_EXAMPLE.video_id, ok: true }] }],
    },
  ),
);

export const DeletedVideo = resource(
  'DeletedVideo',
  Type.Object(
    {
      status: Type.Literal('deleted', { description: 'Always `deleted`.' }),
      video_id: Type.String({ description: 'Identifier of the deleted video.' }),
      ...Restorable,
    },
    {
      description: 'The video was deleted.',
      examples: [{ status: 'deleted', video_id: VIDEO_EXAMPLE.video_id, restorable_until: '2026-11-22T09:30:00.000Z' }],
    },
  ),
);
