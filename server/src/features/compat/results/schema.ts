import { Type } from 'typebox';
import { STORED_EVENT } from '#features/analyses/index';
import { Maybe, resource } from '#platform/http/index';

const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';
const BATCH_ID = '019a0b1c2d3e7f008000000000000010';

const APPROVALS = ['approved', 'rejected', 'unsure', 'pending', 'invalid'] as const;

export const FilterBatchBody = resource(
  'BatchFilter',
  Type.Object(
    {
      filter: Maybe(
        Type.Array(Type.Union(APPROVALS.map((approval) => Type.Literal(approval))), {
          description:
            'Review states of the events to return; null: all. `invalid` is accepted from older clients and matches nothing.',
        }),
      ),
    },
    {
      additionalProperties: true,
      description: 'Events to return.',
      examples: [{ filter: ['pending'] }],
    },
  ),
);

const ResultMetadata = Type.Object(
  {
    batch_id: Type.String({ description: 'Identifier of the batch.' }),
    status: Type.String({ description: 'Status of the batch.' }),
    prompt: Type.String({ description: 'The prompt.' }),
    created_at: Type.String({ format: 'date-time', description: 'Creation time, ISO 8601, UTC.' }),
  },
  { additionalProperties: true, description: 'The batch, with the metadata that users added as `metadata`.' },
);
const AnalysisResult = Type.Object(
  {
    video_id: Type.String({ description: 'Identifier of the video.' }),
    analysis_id: Type.String({ description: 'Identifier of its analysis.' }),
    status: Type.String({ description: '`processing`, `completed` or `failed`.' }),
    analysis: Type.Object(
      {
        status: Type.String({ description: 'The same status in capitals.' }),
        events: Type.Array(Type.Object({}, { additionalProperties: true }), {
          description: 'Events in their stored form, without their evidence.',
        }),
      },
      { additionalProperties: true, description: 'Result of the analysis.' },
    ),
  },
  { additionalProperties: true },
);

export const BatchResults = resource(
  'BatchResults',
  Type.Object(
    {
      // Free-form, because stored documents and configurations have more fields: passed through in their wire form.
      batch_metadata: Type.Unsafe<Record<string, unknown>>(ResultMetadata),
      results: Type.Unsafe<object[]>(Type.Array(AnalysisResult, { description: 'One result per analysis.' })),
    },
    {
      additionalProperties: true,
      description: 'Results of a batch.',
      examples: [
        {
          batch_metadata: {
            batch_id: BATCH_ID,
            status: 'completed',
            prompt: 'a person walks past a parked car',
            created_at: '2026-11-21T09:30:00.000Z',
          },
          results: [
            {
              video_id: VIDEO_ID,
              analysis_id: ANALYSIS_ID,
              status: 'completed',
              analysis: { status: 'COMPLETED', answer: 'A person walks past a parked car at 00:12.', events: [] },
            },
          ],
        },
      ],
    },
  ),
);

export const AnalysisThumbnails = resource(
  'AnalysisThumbnails',
  Type.Object(
    {
      events: Type.Array(
        Type.Object(
          {
            annotated_thumbnail_url: Type.String({
              description: 'URL of the image of its best frame with boxes; empty for an event without an image.',
            }),
          },
          { additionalProperties: true, description: 'An event in the stored form with the URL of its image.' },
        ),
        { description: 'Events of the analysis, in order.' },
      ),
    },
    {
      additionalProperties: true,
      description: 'Events of an analysis with the URLs of their images.',
      examples: [{ events: [{ ...STORED_EVENT, annotated_thumbnail_url: STORED_EVENT.data.annotated_thumbnail_url }] }],
    },
  ),
);
