import { Type } from 'typebox';
import { CAPTION_MODES } from '#engine/index';
import { type Domain, Maybe, resource } from '#platform/http/index';

const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';
const BATCH_ID = '019a0b1c2d3e7f008000000000000010';

const VideoIds = Type.Array(Type.String({ maxLength: 255 }), {
  minItems: 1,
  maxItems: 200,
  description: 'Identifiers of 1 to 200 videos.',
});
const Mode = Maybe(
  Type.Union(
    CAPTION_MODES.map((mode) => Type.Literal(mode)),
    {
      description:
        'Kind of footage: `driving` (default), or `construction` or `robotics`, which need a vision-language model. The modes have captions of their own.',
    },
  ),
);

const Refresh = Maybe(
  Type.Boolean({ description: 'True: caption videos again that have captions, for example after a model was added.' }),
);

export const IndexParams = Type.Object({ video_id: Type.String({ description: 'Identifier of the video.' }) });
export const IndexQuery = Type.Object({ mode: Mode });

export const VideosToIndex = resource(
  'VideosToIndex',
  Type.Object(
    { video_ids: VideoIds, mode: Mode, refresh: Refresh },
    { additionalProperties: true, description: 'Videos to caption.', examples: [{ video_ids: [VIDEO_ID] }] },
  ),
);

export const IndexRun = resource(
  'IndexRun',
  Type.Object(
    { video_ids: VideoIds, run_id: Maybe(Type.String({ description: 'Identifier of the run.' })), mode: Mode },
    {
      additionalProperties: true,
      description: 'Videos whose captions are awaited.',
      examples: [{ video_ids: [VIDEO_ID], run_id: BATCH_ID }],
    },
  ),
);

const Caption = Type.Object({
  t_start: Type.Number({ description: 'Start in seconds from the first frame.' }),
  t_end: Type.Number({ description: 'End in seconds from the first frame.' }),
  caption: Type.String({ description: 'What is in view, in a sentence.' }),
});

export const VideoIndex = resource(
  'VideoIndex',
  Type.Object(
    {
      status: Type.Union([Type.Literal('completed'), Type.Literal('failed')], {
        description: '`completed` or `failed`.',
      }),
      grounded_caption: Type.Optional(Type.Array(Caption, { description: 'Captions in the order of time.' })),
      batch_id: Type.Optional(Type.String({ description: 'Batch of the analysis.' })),
      analysis_id: Type.Optional(Type.String({ description: 'Analysis whose events are the captions.' })),
      index_video_id: Type.Optional(
        Type.String({ description: 'Video that was captioned instead: the primary view of the set.' }),
      ),
      warnings: Type.Optional(Type.Array(Type.String(), { description: 'Limits of the captions.' })),
      error: Type.Optional(Type.String({ description: 'Reason of a failure.' })),
      error_code: Type.Optional(Type.String({ description: 'Stable code of a failure.' })),
    },
    {
      description: 'Captions of a video.',
      examples: [
        {
          status: 'completed',
          grounded_caption: [{ t_start: 0, t_end: 7, caption: 'Two people move left to right; the camera is still.' }],
          batch_id: BATCH_ID,
          analysis_id: ANALYSIS_ID,
          warnings: ['Captions state what observers measured.'],
        },
      ],
    },
  ),
);
export type VideoIndex = Domain<typeof VideoIndex>;

const Results = Type.Record(Type.String(), VideoIndex, {
  description: 'Results by the id of the video. Videos that are still being captioned are absent.',
});

export const StartedIndex = resource(
  'StartedIndex',
  Type.Object(
    {
      results: Results,
      run_id: Maybe(Type.String({ description: 'Identifier of the run; null if all results are there.' })),
      batch_id: Maybe(Type.String({ description: 'The batch that was started; null if none was.' })),
    },
    {
      description: 'A started run.',
      examples: [{ results: {}, run_id: BATCH_ID, batch_id: BATCH_ID }],
    },
  ),
);

export const IndexStatus = resource(
  'IndexStatus',
  Type.Object({ results: Results }, { description: 'Results so far.', examples: [{ results: {} }] }),
);

export const IndexTargets = resource(
  'IndexTargets',
  Type.Object(
    {
      view_targets: Type.Record(Type.String(), Type.String(), {
        description: 'Video that is captioned, by the id of the requested one: the primary view of its set, or itself.',
      }),
      results: Results,
    },
    {
      description: 'Videos that would be captioned.',
      examples: [{ view_targets: { [VIDEO_ID]: VIDEO_ID }, results: {} }],
    },
  ),
);
