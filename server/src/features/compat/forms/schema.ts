import { Type } from 'typebox';
import { type Domain, Maybe, resource } from '#platform/http/index';

const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';
const BATCH_ID = '019a0b1c2d3e7f008000000000000010';

export const FORMS = ['application/x-www-form-urlencoded', 'application/json'];

const Text = (description: string) => Maybe(Type.String({ description }));

export const VideoParams = Type.Object({ video_id: Type.String({ description: 'Identifier of the video.' }) });

const AGENT = {
  edge_case_category: Text(
    '`Lane Change Detection`, `Vehicle Turns`, `Relative Motion Analysis`, `Driving Violations` or `agent_mode_placeholder`: the query, unless `assistant_edge_cases_json` states it.',
  ),
  assistant_edge_cases_json: Text(
    'JSON text of a list of cases; their `title`s are the query if the category is unknown.',
  ),
  custom_edge_case_agent_id: Text('Rejected with 501: this service has no trained agents.'),
};

const WORKFLOW = {
  custom_workflow_name: Text(
    '`action-segmentation` divides each video into the actions that it shows; `robotic-action-segmentation` also states whether each succeeds. Needs a vision-language model; without one it is rejected with 501.',
  ),
  segmenter_id: Text('Rejected with 501: this service has no trained segmenters.'),
  detector_config_json: Text('Rejected with 400: frames are shown to the configured model.'),
};

export const BatchForm = resource(
  'BatchForm',
  Type.Object(
    {
      video_ids: Type.Union([Type.String(), Type.Array(Type.String())], {
        description: 'Videos to analyze; in a form, repeat the field for each video. At most 1,000.',
      }),
      analysis_kind: Text(
        '`rapid_review` (default): the query is `prompt`; `edge_agent`: the query is that of `edge_case_category`.',
      ),
      prompt: Text('The query, in plain words.'),
      output_schema_json: Text('JSON text of the fields to fill: `output_schema` of a query.'),
      category: Text('Stored in the `config` of the batch; does not affect the query.'),
      client_batch_id: Text('Your own identifier of the batch; a repeat with the same value returns the same batch.'),
      custom_agent_id: Text('Rejected with 501: this service has no trained agents.'),
      ...WORKFLOW,
      ...AGENT,
    },
    {
      additionalProperties: true,
      description:
        'A query for videos, as older clients send it. Other fields of older clients are accepted and ignored.',
      examples: [{ video_ids: [VIDEO_ID], analysis_kind: 'rapid_review', prompt: 'a person walks past a parked car' }],
    },
  ),
);
export type BatchForm = Domain<typeof BatchForm>;

export const CreatedBatch = resource(
  'CreatedBatch',
  Type.Object(
    {
      batch_id: Type.String({
        description: 'Identifier of the batch; its status is at `/api/batch/{batch_id}/status`.',
      }),
      status: Type.String({ description: 'Status of the batch.' }),
    },
    {
      additionalProperties: true,
      description: 'The new batch.',
      examples: [{ batch_id: BATCH_ID, status: 'processing' }],
    },
  ),
);
export type CreatedBatch = Domain<typeof CreatedBatch>;

export const QuestionForm = resource(
  'QuestionForm',
  Type.Object(
    {
      question: Type.String({
        description:
          'The query, optionally after a category and the separator `-----------EVENT_DESCRIPTION-----------`.',
      }),
      video_id: Type.String({ description: 'Video to analyze.' }),
      custom_agent_id: Text('Rejected with 501: this service has no trained agents.'),
      ...WORKFLOW,
    },
    {
      additionalProperties: true,
      description:
        'A query for one video, as older clients send it. Other fields of older clients are accepted and ignored.',
      examples: [
        {
          question: 'driving-----------EVENT_DESCRIPTION-----------a person walks past a parked car',
          video_id: VIDEO_ID,
        },
      ],
    },
  ),
);
export type QuestionForm = Domain<typeof QuestionForm>;

export const AgentForm = resource(
  'AgentForm',
  Maybe(
    Type.Object(AGENT, {
      additionalProperties: true,
      description: 'The query, as older clients send it. Other fields of older clients are accepted and ignored.',
      examples: [{ edge_case_category: 'Vehicle Turns' }],
    }),
  ),
);
export type AgentForm = Domain<typeof AgentForm>;

export const StartedAnalysis = resource(
  'StartedAnalysis',
  Type.Object(
    {
      status: Type.String({ description: 'Status of the analysis.' }),
      analysis_id: Type.String({
        description:
          'Identifier of the analysis; its status is at `/api/videos/{video_id}/analyses/{analysis_id}/status`.',
      }),
      batch_id: Type.String({ description: 'The batch of this one analysis.' }),
    },
    {
      additionalProperties: true,
      description: 'The started analysis.',
      examples: [{ status: 'processing', analysis_id: ANALYSIS_ID, batch_id: BATCH_ID }],
    },
  ),
);
export type StartedAnalysis = Domain<typeof StartedAnalysis>;
