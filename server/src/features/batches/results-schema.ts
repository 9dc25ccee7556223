import { Type } from 'typebox';
import { Maybe, resource } from '#platform/http/index';

const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';
const BATCH_ID = '019a0b1c2d3e7f008000000000000010';

export const BatchDocumentsBody = resource(
  'BatchDocumentsRequest',
  Type.Object(
    {
      video_ids: Type.Array(Type.String(), {
        maxItems: 500,
        description: 'Videos of the batch, at most 500; duplicates count once.',
      }),
    },
    {
      additionalProperties: true,
      description: 'Videos whose documents to return.',
      examples: [{ video_ids: [VIDEO_ID] }],
    },
  ),
);

export const BatchDocumentsQuery = Type.Object({
  include_source_uri: Maybe(
    Type.Boolean({
      description: 'True: add the source of each video to its document, as `import_source_uri`. Default: false.',
    }),
  ),
});

export const BatchDocuments = resource(
  'BatchDocuments',
  Type.Object(
    {
      analyses: Type.Array(
        Type.Object(
          {},
          { additionalProperties: true, description: 'An analysis document, as its own endpoint returns it.' },
        ),
        { description: "Documents in the batch's order." },
      ),
      unresolved_video_ids: Type.Array(Type.String(), { description: 'Videos that are not in this batch.' }),
      not_found_analysis_ids: Type.Array(Type.String(), {
        description: 'Analyses without a document: still running, or their video was deleted.',
      }),
    },
    {
      additionalProperties: true,
      description: 'Documents of a batch.',
      examples: [
        {
          analyses: [
            {
              video_id: VIDEO_ID,
              analysis_id: ANALYSIS_ID,
              analysis: { status: 'COMPLETED', answer: 'A person walks past a parked car at 00:12.', events: [] },
              metadata: { filename: 'junction.mp4', duration_s: 60.06 },
              events: [],
            },
          ],
          unresolved_video_ids: [],
          not_found_analysis_ids: [],
        },
      ],
    },
  ),
);

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
