import { Type } from 'typebox';
import { CheckedElsewhere, Nullable } from '#platform/http/index';

export const AnalysisParams = Type.Object({
  video_id: Type.String({ description: 'Identifier of the video.' }),
  analysis_id: Type.String({ description: 'Identifier of the analysis.' }),
});

export const VideoParams = Type.Object({ video_id: Type.String({ description: 'Identifier of the video.' }) });

export const EvidenceParams = Type.Object({
  analysis_id: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Identifier of the analysis.' }),
  file: Type.String({ pattern: '^[A-Za-z0-9-]{1,64}\\.jpg$', description: 'File name of the picture.' }),
});

export const EvidenceQuery = Type.Object({
  token: Type.String({
    maxLength: 200,
    description: 'The signature, as it stands in the URL that the document gives.',
  }),
});

const Status = Type.Union([Type.Literal('PROCESSING'), Type.Literal('COMPLETED'), Type.Literal('FAILED')], {
  description: '`PROCESSING` until the analysis has ended; then `COMPLETED` or `FAILED`.',
});

const StoredEvent = Type.Object(
  {
    event_id: Type.String({ description: 'Unique and stable.' }),
    type: Type.String({ description: 'Kind of happening: `object`, `motion`, `light`, `cut`, `sound`, …' }),
    time: Type.String({
      description: 'Start, as `t=` and seconds from the first frame with three decimals: `t=12.340`.',
    }),
    end_time: Type.String({ description: 'End, in the same form.' }),
    description: Type.String({ description: 'What happened, in a few words.' }),
    severity: Type.String({ description: '`low`, `medium` or `high`.' }),
    aiAnalysis: Type.String({ description: 'Why this was reported, with the numbers that led to it.' }),
    approval: Type.String({ description: '`pending`, until a person reviews it.' }),
    start_s: Type.Number({ description: 'Start in seconds from the first frame: the presentation time of a frame.' }),
    end_s: Type.Number({ description: 'End in seconds from the first frame.' }),
    data: Type.Object(
      {
        confidence: Type.Number({ minimum: 0, maximum: 1, description: 'How certain the engine is, 0 to 1.' }),
        annotated_thumbnail_url: Type.Optional(
          Type.String({
            description:
              'Signed URL of the evidence picture, a JPEG that is drawn when it is first fetched; needs no key, holds for 24 hours.',
          }),
        ),
        start_pts: Type.Number({ description: 'Exact presentation time stamp of the start, in units of `time_base`.' }),
        end_pts: Type.Number({ description: 'Exact presentation time stamp of the end.' }),
        time_base: Type.Array(Type.Integer(), { description: 'Seconds per time stamp unit: numerator, denominator.' }),
        evidence: Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              'What shows it: `frames` (role, time_s in seconds, pts, boxes in fractions of the picture, url), `tracks` (id, class, color, path as [seconds, x, y]), `signals` (name, value, threshold, unit).',
          },
        ),
      },
      { additionalProperties: true },
    ),
  },
  { additionalProperties: true, description: 'An event in its stored form.' },
);

const ReadableEvent = Type.Object(
  {
    event_id: Type.String({ description: 'The same as in the stored form.' }),
    type: Type.String({ description: 'Kind of happening.' }),
    category: Type.String({ description: 'The same as `type`.' }),
    label: Type.String({ description: 'What happened, in a few words.' }),
    description: Type.String({ description: 'The same as `label`.' }),
    severity: Type.String({ description: '`low`, `medium` or `high`.' }),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: '0 to 1.' }),
    t_start: Type.String({ description: 'Start as MM:SS, or HH:MM:SS past an hour; fractions are cut off.' }),
    t_end: Type.String({ description: 'End in the same form.' }),
    start_s: Type.Number({ description: 'Start in seconds from the first frame.' }),
    end_s: Type.Number({ description: 'End in seconds from the first frame.' }),
    start_pts: Type.Number({ description: 'Exact presentation time stamp of the start, in units of `time_base`.' }),
    end_pts: Type.Number({ description: 'Exact presentation time stamp of the end.' }),
    time_base: Type.Array(Type.Integer(), { description: 'Seconds per time stamp unit: numerator, denominator.' }),
    aiAnalysis: Type.String({ description: 'Why this was reported.' }),
    approval: Type.String({ description: '`pending`, until a person reviews it.' }),
    annotated_thumbnail_url: Type.Optional(Type.String({ description: 'Signed URL of the evidence picture.' })),
  },
  { additionalProperties: true, description: 'An event in its readable form.' },
);

