import { Type } from 'typebox';
import { Maybe, Nullable, resource, Timestamp } from '#platform/http/index';

export const AnalysisListQuery = Type.Object({
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of analyses; default: 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

const AnalysisSummary = Type.Object(
  {
    analysis_id: Type.String({ description: 'Identifier of the analysis.' }),
    video_id: Type.String({ description: 'Identifier of the video.' }),
    batch_id: Nullable(Type.String({ description: 'Batch of the analysis; null if it has none.' })),
    query: Type.String({ description: 'The prompt.' }),
    mode: Type.String({ description: '`thinking` or `fast`.' }),
    min_confidence: Type.Number({ description: 'Least confidence of an event, 0 to 1.' }),
    status: Type.String({ description: '`PROCESSING`, `COMPLETED` or `FAILED`.' }),
    stage: Nullable(Type.String({ description: 'Current stage; null once the analysis has ended.' })),
    progress: Type.Number({ minimum: 0, maximum: 100, description: 'Progress in percent.' }),
    answer: Nullable(Type.String({ description: 'The answer as text; null until the analysis is completed.' })),
    event_count: Type.Integer({ minimum: 0, description: 'Number of events.' }),
    problem_code: Nullable(Type.String({ description: 'Error code of a failed analysis.' })),
    problem_message: Nullable(Type.String({ description: 'Error message of a failed analysis.' })),
    created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
    completed_at: Nullable(Timestamp({ description: 'Time when it ended, ISO 8601, UTC.' })),
  },
  { additionalProperties: true, description: 'An analysis without its document.' },
);

export const AnalysisList = resource(
  'AnalysisList',
  Type.Object(
    {
      analyses: Type.Array(AnalysisSummary, { description: 'Analyses of the video, newest first.' }),
      has_more: Type.Boolean({ description: 'True if there are older ones.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    {
      additionalProperties: true,
      description: 'A page of the analyses of a video.',
      examples: [
        {
          analyses: [
            {
              analysis_id: '019a0b1c2d3e7f008000000000000011',
              video_id: '019a0b1c2d3e7f008000000000000003',
              batch_id: '019a0b1c2d3e7f008000000000000010',
              query: 'the picture gets dark',
              mode: 'thinking',
              min_confidence: 0.5,
              status: 'COMPLETED',
              stage: null,
              progress: 100,
              answer: 'The picture gets dark at 00:12.',
              event_count: 1,
              problem_code: null,
              problem_message: null,
              created_at: '2026-11-21T09:30:00.000Z',
              completed_at: '2026-11-21T09:30:04.210Z',
            },
          ],
          has_more: false,
          next_cursor: null,
        },
      ],
    },
  ),
);
