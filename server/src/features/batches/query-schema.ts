import { Type } from 'typebox';
import { type Domain, Maybe, Nullable, resource, ServiceValidated } from '#platform/http/index';
import { LibraryCount, QueryBody } from './schema.ts';

export const PreviewBody = resource(
  'QueryPreviewRequest',
  Type.Object(
    {
      ...QueryBody.properties,
      mode: Maybe(
        Type.Union([Type.Literal('thinking'), Type.Literal('fast')], {
          description: 'Mode to estimate the cost of. Default: `thinking`.',
        }),
      ),
    },
    {
      additionalProperties: true,
      description: 'A query that is not run. The videos are optional.',
      examples: [
        {
          query: 'a red truck stopped for over 30 seconds',
          video_id: '019a0b1c2d3e7f008000000000000003',
          mode: 'thinking',
        },
      ],
    },
  ),
);

export const QueryPreviewResource = resource(
  'QueryPreview',
  Type.Object(
    {
      interpretation: Type.String({
        description: 'How the prompt is understood, in one sentence: what is understood, and what is not.',
      }),
      plan: ServiceValidated('Plan', 'The plan, which can be changed and sent with a query.'),
      min_confidence: Type.Number({ description: 'Least confidence of an event, 0 to 1.' }),
      parts: Type.Array(
        Type.Object(
          {
            text: Type.String({ description: 'Words of the prompt.' }),
            status: Type.Union([Type.Literal('looked_for'), Type.Literal('partly'), Type.Literal('not_looked_for')], {
              description: 'Whether it would be searched for.',
            }),
            by: Type.Array(Type.String(), { description: 'Observers that would search for it.' }),
            reason: Nullable(
              Type.String({
                description: 'Why it would not be searched for, or what limits the search; null: nothing.',
              }),
            ),
          },
          { description: 'A part of the prompt.' },
        ),
        { description: 'Parts of the prompt. A video may lack what a part needs, such as sound or telemetry.' },
      ),
      corrected: Type.Array(
        Type.Object(
          {
            from: Type.String({ description: 'Word of the prompt.' }),
            to: Type.String({ description: 'Known word.' }),
          },
          { description: 'A corrected word.' },
        ),
        { description: 'Words that are read as the nearest known word.' },
      ),
      suggestions: Type.Array(Type.String(), {
        description:
          'Prompts in similar words that can be searched, where this one is refused for its wording; at most three.',
      }),
      total_videos: Type.Integer({ description: 'Number of videos of the query.' }),
      selection: Type.Optional(LibraryCount),
      observed_videos: Type.Integer({ description: 'Number of videos that need not be decoded again.' }),
      estimated_seconds: Type.Integer({
        description: 'Estimated duration in seconds on two processor cores, for 1080p video, without a vision model.',
      }),
      estimated_vision_tokens: Type.Integer({
        description:
          'Estimated tokens of the vision model; 0 if none is configured or needed. Less if it has answered the same before.',
      }),
      estimated_vision_calls: Type.Integer({ description: 'Estimated calls of the vision model.' }),
      estimated_vision_cost: Type.Number({
        description: 'Estimated cost of these tokens, in the currency of the configured prices; 0 without prices.',
      }),
    },
    {
      description: 'A query that was understood but not run.',
      examples: [
        {
          interpretation: 'Understood as: picture is dark.',
          plan: {
            version: 1,
            query: 'it is dark',
            question: null,
            window: null,
            searches: [
              {
                text: 'it is dark',
                steps: [
                  {
                    text: 'it is dark',
                    what: { kind: 'signal', signal: 'dark' },
                    negated: false,
                    duration: null,
                    join: null,
                    within: null,
                    same: false,
                    unchecked: [],
                  },
                ],
                pick: null,
              },
            ],
            corrected: [],
          },
          min_confidence: 0.5,
          parts: [{ text: 'it is dark', status: 'looked_for', by: ['signals'], reason: null }],
          corrected: [],
          suggestions: [],
          total_videos: 1,
          observed_videos: 0,
          estimated_seconds: 7,
          estimated_vision_tokens: 0,
          estimated_vision_calls: 0,
          estimated_vision_cost: 0,
        },
      ],
    },
  ),
);
export type QueryPreview = Domain<typeof QueryPreviewResource>;
