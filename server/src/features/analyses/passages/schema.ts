import { Type } from 'typebox';
import { type Domain, Maybe, Name, Nullable, resource } from '#platform/http/index';

const Id = (description: string) => Maybe(Type.String({ maxLength: 255, description }));

export const PassageListQuery = Type.Object({
  q: Maybe(
    Name({
      maxLength: 1_000,
      description:
        'Only passages that contain all of these words, in any order. English words match in all of their forms; words such as "the" match nothing.',
    }),
  ),
  source: Maybe(
    Type.Union([Type.Literal('transcript'), Type.Literal('text')], {
      description: 'Only what is spoken (`transcript`), or only what is read in frames (`text`).',
    }),
  ),
  folder_id: Id('Only passages of the videos of this folder.'),
  video_id: Id('Only passages of this video.'),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of passages; default: 50.' }),
  ),
  cursor: Maybe(Type.String({ maxLength: 4_000, description: 'The `next_cursor` of the previous page.' })),
});

const EXAMPLE = {
  video_id: '019a0b1c2d3e7f008000000000000003',
  video_name: 'night-01.mp4',
  video_duration_s: 61.4,
  folder_id: '019a0b1c2d3e7f008000000000000002',
  folder_name: 'Night drives',
  source: 'transcript' as const,
  start_s: 12.346,
  end_s: 15.015,
  text: 'Stop, there is a forklift behind you.',
};

export const VideoPassage = resource(
  'VideoPassage',
  Type.Object(
    {
      video_id: Type.String({ description: 'Identifier of the video.' }),
      video_name: Type.String({ description: 'Display name of the video.' }),
      video_duration_s: Nullable(Type.Number({ description: 'Duration of the video in seconds; null if unknown.' })),
      folder_id: Nullable(Type.String({ description: 'Folder of the video; null without one.' })),
      folder_name: Nullable(Type.String({ description: 'Name of that folder.' })),
      source: Type.Union([Type.Literal('transcript'), Type.Literal('text')], {
        description:
          '`transcript`: it is spoken, by the subtitles or by recognized speech; `text`: it is read in frames.',
      }),
      start_s: Type.Number({ description: 'Start in seconds from the first frame.' }),
      end_s: Type.Number({ description: 'End in seconds from the first frame.' }),
      text: Type.String({ description: 'The sentence or the text, at most 2,000 characters.' }),
    },
    {
      additionalProperties: true,
      description: 'A sentence that is spoken in a video, or a text that is read in its frames.',
      examples: [EXAMPLE],
    },
  ),
);

export const PassagePage = resource(
  'PassagePage',
  Type.Object(
    {
      passages: Type.Array(VideoPassage, {
        description: 'Passages of the newest videos first, in order of their start.',
      }),
      has_more: Type.Boolean({ description: 'True if more passages follow.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    {
      additionalProperties: true,
      description: 'A page of passages.',
      examples: [{ passages: [EXAMPLE], has_more: false, next_cursor: null }],
    },
  ),
);
export type PassagePage = Domain<typeof PassagePage>;
