import { Type } from 'typebox';
import { calendarFields } from '#features/videos/index';
import { Maybe, Name, Nullable, resource, signature, Timestamp } from '#platform/http/index';
import { type ExportFormat, FORMATS } from './formats/index.ts';

const ID = '019a0b1c2d3e7f008000000000000031';
const FILENAME = 'events-2026-11-21-000031.csv';

export const ExportParams = Type.Object({ export_id: Type.String({ description: 'Identifier of the export.' }) });
export const ExportFileParams = Type.Object({
  export_id: Type.String({ description: 'Identifier of the export.' }),
  file: Type.String({ description: 'Name of the file.' }),
});
export const ExportFileQuery = Type.Object(signature);

export const ExportListQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of exports; default: 100.' }),
  ),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

const Id = (description: string) => Maybe(Type.String({ maxLength: 255, description }));
const DateTime = (description: string) => Maybe(Type.String({ format: 'date-time', description }));
const Format = Type.Union(
  (Object.keys(FORMATS) as ExportFormat[]).map((format) => Type.Literal(format)),
  {
    description:
      '`csv`, `json`, `jsonl`, `parquet`: all fields. `vtt`, `srt`, `chapters` (FFmpeg metadata), `mcap` (with boxes as annotations for Foxglove): events on the timeline of one video. `otio`, `edl` (CMX 3600), `fcpxml`: a cut of all events. `coco`, `cvat` (CVAT for images 1.1): boxes of the evidence frames. `label_studio`: tasks with predictions, or annotations of decided events. `fiftyone`: a ZIP archive for FiftyOne, without the videos. `geojson`: where events happened, of recordings with positions. `html`: a report that opens offline, `zip`: clips and evidence images with tables; `lerobot`: a dataset of LeRobot v3, one episode for each event; of at most 1,000 events. `recap`: one MP4 with captions, of at most 200 events.',
  },
);

export const ExportRequest = resource(
  'ExportRequest',
  Type.Object(
    {
      format: Format,
      q: Maybe(Name({ maxLength: 1_000, description: 'Only events whose label, type or prompt contain all words.' })),
      folder_id: Id('Only events of the videos of this folder.'),
      video_ids: Maybe(
        Type.Array(Type.String({ maxLength: 255 }), {
          minItems: 1,
          maxItems: 1_000,
          description: 'Only events of these videos. Formats with times of one video need exactly one.',
        }),
      ),
      batch_id: Id('Only events of this batch.'),
      label: Maybe(Name({ maxLength: 1_000, description: 'Only events with exactly this label.' })),
      type: Maybe(Type.String({ maxLength: 64, description: 'Only events of this kind.' })),
      severity: Maybe(
        Type.Union([Type.Literal('low'), Type.Literal('medium'), Type.Literal('high')], {
          description: 'Only events of this severity.',
        }),
      ),
      approval: Maybe(
        Type.Union(
          [Type.Literal('pending'), Type.Literal('approved'), Type.Literal('rejected'), Type.Literal('unsure')],
          { description: 'Only events with this review state.' },
        ),
      ),
      min_confidence: Maybe(
        Type.Number({ minimum: 0, maximum: 1, description: 'Only events with at least this confidence.' }),
      ),
      added: Maybe(Type.Boolean({ description: 'True: only events that people added.' })),
      disputed: Maybe(Type.Boolean({ description: 'True: only undecided events whose reviewers disagree.' })),
      created_after: DateTime('Only events of analyses that were created at this time or later, ISO 8601.'),
      created_before: DateTime('Only events of analyses that were created before this time, ISO 8601.'),
      ...calendarFields('events'),
    },
    {
      description: 'Events to export, and the format of the file. All filters must match.',
      examples: [{ format: 'csv', approval: 'approved' }],
    },
  ),
);

const EXAMPLE = {
  export_id: ID,
  format: 'csv',
  status: 'completed',
  event_count: 148,
  size_bytes: 51_200,
  error: null,
  message: null,
  filename: FILENAME,
  download_url: `http://localhost:8099/api/exports/${ID}/files/${FILENAME}?token=t1x2y3.signature`,
  created_at: '2026-11-21T09:30:00.000Z',
  completed_at: '2026-11-21T09:30:01.000Z',
  expires_at: '2026-11-28T09:30:00.000Z',
};

export const Export = resource(
  'Export',
  Type.Object(
    {
      export_id: Type.String({ description: 'Identifier of the export.' }),
      format: Type.String({ description: 'Format of the file.' }),
      status: Type.String({ description: '`processing`, `completed` or `failed`.' }),
      event_count: Type.Integer({ minimum: 0, description: 'Number of exported events; 0 until it is completed.' }),
      size_bytes: Nullable(Type.Integer({ minimum: 0, description: 'Size of the file; null until it is completed.' })),
      error: Nullable(Type.String({ description: 'Code of the failure; null without one.' })),
      message: Nullable(Type.String({ description: 'Reason of the failure in a sentence; null without one.' })),
      filename: Type.String({ description: 'Name of the file.' }),
      download_url: Nullable(
        Type.String({
          description: 'Signed URL of the file, valid for a day without a key; null until it is completed.',
        }),
      ),
      created_at: Timestamp({ description: 'Time of the request, ISO 8601, UTC.' }),
      completed_at: Nullable(Timestamp({ description: 'Time when the file was written, ISO 8601, UTC.' })),
      expires_at: Timestamp({ description: 'Time when the export is deleted, ISO 8601, UTC.' }),
    },
    { description: 'An export of events.', examples: [EXAMPLE] },
  ),
);

export const ExportList = resource(
  'ExportList',
  Type.Object(
    {
      exports: Type.Array(Export, { description: 'Your exports, newest first.' }),
      has_more: Type.Boolean({ description: 'True if more exports follow.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    { description: 'A page of exports.', examples: [{ exports: [EXAMPLE], has_more: false, next_cursor: null }] },
  ),
);

export const DeletedExport = resource(
  'DeletedExport',
  Type.Object(
    {
      status: Type.Literal('deleted'),
      export_id: Type.String({ description: 'Identifier of the export.' }),
    },
    { description: 'A deleted export.', examples: [{ status: 'deleted', export_id: ID }] },
  ),
);
