import { Type } from 'typebox';
import { EVENT_EXAMPLE, EventSummary } from '#features/analyses/index';
import { EstimateField } from '#features/review/index';
import { type Domain, Maybe, resource } from '#platform/http/index';

const BATCH_ID = '019a0b1c2d3e7f008000000000000010';
const STREAM_ID = '019a0b1c2d3e7f008000000000000012';
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Prompt = (description: string) => Type.String({ minLength: 1, maxLength: 10_000, description });

export const ComparisonParams = Type.Object({
  batch_id: Type.String({ maxLength: 255, description: 'Identifier of the batch of the changed query.' }),
});

export const ComparisonQuery = Type.Object({
  baseline_query: Maybe(
    Type.String({
      maxLength: 10_000,
      description: 'The earlier prompt. Default: that of the comparison that started the batch.',
    }),
  ),
});

export const ComparisonRequest = resource(
  'ComparisonRequest',
  Type.Object(
    {
      query: Prompt('The changed prompt, or the same one to compare other settings.'),
      baseline_query: Prompt('The earlier prompt, whose answers were reviewed.'),
      folder_id: Maybe(Type.String({ maxLength: 255, description: 'Only videos of this folder.' })),
      max_videos: Maybe(
        Type.Integer({
          minimum: 1,
          maximum: 1_000,
          description: 'Maximum number of videos, the latest answers first; default: 100.',
        }),
      ),
      mode: Maybe(
        Type.Union([Type.Literal('thinking'), Type.Literal('fast')], { description: 'Default: `thinking`.' }),
      ),
      min_confidence: Maybe(
        Type.Number({ minimum: 0, maximum: 1, description: 'Least confidence of an event, 0 to 1. Default: 0.5.' }),
      ),
      verify: Maybe(
        Type.Union([Type.Literal('auto'), Type.Literal('always'), Type.Literal('never')], {
          description: 'Which events a configured vision-language model verifies. Default: `auto`.',
        }),
      ),
      vision_profile: Maybe(
        Type.String({ maxLength: 64, description: 'Profile of the vision-language model, as in a query.' }),
      ),
      detector: Maybe(Type.String({ maxLength: 64, description: 'Model that detects objects, as in a query.' })),
    },
    {
      description: 'A changed query, to run on the videos whose answers to an earlier prompt were reviewed.',
      examples: [{ query: 'a cyclist crosses the street', baseline_query: 'a cyclist crosses' }],
    },
  ),
);
export type ComparisonRequest = Domain<typeof ComparisonRequest>;

export const StartedComparison = resource(
  'StartedComparison',
  Type.Object(
    {
      batch_id: Type.String({ description: 'Batch of the changed query; the comparison has the same id.' }),
      stream_id: Type.String({ description: 'Stream of its events: `/api/router/v2/query/events/{stream_id}`.' }),
      status: Type.String({ description: '`processing`.' }),
      total: Type.Integer({ minimum: 1, description: 'Number of reviewed videos that it runs on.' }),
    },
    {
      description: 'A comparison that was started.',
      examples: [{ batch_id: BATCH_ID, stream_id: STREAM_ID, status: 'processing', total: 40 }],
    },
  ),
);
export type StartedComparison = Domain<typeof StartedComparison>;

const Side = (description: string) =>
  Type.Object(
    {
      right: Count('Events that are in the videos: approved, or at the time of an approved one.'),
      wrong: Count('Events that are not: rejected, at the time of a rejected one, or in a range without events.'),
      undecided: Count('Events that nobody has decided about. Review them to include them.'),
      missed: Count('Approved events that it did not find.'),
      precision: EstimateField('Right among right and wrong events; null without one (Wilson interval).'),
      recall: EstimateField('Share of the approved events that it found (Wilson interval).'),
      overlap: EstimateField(
        'Mean temporal overlap (intersection over union) of right events with the approved times.',
      ),
    },
    { description },
  );
const SIDE_EXAMPLE = {
  right: 20,
  wrong: 5,
  undecided: 0,
  missed: 4,
  precision: { value: 0.8, low: 0.608684, high: 0.911394 },
  recall: { value: 0.833333, low: 0.641469, high: 0.933226 },
  overlap: { value: 0.8, low: 0.74, high: 0.86 },
};

export const Comparison = resource(
  'Comparison',
  Type.Object(
    {
      batch_id: Type.String({ description: 'Batch of the changed query.' }),
      status: Type.String({ description: 'Status of the batch; figures are those of the videos that are completed.' }),
      query: Type.String({ description: 'The changed prompt.' }),
      baseline_query: Type.String({ description: 'The earlier prompt.' }),
      mode: Type.Union([Type.Literal('thinking'), Type.Literal('fast')], { description: 'Mode of the batch.' }),
      videos: Count('Videos of the batch.'),
      compared_videos: Count('Videos with a completed analysis of both.'),
      failed_videos: Count('Videos on which the changed query failed.'),
      baseline: Side('Quality of the earlier answers.'),
      candidate: Side('Quality of the changed answers.'),
      unchanged: Count('Events that both found.'),
      appeared: Count('Events that only the changed query found.'),
      disappeared: Count('Events that only the earlier one found.'),
      events: Type.Array(
        Type.Object({
          change: Type.Union([Type.Literal('appeared'), Type.Literal('disappeared')], {
            description: '`appeared`: only the changed query found it; `disappeared`: only the earlier one.',
          }),
          judgment: Type.Union([Type.Literal('right'), Type.Literal('wrong'), Type.Literal('undecided')], {
            description: 'What reviewers decided about it, or about an event at the same time.',
          }),
          event: EventSummary,
        }),
        { description: 'Events that appeared or disappeared, by video and time; the first 500.' },
      ),
    },
    {
      description: 'Precision, recall and overlap of a changed query and of the earlier one on the same videos.',
      examples: [
        {
          batch_id: BATCH_ID,
          status: 'completed',
          query: 'a cyclist crosses the street',
          baseline_query: 'a cyclist crosses',
          mode: 'thinking',
          videos: 40,
          compared_videos: 40,
          failed_videos: 0,
          baseline: SIDE_EXAMPLE,
          candidate: SIDE_EXAMPLE,
          unchanged: 24,
          appeared: 1,
          disappeared: 0,
          events: [{ change: 'appeared', judgment: 'undecided', event: EVENT_EXAMPLE }],
        },
      ],
    },
  ),
);
export type Comparison = Domain<typeof Comparison>;
