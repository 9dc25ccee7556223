import { Type } from 'typebox';
import { Maybe, Name, Nullable, resource } from '#platform/http/index';
import { MetadataValue, ReasonText, Restorable, Tag, VIDEO_EXAMPLE } from './schema.ts';

const TimeZone = Type.String({
  maxLength: 64,
  description:
    'Time zone of the place: an IANA name such as `Europe/Berlin`, or an offset such as `+01:00`; null: by what the file says. A local time in the name of a file is read in it.',
});
const Instant = (description: string) => Type.String({ format: 'date-time', description });
const Comparison = Type.Object(
  {
    shown_at: Instant('Time by the clock of the camera, ISO 8601.'),
    recorded_at: Instant('The right time.'),
  },
  { additionalProperties: false, description: 'A comparison of a clock with the right time.' },
);
const VideoPoint = Type.Object(
  {
    at_s: Type.Number({ minimum: 0, maximum: 1e7, description: 'Second of the video.' }),
    recorded_at: Instant('Time at which it was recorded, ISO 8601.'),
  },
  { additionalProperties: false, description: 'A point of a video whose time is known.' },
);

const ClockFields = {
  time_zone: Maybe(TimeZone),
  shift_s: Maybe(
    Type.Number({
      minimum: -1e9,
      maximum: 1e9,
      description:
        'Seconds that are added to what the file says, for a camera whose clock is wrong: 90 if it is a minute and a half slow. It replaces the previous one.',
    }),
  ),
  local_header: Maybe(
    Type.Boolean({
      description:
        'True: the files state local time where UTC belongs, as many cameras write it; it is read in `time_zone`. Default: false.',
    }),
  ),
  reference_points: Maybe(
    Type.Array(Comparison, {
      minItems: 2,
      maxItems: 2,
      description:
        'Two comparisons of the clock of the camera with the right time, where it drifts. What the sources say is corrected by the line through them, instead of by `shift_s`; null: none.',
    }),
  ),
};

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
      recorded_at: Maybe(
        Type.String({
          format: 'date-time',
          description: 'Time at which the first frame was recorded, ISO 8601; null: by what the file says.',
        }),
      ),
      time_zone: Maybe(TimeZone),
      reference_points: Maybe(
        Type.Array(VideoPoint, {
          minItems: 2,
          maxItems: 2,
          description:
            'Two points of the video whose times are known: the first frame and the rate follow from them, as of a camera whose clock drifts or of a time lapse. They replace `recorded_at`; null: none.',
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
const Erase = {
  description:
    'True: erase at once, without a period to restore. A video that was deleted before is erased at once, too.',
};
const DeletionReason = ReasonText('Why, for the audit log, such as the number of a request.');

export const DeleteVideoQuery = Type.Object({
  erase: Type.Optional(Type.Boolean(Erase)),
  reason: Maybe(DeletionReason),
});
export const DeleteVideosBody = resource(
  'VideosToDelete',
  Type.Object(
    { video_ids: VideoIds, erase: Maybe(Type.Boolean(Erase)), reason: Maybe(DeletionReason) },
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
export const HoldVideosBody = resource(
  'VideosToHold',
  Type.Object(
    { video_ids: VideoIds, reason: ReasonText('Why they are on hold. Everyone who sees a video can read it.') },
    {
      description: 'Videos to put on legal hold.',
      examples: [{ video_ids: [VIDEO_EXAMPLE.video_id], reason: 'Claim 4711' }],
    },
  ),
);
export const ReleaseVideosBody = resource(
  'VideosToRelease',
  Type.Object(
    { video_ids: VideoIds },
    {
      description: 'Videos to release from their legal hold.',
      examples: [{ video_ids: [VIDEO_EXAMPLE.video_id] }],
    },
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

export const SetClocksBody = resource(
  'VideoClockChanges',
  Type.Object(
    { video_ids: VideoIds, ...ClockFields },
    {
      description: 'Changes to the clocks of videos; omitted fields stay as they are.',
      examples: [{ video_ids: [VIDEO_EXAMPLE.video_id], time_zone: 'Europe/Berlin', shift_s: -45 }],
    },
  ),
);
export const FolderClockParams = Type.Object({
  folder_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the folder.' }),
});
export const SetFolderClockBody = resource(
  'FolderClockChanges',
  Type.Object(
    {
      ...ClockFields,
      path_pattern: Maybe(
        Type.String({
          maxLength: 200,
          description:
            'Where dates and times are in the paths of its videos (`source_uri`, else the name): `{yyyy}-{mm}-{dd}/{HH}.{MM}.{SS}`, with `*` for any text within a folder. It is stored, and also read for new videos; empty: none.',
        }),
      ),
      new_videos: Maybe(
        Type.Boolean({
          description:
            'True: new videos of the folder start with these settings, too. False: with none. Default: as before, at first with none.',
        }),
      ),
    },
    {
      description: 'Changes to the clocks of the videos of a folder; omitted fields stay as they are.',
      examples: [{ time_zone: 'Europe/Berlin', shift_s: -45, path_pattern: '{yyyy}-{mm}-{dd}/{HH}', new_videos: true }],
    },
  ),
);
export const ChangedClocks = resource(
  'ChangedClocks',
  Type.Object(
    { changed: Type.Integer({ minimum: 0, description: 'Number of videos whose clock was changed.' }) },
    { description: 'The clocks of a folder were changed.', examples: [{ changed: 12 }] },
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
