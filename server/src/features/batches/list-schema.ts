import { Type } from 'typebox';
import { Maybe, Nullable, resource } from '#platform/http/index';
import { BatchResource } from './schema.ts';

export const BatchListQuery = Type.Object({
  scope: Maybe(
    Type.Union([Type.Literal('user'), Type.Literal('org')], {
      description: '`user`: your personal batches; `org`: those on shared videos. Default: both.',
    }),
  ),
  status: Maybe(
    Type.Union(
      [Type.Literal('processing'), Type.Literal('completed'), Type.Literal('failed'), Type.Literal('cancelled')],
      { description: 'Only batches with this status.' },
    ),
  ),
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of batches; default: 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

export const BatchList = resource(
  'BatchList',
  Type.Object(
    {
      batches: Type.Array(BatchResource, { description: 'Batches, newest first; their `videos` are empty.' }),
      has_more: Type.Boolean({ description: 'True if there are older ones.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    {
      additionalProperties: true,
      description: 'A page of batches.',
      examples: [
        {
          batches: [
            {
              batch_id: '019a0b1c2d3e7f008000000000000010',
              status: 'completed',
              aggregated_progress: { total: 1, completed: 1, failed: 0 },
              event_count: 3,
              answer: null,
              answer_event_id: null,
              videos: [],
              config: { prompt: 'a person walks past a parked car', mode: 'thinking' },
              query: 'a person walks past a parked car',
              mode: 'thinking',
              stream_id: '019a0b1c2d3e7f008000000000000012',
              metadata: {},
              review_status: null,
              review_status_updated_at: null,
              created_at: '2026-11-21T09:30:00.000Z',
              completed_at: '2026-11-21T09:31:10.000Z',
            },
          ],
          has_more: false,
          next_cursor: null,
        },
      ],
    },
  ),
);
