import { Type } from 'typebox';
import { Nullable, resource } from '#platform/http/index';

const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';

/** The fields that a query requested with `output_schema`. */
const STRUCTURED = {
  structured_output: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Values of the fields of `output_schema`; absent if a required field has none.',
    }),
  ),
  structured_output_label: Type.Optional(Type.String({ description: 'Label of the schema.' })),
  structured_output_version: Type.Optional(Type.Integer({ description: 'Version of the schema.' })),
  structured_output_errors: Type.Optional(
    Type.Array(
      Type.Object({
        field: Type.String({ description: 'Name of the field.' }),
        message: Type.String({ description: 'Reason why it has no value.' }),
      }),
      { description: 'Fields without a value.' },
    ),
  ),
};

const IncidentId = Type.Optional(
  Type.String({
    description:
      'Identifier of the incident: the same for all events that show the same incident in a video, whatever question, mode, model or version reported them. Absent until it is computed.',
  }),
);

/** When an event was recorded, by the clock that the video has when it is read. */
const RECORDED = {
  start_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Time at which the start was recorded, ISO 8601, UTC; absent if it is unknown. It follows the clock of the video, which can be set.',
    }),
  ),
  end_at: Type.Optional(Type.String({ format: 'date-time', description: 'Time at which the end was recorded.' })),
};

/** Fields of the example that both forms of an event share. */
const EVENT_EXAMPLE = {
  event_id: `${ANALYSIS_ID}-0`,
  incident_id: `${ANALYSIS_ID}-0`,
  type: 'light',
  description: 'The picture gets dark',
  severity: 'medium',
  aiAnalysis: 'The mean brightness fell from 118 to 31 of 255 within 0.4 s and stayed below 40.',
  caveats: [],
  approval: 'pending',
  start_s: 12.346,
  end_s: 15.015,
  start_at: '2026-11-20T21:04:22.346Z',
  end_at: '2026-11-20T21:04:25.015Z',
};
const EXACT = { start_pts: 1_111_140, end_pts: 1_351_350, time_base: [1, 90_000] };
export const THUMBNAIL = `http://localhost:8099/api/evidence/${ANALYSIS_ID}/000-0.jpg?token=t1x2y3.signature`;

const Verification = Type.Object(
  {
    status: Type.String({
      description:
        '`verified`, `refuted`, or `unverified` if the model could not tell, contradicted itself or could not be asked.',
    }),
    by: Type.String({ description: 'The vision-language model.' }),
    frames_s: Type.Array(Type.Number(), { description: 'Times of the frames that decided, in seconds.' }),
  },
  {
    additionalProperties: true,
    description: 'Result of showing frames of the event to a vision-language model again; absent if none was queried.',
  },
);

export const APPROVAL =
  'Review state: `pending` until reviewers have decided, then `approved`, `rejected` or `unsure`.';

export const EventReview = resource(
  'EventReview',
  Type.Object(
    {
      verdicts: Type.Array(
        Type.Object({
          user_id: Type.String({ description: 'The reviewer.' }),
          verdict: Type.String({ description: '`approved`, `rejected` or `unsure`.' }),
          reason: Nullable(Type.String({ description: 'Reason of the verdict.' })),
          reviewed_at: Type.String({ format: 'date-time', description: 'Time of the verdict, ISO 8601, UTC.' }),
        }),
        { description: 'The latest verdict of each reviewer.' },
      ),
      reason: Nullable(Type.String({ description: 'Reason of the verdict that decided.' })),
      disputed: Type.Boolean({ description: 'True if reviewers disagree and nothing is decided.' }),
      note: Nullable(Type.String({ description: 'Note of the reviewers.' })),
      added: Type.Boolean({ description: 'True if a person added the event.' }),
      origin: Type.Optional(
        Type.String({ description: 'The imported file of labels that the event is from; absent for other events.' }),
      ),
      original: Nullable(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              'What the engine reported, if a reviewer changed it: `label`, `severity`, `start_s`, `end_s`, `start_pts`, `end_pts`.',
          },
        ),
      ),
    },
    {
      additionalProperties: true,
      description: 'What reviewers decided about an event and changed.',
      examples: [
        {
          verdicts: [
            {
              user_id: '019a0b1c2d3e7f008000000000000001',
              verdict: 'rejected',
              reason: 'wrong thing',
              reviewed_at: '2026-11-21T09:40:00.000Z',
            },
          ],
          reason: 'wrong thing',
          disputed: false,
          note: null,
          added: false,
          original: null,
        },
      ],
    },
  ),
);

