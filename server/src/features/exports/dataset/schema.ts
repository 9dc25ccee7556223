import { Type } from 'typebox';
import { Maybe, Nullable, resource, signature, Timestamp } from '#platform/http/index';

const ID = '019a0b1c2d3e7f008000000000000061';
const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const EVENT_ID = '019a0b1c2d3e7f008000000000000011-0';
const BASE = `http://localhost:8099/api/exports/dataset/${ID}`;

const ExportId = Type.String({ description: 'Identifier of the export.' });
export const DatasetExportParams = Type.Object({ dataset_export_id: ExportId });
export const DatasetExportFileParams = Type.Object({
  dataset_export_id: ExportId,
  video_id: Type.String({ description: 'Identifier of the video.' }),
});
export const SignedQuery = Type.Object(signature);

const Ids = (bounds: { minItems: number; maxItems: number }, description: string) =>
  Type.Array(Type.String({ maxLength: 255 }), { ...bounds, description });

export const DatasetExportRequest = resource(
  'DatasetExportRequest',
  Type.Object(
    {
      video_ids: Ids({ minItems: 1, maxItems: 1_000 }, 'Videos that you may read.'),
      event_ids: Maybe(
        Ids({ minItems: 0, maxItems: 10_000 }, 'Events of these videos; empty: all events of these videos.'),
      ),
      dataset_id: Maybe(Type.String({ maxLength: 255, description: 'Dataset that the events were selected in.' })),
    },
    {
      additionalProperties: true,
      description: 'Videos and events to export.',
      examples: [{ video_ids: [VIDEO_ID], event_ids: [EVENT_ID] }],
    },
  ),
);

const Gap = Type.Object({
  video_id: Nullable(Type.String({ description: 'The video; null for an event.' })),
  event_id: Nullable(Type.String({ description: 'The event; null for a video.' })),
  reason: Type.String({ description: 'Reason in a sentence.' }),
});
const Gaps = Type.Array(Gap, { description: 'What could not be included.' });

export const DatasetExportResource = resource(
  'DatasetExport',
  Type.Object(
    {
      export_id: ExportId,
      dataset_id: Nullable(Type.String({ description: 'Dataset that the events were selected in.' })),
      status: Type.String({
        description:
          '`queued`, `building`, `completed`, `completed_with_gaps` (something could not be included, see `gaps`) or `failed`.',
      }),
      progress: Type.Object(
        {
          built: Type.Integer({ minimum: 0, description: 'Videos that are done.' }),
          sessions_total: Type.Integer({ minimum: 0, description: 'All videos.' }),
        },
        { description: 'Progress.' },
      ),
      event_count: Type.Integer({ minimum: 0, description: 'Number of exported events; 0 until it is completed.' }),
      gaps: Gaps,
      error: Nullable(Type.String({ description: 'Reason of the failure in a sentence; null without one.' })),
      manifest_url: Nullable(
        Type.String({
          description: 'Signed URL of the list of files, valid for a day without a key; null until it is completed.',
        }),
      ),
      created_at: Timestamp({ description: 'Time of the request, ISO 8601, UTC.' }),
      completed_at: Nullable(Timestamp({ description: 'Time when the files were written, ISO 8601, UTC.' })),
      expires_at: Timestamp({ description: 'Time when the export is deleted, ISO 8601, UTC.' }),
    },
    {
      description: 'An export of a selection of videos and events, with one MCAP file for each video.',
      examples: [
        {
          export_id: ID,
          dataset_id: null,
          status: 'completed',
          progress: { built: 1, sessions_total: 1 },
          event_count: 12,
          gaps: [],
          error: null,
          manifest_url: `${BASE}/manifest?token=t1x2y3.signature`,
          created_at: '2026-11-21T09:30:00.000Z',
          completed_at: '2026-11-21T09:30:01.000Z',
          expires_at: '2026-11-28T09:30:00.000Z',
        },
      ],
    },
  ),
);

export const DatasetExportManifest = resource(
  'DatasetExportManifest',
  Type.Object(
    {
      export_id: ExportId,
      dataset_id: Nullable(Type.String({ description: 'Dataset that the events were selected in.' })),
      status: Type.String({ description: '`completed` or `completed_with_gaps`.' }),
      created_at: Timestamp({ description: 'Time of the request, ISO 8601, UTC.' }),
      files: Type.Array(
        Type.Object({
          path: Type.String({ description: 'Relative path, with `/`.' }),
          role: Type.String({ description: '`annotations`: the events as MCAP; `source`: the video.' }),
          url: Type.String({ description: 'Signed URL, valid for a day without a key.' }),
          bytes: Nullable(Type.Integer({ minimum: 0, description: 'Size of the file; null if unknown.' })),
          sha256: Nullable(Type.String({ description: 'SHA-256 of the file, hexadecimal; null if unknown.' })),
        }),
        { description: 'All files.' },
      ),
      gaps: Gaps,
    },
    {
      description: 'The files of an export.',
      examples: [
        {
          export_id: ID,
          dataset_id: null,
          status: 'completed',
          created_at: '2026-11-21T09:30:00.000Z',
          files: [
            {
              path: `sessions/${VIDEO_ID}/${VIDEO_ID}.annotations.mcap`,
              role: 'annotations',
              url: `${BASE}/files/${VIDEO_ID}?token=t1x2y3.signature`,
              bytes: 5_120,
              sha256: 'a'.repeat(64),
            },
          ],
          gaps: [],
        },
      ],
    },
  ),
);