const Coverage = Type.Object(
  {
    text: Type.String({ description: 'The words of the prompt.' }),
    status: Type.String({ description: '`looked_for`, `partly` or `not_looked_for`.' }),
    by: Type.Array(Type.String(), { description: 'What looked for it.' }),
    reason: Nullable(Type.String({ description: 'Why not, or with what limits.' })),
    findings: Type.Integer({ minimum: 0, description: 'How many events came of it.' }),
  },
  { additionalProperties: true, description: 'What became of one part of the prompt.' },
);

export const AnalysisStatusAnswer = Type.Object(
  {
    status: Status,
    analysis_id: Type.String({ description: 'Identifier of the analysis.' }),
    progress: Type.Number({ minimum: 0, maximum: 100, description: 'Percent done; never falls.' }),
    video_id: Type.String({ description: 'Identifier of the video.' }),
    batch_id: Nullable(Type.String({ description: 'The batch it belongs to.' })),
    stage: Nullable(
      Type.String({
        description:
          '`waiting`, `planning`, `observing`, `finding` or `looking` (a vision-language model is asked); null once it has ended.',
      }),
    ),
    chunks_completed: Type.Integer({ description: '1 once it has ended, else 0.' }),
    chunks_total: Type.Integer({ description: 'Always 1.' }),
    created_at: Type.String({ format: 'date-time', description: 'When it was asked for, ISO 8601, UTC.' }),
    completed_at: Nullable(Type.String({ format: 'date-time', description: 'When it ended, ISO 8601, UTC.' })),
    error: Type.Optional(Type.String({ description: 'Code of what went wrong.' })),
    message: Type.Optional(Type.String({ description: 'What went wrong, in a sentence.' })),
    events: Type.Array(StoredEvent, { description: 'The events, once it is completed.' }),
  },
  { additionalProperties: true, description: 'How an analysis stands.' },
);

export const AnalysisDocumentAnswer = Type.Object(
  {
    video_id: Type.String({ description: 'Identifier of the video.' }),
    analysis_id: Type.String({ description: 'Identifier of the analysis.' }),
    analysis: Type.Object(
      {
        status: Status,
        analysis_id: Type.String({ description: 'Identifier of the analysis.' }),
        batch_id: Nullable(Type.String({ description: 'The batch it belongs to.' })),
        query: Type.String({ description: 'The prompt.' }),
        mode: Type.String({ description: '`thinking` or `fast`.' }),
        answer: Type.String({ description: 'The answer in words; the summary when the prompt asked no question.' }),
        summary: Type.String({ description: 'What was found, and what could not be looked for.' }),
        events: Type.Array(StoredEvent, { description: 'The events in their stored form; empty while it runs.' }),
        coverage: Type.Array(Coverage, {
          description: 'For each part of the prompt: what looked for it, or why nothing could.',
        }),
        plan: Nullable(
          CheckedElsewhere('Plan', 'What was looked for, as a plan that can be sent again; null when there is none.'),
        ),
        engine_version: Type.Optional(
          Type.String({ description: 'The same plan, video and version give the same answer.' }),
        ),
        created_at: Type.String({ format: 'date-time', description: 'When it was asked for, ISO 8601, UTC.' }),
        completed_at: Type.Optional(Type.String({ format: 'date-time', description: 'When it ended, ISO 8601, UTC.' })),
        error: Type.Optional(Type.String({ description: 'Code of what went wrong.' })),
        message: Type.Optional(Type.String({ description: 'What went wrong, in a sentence.' })),
        stage: Type.Optional(Type.String({ description: 'Where it is, while it runs.' })),
        progress: Type.Optional(Type.Number({ description: 'Percent done, while it runs.' })),
      },
      { additionalProperties: true, description: 'The result, complete.' },
    ),
    metadata: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'The video as it was analysed: `filename`, `duration_s` (seconds), `width` and `height` (pixels), `frame_rate` (frames per second), `size_bytes`, `import_source_uri`, `created_at`; and `visual_analysis`, where older clients look for the status.',
      },
    ),
    events: Type.Array(ReadableEvent, { description: 'The events in their readable form.' }),
  },
  { additionalProperties: true, description: 'An analysis document.' },
);
