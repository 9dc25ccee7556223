import { Type } from 'typebox';
import { Maybe, Nullable, resource, Timestamp } from '#platform/http/index';

const RUN_ID = '019a0b1c2d3e7f008000000000000071';
const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';

export const ObservationParams = Type.Object({
  observation_id: Type.String({ description: 'Identifier of the observation run.' }),
});

export const RunListQuery = Type.Object({
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of runs; default: 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

export const ObservationRequest = resource(
  'ObservationRequest',
  Type.Object(
    {
      observers: Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: 20,
        description:
          'Kinds of observers, of `observers` in `GET /api/system` that process whole videos, such as `sounds`, `speech`, `text`, `objects` or `embeddings`. With `embeddings`, `object_embeddings` are made of the videos whose objects are observed; requested by that name, of all.',
      }),
      video_ids: Maybe(
        Type.Array(Type.String(), { maxItems: 1000, description: 'The videos. Send either these or `folder_id`.' }),
      ),
      folder_id: Maybe(
        Type.String({ maxLength: 255, description: 'All ready videos of this folder instead, at most 1,000.' }),
      ),
      detector: Maybe(
        Type.String({
          maxLength: 64,
          description: 'Model that detects objects, of `detectors` in `GET /api/system`. Default: that of the service.',
        }),
      ),
    },
    {
      description: 'Videos to observe before anyone asks.',
      examples: [{ observers: ['sounds', 'speech'], video_ids: [VIDEO_ID] }],
    },
  ),
);

const RUN = {
  observation_id: Type.String({ description: 'Identifier of the run.' }),
  observers: Type.Array(Type.String(), { description: 'Kinds of observers.' }),
  detector: Nullable(Type.String({ description: 'Requested detector; null: that of the service.' })),
  status: Type.Union(
    [Type.Literal('processing'), Type.Literal('completed'), Type.Literal('failed'), Type.Literal('canceled')],
    { description: '`failed`: no video could be observed; `canceled`: some were canceled; `completed`: the others.' },
  ),
  progress: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Mean progress of the videos, 0 to 1; ended ones count as 1.',
  }),
  total: Type.Integer({ minimum: 0, description: 'Number of videos.' }),
  completed: Type.Integer({ minimum: 0, description: 'Videos that are observed, also those that were before.' }),
  failed: Type.Integer({ minimum: 0, description: 'Videos that could not be observed.' }),
  created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
};
const RUN_EXAMPLE = {
  observation_id: RUN_ID,
  observers: ['sounds'],
  detector: null,
  status: 'processing' as const,
  progress: 0.4,
  total: 40,
  completed: 15,
  failed: 1,
  created_at: '2026-11-21T09:30:00.000Z',
};

export const ObservationRunSummary = resource(
  'ObservationRunSummary',
  Type.Object(RUN, { description: 'Observation of chosen videos by chosen observers.', examples: [RUN_EXAMPLE] }),
);

export const ObservationRunList = resource(
  'ObservationRunList',
  Type.Object(
    {
      runs: Type.Array(ObservationRunSummary, { description: 'Runs that you may read, newest first.' }),
      has_more: Type.Boolean({ description: 'True if there are older ones.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    {
      description: 'A page of observation runs.',
      examples: [{ runs: [RUN_EXAMPLE], has_more: false, next_cursor: null }],
    },
  ),
);

export const ObservationRunResource = resource(
  'ObservationRun',
  Type.Object(
    {
      ...RUN,
      videos: Type.Array(
        Type.Object({
          video_id: Type.String({ description: 'Identifier of the video.' }),
          status: Type.Union(
            (['waiting', 'running', 'completed', 'failed', 'canceled'] as const).map((status) => Type.Literal(status)),
            { description: 'State of its observation.' },
          ),
          progress: Type.Number({ minimum: 0, maximum: 1, description: 'Progress, 0 to 1.' }),
          problem: Nullable(
            Type.Object(
              {
                code: Type.String({ description: 'Stable code of the error.' }),
                message: Type.String({ description: 'What happened, and what to do.' }),
              },
              { description: 'Reason of a failure.' },
            ),
          ),
        }),
        { description: 'The videos in the requested order.' },
      ),
    },
    {
      description: 'An observation run with its videos.',
      examples: [
        {
          ...RUN_EXAMPLE,
          videos: [{ video_id: VIDEO_ID, status: 'running' as const, progress: 0.4, problem: null }],
        },
      ],
    },
  ),
);
