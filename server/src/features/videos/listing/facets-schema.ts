import { Type } from 'typebox';
import { Nullable, resource, Timestamp } from '#platform/http/index';
import { Status } from '../schema.ts';

const Count = Type.Integer({ minimum: 0, description: 'Number of videos.' });
const Values = (description: string) =>
  Type.Array(Type.Object({ value: Type.String({ description: 'The value.' }), count: Count }), { description });

export const VideoFacets = resource(
  'VideoFacets',
  Type.Object(
    {
      total: Type.Integer({ minimum: 0, description: 'Number of counted videos that match all filters.' }),
      is_complete: Type.Boolean({
        description:
          'True if all videos were counted. False: only those among the newest 10,000 of the folder, or with the name and the tag.',
      }),
      statuses: Type.Array(Type.Object({ value: Status, count: Count }), { description: 'Videos by status.' }),
      sources: Values('Videos by source, such as `file` or `video_url`.'),
      scopes: Values('Videos by scope.'),
      tags: Values('Videos by tag.'),
      queried: Type.Integer({ minimum: 0, description: 'Number of videos with an analysis that you may read.' }),
      not_queried: Type.Integer({ minimum: 0, description: 'Number of videos without one.' }),
      durations: Type.Array(
        Type.Object({
          min_s: Type.Number({ description: 'Least duration in seconds.' }),
          max_s: Nullable(Type.Number({ description: 'Durations are less than this; null: no limit.' })),
          count: Count,
        }),
        { description: 'Videos by duration, shortest first. Videos whose duration is unknown are in no range.' },
      ),
      created: Type.Array(
        Type.Object({
          after: Nullable(Timestamp({ description: 'Start, ISO 8601, UTC; null: no limit.' })),
          before: Nullable(Timestamp({ description: 'End, ISO 8601, UTC; null: no limit.' })),
          count: Count,
        }),
        { description: 'Videos by the start of their upload, newest first: of the last day, week, month and year.' },
      ),
    },
    {
      additionalProperties: true,
      description:
        'Numbers of videos by field, most videos first; at most 50 tags and sources. A field is counted without the filter on it (`status`, `source`, `scope`, `queried`, durations, `created_after`), so that it shows what other values would find.',
      examples: [
        {
          total: 2,
          is_complete: true,
          statuses: [{ value: 'uploaded', count: 2 }],
          sources: [{ value: 'file', count: 2 }],
          scopes: [{ value: 'user', count: 2 }],
          tags: [{ value: 'night', count: 1 }],
          queried: 1,
          not_queried: 1,
          durations: [
            { min_s: 0, max_s: 60, count: 2 },
            { min_s: 60, max_s: 600, count: 0 },
            { min_s: 600, max_s: 3600, count: 0 },
            { min_s: 3600, max_s: null, count: 0 },
          ],
          created: [
            { after: '2026-11-20T09:30:00.000Z', before: null, count: 2 },
            { after: null, before: '2026-11-20T09:30:00.000Z', count: 0 },
          ],
        },
      ],
    },
  ),
);