export const AnalysisEvent = resource(
  'AnalysisEvent',
  Type.Object(
    {
      event_id: Type.String({ description: 'Unique and stable.' }),
      incident_id: IncidentId,
      type: Type.String({ description: 'Kind of event: `object`, `motion`, `light`, `cut`, `sound`, …' }),
      time: Type.String({
        description: 'Start, as `t=` and seconds from the first frame with three decimals: `t=12.340`.',
      }),
      end_time: Type.String({ description: 'End, in the same form.' }),
      description: Type.String({ description: 'Short description of the event.' }),
      severity: Type.String({ description: '`low`, `medium` or `high`.' }),
      aiAnalysis: Type.String({ description: 'Reason for the event, with the measurements that support it.' }),
      caveats: Type.Array(Type.String(), {
        description:
          'What was not checked, and other reasons to doubt the event. Those that decide what it is lower its confidence.',
      }),
      approval: Type.String({ description: APPROVAL }),
      review: Type.Optional(EventReview),
      edgeCaseValidated: Type.String({ description: '`true`: older clients drop the events of agents without it.' }),
      verification: Type.Optional(Verification),
      start_s: Type.Number({ description: 'Start in seconds from the first frame: the presentation time of a frame.' }),
      end_s: Type.Number({ description: 'End in seconds from the first frame.' }),
      ...RECORDED,
      ...STRUCTURED,
      data: Type.Object(
        {
          confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Confidence of the engine, 0 to 1.' }),
          annotated_thumbnail_url: Type.Optional(
            Type.String({
              description:
                'Signed URL of the evidence image, a JPEG that is drawn at the first request. It needs no key and is valid for 24 hours.',
            }),
          ),
          start_pts: Type.Number({
            description: 'Exact presentation time stamp of the start, in units of `time_base`.',
          }),
          end_pts: Type.Number({ description: 'Exact presentation time stamp of the end.' }),
          time_base: Type.Array(Type.Integer(), {
            description: 'Seconds per time stamp unit: numerator, denominator.',
          }),
          evidence: Type.Object(
            {},
            {
              additionalProperties: true,
              description:
                'Evidence of the event: `frames` (role, time_s in seconds, pts, boxes in fractions of the frame, url), `tracks` (id, class, color, path as [seconds, x, y]), `signals` (name, value, threshold, unit).',
            },
          ),
        },
        { additionalProperties: true },
      ),
    },
    { additionalProperties: true, description: 'An event in its stored form.' },
  ),
);
export const STORED_EVENT = {
  ...EVENT_EXAMPLE,
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

export const ReadableEvent = resource(
  'ReadableEvent',
  Type.Object(
    {
      event_id: Type.String({ description: 'The same as in the stored form.' }),
      incident_id: IncidentId,
      type: Type.String({ description: 'Kind of event.' }),
      category: Type.String({ description: 'The same as `type`.' }),
      label: Type.String({ description: 'Short description of the event.' }),
      description: Type.String({ description: 'The same as `label`.' }),
      severity: Type.String({ description: '`low`, `medium` or `high`.' }),
      confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Confidence of the engine, 0 to 1.' }),
      t_start: Type.String({ description: 'Start as MM:SS, or HH:MM:SS past an hour; fractions are cut off.' }),
      t_end: Type.String({ description: 'End in the same form.' }),
      start_s: Type.Number({ description: 'Start in seconds from the first frame.' }),
      end_s: Type.Number({ description: 'End in seconds from the first frame.' }),
      ...RECORDED,
      start_pts: Type.Number({ description: 'Exact presentation time stamp of the start, in units of `time_base`.' }),
      end_pts: Type.Number({ description: 'Exact presentation time stamp of the end.' }),
      time_base: Type.Array(Type.Integer(), { description: 'Seconds per time stamp unit: numerator, denominator.' }),
      aiAnalysis: Type.String({ description: 'Reason for the event.' }),
      caveats: Type.Array(Type.String(), { description: 'The same as in the stored form.' }),
      approval: Type.String({ description: APPROVAL }),
      review: Type.Optional(EventReview),
      verification: Type.Optional(Verification),
      annotated_thumbnail_url: Type.Optional(Type.String({ description: 'Signed URL of the evidence image.' })),
      ...STRUCTURED,
    },
    { additionalProperties: true, description: 'An event in its readable form.' },
  ),
);
export const READABLE_EVENT = {
  ...EVENT_EXAMPLE,
  ...EXACT,
  category: 'light',
  label: 'The picture gets dark',
  confidence: 0.94,
  t_start: '00:12',
  t_end: '00:15',
  annotated_thumbnail_url: THUMBNAIL,
};
