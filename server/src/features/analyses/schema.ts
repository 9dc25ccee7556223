import { Type } from 'typebox';
import { CheckedElsewhere, Formed, Nullable } from '#platform/http/index';

export const AnalysisParams = Type.Object({
  video_id: Type.String({ description: 'Identifier of the video.' }),
  analysis_id: Type.String({ description: 'Identifier of the analysis.' }),
});

export const VideoParams = Type.Object({ video_id: Type.String({ description: 'Identifier of the video.' }) });

export const EvidenceParams = Type.Object({
  analysis_id: Formed('^[0-9a-f]{32}$', '32 hexadecimal digits', { description: 'Identifier of the analysis.' }),
  file: Formed('^[A-Za-z0-9-]{1,64}\\.jpg$', 'the name of a picture, such as `000-0.jpg`', {
    description: 'File name of the picture.',
  }),
});

export const EvidenceQuery = Type.Object({
  token: Type.String({
    maxLength: 200,
    description: 'The signature, as it stands in the URL that the document gives.',
  }),
});

/** Ids of the examples. */
const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';
const BATCH_ID = '019a0b1c2d3e7f008000000000000010';
const CREATED_AT = '2026-11-21T09:30:00.000Z';
const COMPLETED_AT = '2026-11-21T09:30:04.210Z';

/** What the two forms of an event have in common. */
const HAPPENING = {
  event_id: `${ANALYSIS_ID}-0`,
  type: 'light',
  description: 'The picture gets dark',
  severity: 'medium',
  aiAnalysis: 'The mean brightness fell from 118 to 31 of 255 within 0.4 s and stayed below 40.',
  approval: 'pending',
  start_s: 12.346,
  end_s: 15.015,
};
const EXACT = { start_pts: 1_111_140, end_pts: 1_351_350, time_base: [1, 90_000] };
const THUMBNAIL = `http://localhost:8099/api/evidence/${ANALYSIS_ID}/000-0.jpg?token=t1x2y3.signature`;

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
    edgeCaseValidated: Type.String({ description: '`true`: older clients drop the events of agents without it.' }),
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
const STORED_EVENT = {
  ...HAPPENING,
  edgeCaseValidated: 'true',
  time: 't=12.346',
  end_time: 't=15.015',
  data: {
    ...EXACT,
    confidence: 0.94,
    annotated_thumbnail_url: THUMBNAIL,
    evidence: {
      frames: [{ role: 'best', time_s: 12.8, pts: 1_152_000, boxes: [], url: THUMBNAIL }],
      tracks: [],
      signals: [{ name: 'brightness', value: 31, threshold: 40, unit: 'of 255' }],
    },
  },
};

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
const READABLE_EVENT = {
  ...HAPPENING,
  ...EXACT,
  category: 'light',
  label: 'The picture gets dark',
  confidence: 0.94,
  t_start: '00:12',
  t_end: '00:15',
  annotated_thumbnail_url: THUMBNAIL,
};

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
    answer: Type.String({ description: 'The answer in words, once it has ended; empty until then.' }),
    error: Type.Optional(Type.String({ description: 'Code of what went wrong.' })),
    message: Type.Optional(Type.String({ description: 'What went wrong, in a sentence.' })),
    events: Type.Array(StoredEvent, { description: 'The events, once it is completed.' }),
  },
  {
    additionalProperties: true,
    description: 'How an analysis stands.',
    examples: [
      {
        status: 'PROCESSING',
        analysis_id: ANALYSIS_ID,
        progress: 42.5,
        video_id: VIDEO_ID,
        batch_id: BATCH_ID,
        stage: 'observing',
        chunks_completed: 0,
        chunks_total: 1,
        created_at: CREATED_AT,
        completed_at: null,
        answer: '',
        events: [],
      },
    ],
  },
);

export const Thumbnails = Type.Object(
  {
    events: Type.Array(
      Type.Object(
        {
          annotated_thumbnail_url: Type.String({
            description: 'URL of the picture of its best frame, with boxes; empty for an event without one.',
          }),
        },
        { additionalProperties: true, description: 'The event in its stored form.' },
      ),
      { description: 'All events, in their order.' },
    ),
  },
  {
    additionalProperties: true,
    description: 'The events of an analysis, with their pictures.',
    examples: [{ events: [{ ...STORED_EVENT, annotated_thumbnail_url: THUMBNAIL }] }],
  },
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
  {
    additionalProperties: true,
    description: 'An analysis document.',
    examples: [
      {
        video_id: VIDEO_ID,
        analysis_id: ANALYSIS_ID,
        analysis: {
          status: 'COMPLETED',
          analysis_id: ANALYSIS_ID,
          batch_id: BATCH_ID,
          query: 'the picture gets dark',
          mode: 'thinking',
          answer: 'The picture gets dark once, from 00:12 to 00:15.',
          summary: 'The picture gets dark once, from 00:12 to 00:15.',
          events: [STORED_EVENT],
          coverage: [
            { text: 'the picture gets dark', status: 'looked_for', by: ['signals'], reason: null, findings: 1 },
          ],
          plan: null,
          engine_version: '1',
          created_at: CREATED_AT,
          completed_at: COMPLETED_AT,
        },
        metadata: {
          filename: 'junction.mp4',
          duration_s: 60.06,
          width: 1920,
          height: 1080,
          frame_rate: 29.97,
          size_bytes: 48_120_331,
          import_source_uri: null,
          created_at: '2026-11-21T09:29:12.000Z',
        },
        events: [READABLE_EVENT],
      },
    ],
  },
);
