import { type Static, Type } from 'typebox';
import { Maybe } from '#platform/http/index';

const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';
const BATCH_ID = '019a0b1c2d3e7f008000000000000010';

export const FORMS = ['application/x-www-form-urlencoded', 'application/json'];

const Text = (description: string) => Maybe(Type.String({ description }));

export const VideoParams = Type.Object({ video_id: Type.String({ description: 'Identifier of the video.' }) });

const AGENT = {
  edge_case_category: Text(
    '`Lane Change Detection`, `Vehicle Turns`, `Relative Motion Analysis`, `Driving Violations` or `agent_mode_placeholder`: what to look for, unless `assistant_edge_cases_json` says it.',
  ),
  assistant_edge_cases_json: Text(
    'JSON text of a list of cases; their `title`s are looked for when the category is not known.',
  ),
  custom_edge_case_agent_id: Text('Refused with 501: there are no trained agents here.'),
};

export const BatchForm = Type.Object(
  {
    video_ids: Type.Union([Type.String(), Type.Array(Type.String())], {
      description: 'The videos to ask, the field repeated for each; at most 1,000.',
    }),
    analysis_kind: Text(
      '`rapid_review`, the default: `prompt` is the question; `edge_agent`: `edge_case_category` names it.',
    ),
    prompt: Text('What to look for, in plain words.'),
    category: Text('Kept in the batch’s `config`; the question decides what is looked for.'),
    client_batch_id: Text('Your own name for the batch: sent again, the same batch is the answer.'),
    custom_agent_id: Text('Refused with 501: there are no trained agents here.'),
    custom_workflow_name: Text('Refused with 501: there are no workflows here.'),
    ...AGENT,
  },
  {
    additionalProperties: true,
    description:
      'A question about videos, as older clients ask it. Other fields of theirs are accepted and not needed.',
    examples: [{ video_ids: [VIDEO_ID], analysis_kind: 'rapid_review', prompt: 'a person walks past a parked car' }],
  },
);
export type BatchForm = Static<typeof BatchForm>;

export const BatchMade = Type.Object(
  {
    batch_id: Type.String({ description: 'The batch; its status is at `/api/batch/{batch_id}/status`.' }),
    status: Type.String({ description: 'How it stands.' }),
  },
  {
    additionalProperties: true,
    description: 'A batch that was made.',
    examples: [{ batch_id: BATCH_ID, status: 'processing' }],
  },
);

export const AskForm = Type.Object(
  {
    question: Type.String({
      description:
        'What to look for; a category may stand before it, with `-----------EVENT_DESCRIPTION-----------` between them.',
    }),
    video_id: Type.String({ description: 'The video to ask.' }),
    custom_agent_id: Text('Refused with 501: there are no trained agents here.'),
    custom_workflow_name: Text('Refused with 501: there are no workflows here.'),
  },
  {
    additionalProperties: true,
    description:
      'A question about one video, as older clients ask it. Other fields of theirs are accepted and not needed.',
    examples: [
      {
        question: 'driving-----------EVENT_DESCRIPTION-----------a person walks past a parked car',
        video_id: VIDEO_ID,
      },
    ],
  },
);
export type AskForm = Static<typeof AskForm>;

export const AgentForm = Maybe(
  Type.Object(AGENT, {
    additionalProperties: true,
    description: 'What to look for, as older clients say it. Other fields of theirs are accepted and not needed.',
    examples: [{ edge_case_category: 'Vehicle Turns' }],
  }),
);
export type AgentForm = Static<typeof AgentForm>;

export const Started = Type.Object(
  {
    status: Type.String({ description: '`processing`.' }),
    analysis_id: Type.String({
      description: 'The analysis; its status is at `/api/videos/{video_id}/analyses/{analysis_id}/status`.',
    }),
    batch_id: Type.String({ description: 'The batch of this one analysis.' }),
  },
  {
    additionalProperties: true,
    description: 'An analysis that was started.',
    examples: [{ status: 'processing', analysis_id: ANALYSIS_ID, batch_id: BATCH_ID }],
  },
);
