import { Type } from 'typebox';
import { EventSummary } from '#features/analyses/index';
import { type Domain, Maybe, Nullable, resource } from '#platform/http/index';
import { NewEvent } from '../schema.ts';
import { ScoresQuery } from '../scores/schema.ts';

const Seconds = (description: string) => Type.Number({ minimum: 0, maximum: 1e9, description });

export const MAX_LENGTH_S = 120;

export const SamplesQuery = Type.Object({
  ...ScoresQuery.properties,
  count: Maybe(Type.Integer({ minimum: 1, maximum: 100, description: 'Number of ranges to draw; default: 10.' })),
  length_s: Maybe(
    Type.Integer({ minimum: 2, maximum: MAX_LENGTH_S, description: 'Length of a range in seconds; default: 10.' }),
  ),
});

const RANGE = {
  start_s: Seconds('Start of the range in seconds from the first frame.'),
  end_s: Seconds('End of the range in seconds.'),
};
const Verdict = Type.Union([Type.Literal('clear'), Type.Literal('missed'), Type.Literal('unsure')], {
  description:
    '`clear`: no event of the prompt starts in the range; `missed`: one starts there; `unsure`: not counted.',
});

const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';
const VIDEO_ID = '019a0b1c2d3e7f008000000000000010';
const EXAMPLE_RANGE = { start_s: 120, end_s: 130 };

export const ReviewSamples = resource(
  'ReviewSamples',
  Type.Object(
    {
      samples: Type.Array(
        Type.Object(
          {
            video_id: Type.String({ description: 'Identifier of the video.' }),
            video_name: Type.String({ description: 'Name of the video.' }),
            analysis_id: Type.String({ description: 'Identifier of the analysis.' }),
            query: Type.String({ description: 'The prompt whose events are looked for.' }),
            ...RANGE,
          },
          { description: 'A range of a video without events of the engine.' },
        ),
        { description: 'Ranges in random order; none if all time was reviewed.' },
      ),
    },
    {
      description: 'Random ranges in which the engine found nothing.',
      examples: [
        {
          samples: [
            {
              video_id: VIDEO_ID,
              video_name: 'junction.mp4',
              analysis_id: ANALYSIS_ID,
              query: 'a cyclist crosses',
              ...EXAMPLE_RANGE,
            },
          ],
        },
      ],
    },
  ),
);

export const ReviewedSampleRequest = resource(
  'ReviewedSampleRequest',
  Type.Object(
    {
      ...RANGE,
      verdict: Verdict,
      event: Maybe(NewEvent),
    },
    {
      description: 'What a reviewer saw in a range. With `missed`, `event` adds the event, which starts in the range.',
      examples: [{ ...EXAMPLE_RANGE, verdict: 'clear' }],
    },
  ),
);
export type ReviewedSampleRequest = Domain<typeof ReviewedSampleRequest>;

export const ReviewedSample = resource(
  'ReviewedSample',
  Type.Object(
    {
      analysis_id: Type.String({ description: 'Identifier of the analysis.' }),
      ...RANGE,
      verdict: Verdict,
      event: Nullable(EventSummary),
    },
    {
      description: 'A range with its verdict, and the event that was added.',
      examples: [{ analysis_id: ANALYSIS_ID, ...EXAMPLE_RANGE, verdict: 'clear', event: null }],
    },
  ),
);
