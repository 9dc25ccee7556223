import { Type } from 'typebox';
import { type Domain, Maybe, Nullable, resource } from '#platform/http/index';

const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const FOLDER_ID = '019a0b1c2d3e7f008000000000000004';

/** Longest image in bytes, and in characters of Base64. */
export const MAX_IMAGE_BYTES = 8 * 2 ** 20;
const MAX_IMAGE_CHARACTERS = Math.ceil(MAX_IMAGE_BYTES / 3) * 4;

const Fraction = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const Box = (description: string) =>
  Type.Object(
    {
      x: Fraction('Left edge.'),
      y: Fraction('Upper edge.'),
      width: Fraction('Width.'),
      height: Fraction('Height.'),
    },
    { description },
  );

const DateTime = (description: string) => Maybe(Type.String({ format: 'date-time', description }));

export const FrameSearch = resource(
  'FrameSearch',
  Type.Object(
    {
      text: Maybe(Type.String({ maxLength: 1_000, description: 'Words that describe what is in view, in English.' })),
      picture: Maybe(
        Type.String({
          maxLength: MAX_IMAGE_CHARACTERS,
          description: 'An image whose like is searched: JPEG, PNG, WebP or AVIF in Base64, at most 8 MB.',
        }),
      ),
      frame: Maybe(
        Type.Object(
          {
            video_id: Type.String({ maxLength: 255, description: 'Identifier of the video.' }),
            time_s: Type.Number({ minimum: 0, maximum: 1e9, description: 'Time in seconds from its first frame.' }),
            box: Maybe(
              Box('Only the part of it around this box, in fractions of its width and height; by default all of it.'),
            ),
          },
          { description: 'A frame of a video whose like is searched.' },
        ),
      ),
      of: Maybe(
        Type.Union([Type.Literal('frames'), Type.Literal('objects'), Type.Literal('all')], {
          description: 'What is searched: whole frames, tracked objects, or both. Default: `all`.',
        }),
      ),
      folder_id: Maybe(Type.String({ maxLength: 255, description: 'Only videos of this folder.' })),
      video_ids: Maybe(
        Type.Array(Type.String({ maxLength: 255 }), { maxItems: 1_000, description: 'Only these videos.' }),
      ),
      created_after: DateTime('Only videos whose upload started at this time or later, ISO 8601.'),
      created_before: DateTime('Only videos whose upload started before this time, ISO 8601.'),
      min_score: Maybe(
        Type.Number({
          minimum: -1,
          maximum: 1,
          description: 'Only matches with at least this score. Default: -1, all.',
        }),
      ),
      limit: Maybe(Type.Integer({ minimum: 1, maximum: 200, description: 'Maximum number of matches; default: 50.' })),
    },
    {
      description:
        'A search among the frames of videos and the objects in them: by exactly one of `text`, `picture` and `frame`.',
      examples: [{ text: 'a construction site', folder_id: FOLDER_ID, limit: 20 }],
    },
  ),
);
export type FrameSearch = Domain<typeof FrameSearch>;

const FrameMatch = Type.Object(
  {
    video_id: Type.String({ description: 'Identifier of the video.' }),
    video_name: Type.String({ description: 'Name of the video.' }),
    folder_id: Nullable(Type.String({ description: 'Folder of the video; null without one.' })),
    time_s: Type.Number({ description: 'Time of the frame in seconds from the first one.' }),
    object: Nullable(
      Type.Object(
        {
          class: Type.String({
            description: 'Class of the detector, which may be wrong; `moving object` without one.',
          }),
          box: Box('Where it is, in fractions of the frame.'),
        },
        { description: 'The tracked object that resembles the query; null if the whole frame does.' },
      ),
    ),
    score: Type.Number({
      minimum: -1,
      maximum: 1,
      description:
        'Similarity to the query, -1 to 1. Scores order the frames of one search. They are no confidence: the best frame may show something else.',
    }),
    image_url: Type.String({ description: 'Signed URL of the frame as JPEG that needs no key, valid for an hour.' }),
  },
  { description: 'A frame, or an object in it, that resembles the query.' },
);

export const FrameMatches = resource(
  'FrameMatches',
  Type.Object(
    {
      matches: Type.Array(FrameMatch, {
        description:
          'Frames and objects, best first; of the frames of each ten seconds of a video only the best one, and of the views of an object as well.',
      }),
      model: Nullable(Type.String({ description: 'Name of the model; null if it cannot be used.' })),
      searched_videos: Type.Integer({
        minimum: 0,
        description: 'Number of videos whose frames or objects were searched.',
      }),
      searched_frames: Type.Integer({ minimum: 0, description: 'Number of frames that were searched.' }),
      searched_objects: Type.Integer({
        minimum: 0,
        description: 'Number of views of tracked objects that were searched: up to three of each object.',
      }),
      total_videos: Type.Integer({
        minimum: 0,
        description: 'Number of videos that match the filters. Those that were not observed are not searched.',
      }),
      reason: Nullable(
        Type.String({
          description:
            'Why frames or objects of videos were not searched, in a sentence or two; null if all of them were.',
        }),
      ),
    },
    {
      description: 'Frames of videos, and objects in them, that resemble a query.',
      examples: [
        {
          matches: [
            {
              video_id: VIDEO_ID,
              video_name: 'Drive.mp4',
              folder_id: FOLDER_ID,
              time_s: 12,
              score: 0.28,
              object: { class: 'truck', box: { x: 0.41, y: 0.32, width: 0.18, height: 0.24 } },
              image_url: `http://localhost:8099/api/media/${VIDEO_ID}/frame.jpg?token=t1x2y3.signature&t=12`,
            },
          ],
          model: 'clip_vit_b32',
          searched_videos: 3,
          searched_frames: 420,
          searched_objects: 96,
          total_videos: 4,
          reason:
            '1 of 4 videos was not searched: its frames are not observed. Observe it with the observer "embeddings".',
        },
      ],
    },
  ),
);
export type FrameMatches = Domain<typeof FrameMatches>;
