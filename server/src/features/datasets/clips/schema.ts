import { Type } from 'typebox';
import { EventConditions } from '#features/analyses/index';
import { Maybe, Nullable, resource } from '#platform/http/index';
import { MAX_LABEL } from './types.ts';

const MAX_CLIPS_OF_REQUEST = 1_000;

const video_id = (description: string) => Type.String({ maxLength: 255, description });
const start_s = Type.Number({ minimum: 0, description: 'Start in seconds from the first frame.' });
const end_s = Type.Number({ minimum: 0, description: 'End in seconds, after the start and within the video.' });
const LABEL = { minLength: 1, maxLength: MAX_LABEL };

export const Clips = (description: string) =>
  Maybe(
    Type.Array(
      Type.Object({
        video_id: video_id('A video that you may read and that is ready.'),
        start_s,
        end_s,
        label: Maybe(Type.String({ ...LABEL, description: 'What the clip shows.' })),
      }),
      { maxItems: MAX_CLIPS_OF_REQUEST, description },
    ),
  );

export const ClipsOfEvents = Maybe(
  Type.Object(EventConditions.properties, {
    description:
      'The ranges of all events that match, as of `GET /api/events`, with their labels; at most 10,000. Events without a length are left out.',
  }),
);

export const CLIP_EXAMPLE = {
  clip_id: '019a0b1c2d3e7f008000000000000052',
  video_id: '019a0b1c2d3e7f008000000000000003',
  video_name: 'junction.mp4',
  start_s: 12,
  end_s: 18.5,
  label: 'a person crosses',
};

export const DatasetClip = resource(
  'DatasetClip',
  Type.Object(
    {
      clip_id: Type.String({ description: 'Identifier of the clip.' }),
      video_id: video_id('Identifier of its video.'),
      video_name: Type.String({ description: 'Name of its video.' }),
      start_s,
      end_s,
      label: Nullable(Type.String({ ...LABEL, description: 'What the clip shows; null if nobody stated it.' })),
    },
    { description: 'A range of a video in a dataset.', examples: [CLIP_EXAMPLE] },
  ),
);

export const DownloadedClip = Type.Object({
  ...DatasetClip.properties,
  split: Type.Optional(Type.String({ description: '`train`, `val` or `test`; only if splits were requested.' })),
});
