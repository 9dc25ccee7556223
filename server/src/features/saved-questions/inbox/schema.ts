import { Type } from 'typebox';
import { Maybe, Nullable, PatternString, resource, Timestamp } from '#platform/http/index';
import { ID_PATTERN } from '#platform/ids';
import { MAX_UNREAD } from './inbox.ts';

const ID = '019a0b1c2d3e7f008000000000000053';
const QUESTION_ID = '019a0b1c2d3e7f008000000000000051';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';

export const AlertListQuery = Type.Object({
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 200, description: 'Maximum number of alerts; default: 50.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

const Alert = resource(
  'Alert',
  Type.Object(
    {
      alert_id: Type.String({ description: 'Identifier of the alert. Later alerts have greater ones.' }),
      saved_question_id: Nullable(
        Type.String({ description: 'The saved question that raised it; null for a fault of a camera.' }),
      ),
      saved_question_name: Nullable(Type.String({ description: 'Name of the question.' })),
      camera_id: Nullable(Type.String({ description: 'The camera that has a fault; null for an event.' })),
      camera_name: Nullable(Type.String({ description: 'Name of that camera.' })),
      fault: Nullable(
        Type.Union(
          (['offline', 'black', 'frozen'] as const).map((kind) => Type.Literal(kind)),
          { description: 'What the camera sends: nothing, or a black or frozen picture; null for an event.' },
        ),
      ),
      video_id: Nullable(
        Type.String({ description: 'The video, or the recording in progress; null for a fault of a camera.' }),
      ),
      video_name: Nullable(Type.String({ description: 'Name of the video.' })),
      analysis_id: Nullable(
        Type.String({
          description:
            'The analysis that has the event; null for an event of a livestream until its recording is complete.',
        }),
      ),
      session_id: Nullable(
        Type.String({ description: 'The live session in which the event was found; null for other events.' }),
      ),
      event_id: Nullable(
        Type.String({ description: 'The event: of the analysis or, without one, of the live session.' }),
      ),
      label: Type.String({ description: 'Label of the event, or the fault in words.' }),
      confidence: Nullable(Type.Number({ minimum: 0, maximum: 1, description: 'Confidence of the event, 0 to 1.' })),
      start_s: Nullable(Type.Number({ description: 'Start of the event in seconds from the first frame.' })),
      end_s: Nullable(Type.Number({ description: 'End of the event in seconds.' })),
      approval: Type.Union(
        (['pending', 'approved', 'rejected', 'unsure'] as const).map((name) => Type.Literal(name)),
        { description: 'Verdict of the reviewers.' },
      ),
      other_events: Type.Integer({ minimum: 0, description: 'Further events of the video that it stands for.' }),
      is_read: Type.Boolean({ description: 'True if you have seen it.' }),
      is_muted: Type.Boolean({ description: 'True if you have muted its question.' }),
      created_at: Timestamp({ description: 'Time of the alert, ISO 8601, UTC.' }),
    },
    {
      description: 'An event that a saved question announced, or a fault of a camera.',
      examples: [
        {
          alert_id: ID,
          saved_question_id: QUESTION_ID,
          saved_question_name: 'Trucks at the gate',
          camera_id: null,
          camera_name: null,
          fault: null,
          video_id: '019a0b1c2d3e7f008000000000000010',
          video_name: 'gate.mp4',
          analysis_id: ANALYSIS_ID,
          session_id: null,
          event_id: `${ANALYSIS_ID}-0`,
          label: 'Truck 1 stops',
          confidence: 0.87,
          start_s: 12.4,
          end_s: 42.1,
          approval: 'pending' as const,
          other_events: 2,
          is_read: false,
          is_muted: false,
          created_at: '2026-11-21T09:31:10.000Z',
        },
      ],
    },
  ),
);

const MutedUntil = Nullable(
  Timestamp({ description: 'Its alerts are not shown to you until then, ISO 8601, UTC; null: until you end it.' }),
);

export const AlertMute = resource(
  'AlertMute',
  Type.Object(
    {
      saved_question_id: Type.String({ description: 'The saved question.' }),
      saved_question_name: Type.String({ description: 'Name of the question.' }),
      muted_until: MutedUntil,
    },
    {
      description: 'A saved question whose alerts are not shown to you. Webhooks and colleagues still receive them.',
      examples: [{ saved_question_id: QUESTION_ID, saved_question_name: 'Trucks at the gate', muted_until: null }],
    },
  ),
);

export const AlertList = resource(
  'AlertList',
  Type.Object(
    {
      alerts: Type.Array(Alert, { description: 'Alerts about videos that you may read, newest first.' }),
      unread: Type.Integer({
        minimum: 0,
        maximum: MAX_UNREAD,
        description: `Number of alerts that you have not seen, of questions that you have not muted; at most ${MAX_UNREAD}.`,
      }),
      mutes: Type.Array(AlertMute, { description: 'Saved questions that you have muted, by name.' }),
      has_more: Type.Boolean({ description: 'True if more alerts follow.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    {
      description: 'A page of alerts.',
      examples: [{ alerts: [], unread: 0, mutes: [], has_more: false, next_cursor: null }],
    },
  ),
);

export const AlertsReadRequest = resource(
  'AlertsReadRequest',
  Type.Object(
    {
      alert_id: PatternString(ID_PATTERN, 'the id of an alert', {
        description: 'The latest alert that you have seen.',
      }),
    },
    { description: 'Which alerts you have seen.', examples: [{ alert_id: ID }] },
  ),
);

export const AlertsRead = resource(
  'AlertsRead',
  Type.Object(
    { status: Type.Literal('read') },
    { description: 'The alerts are marked as seen.', examples: [{ status: 'read' as const }] },
  ),
);

export const AlertMuteRequest = resource(
  'AlertMuteRequest',
  Type.Object(
    { until: Maybe(Timestamp({ description: 'End of the mute, ISO 8601. Default: until you end it.' })) },
    { description: 'How long to mute.', examples: [{ until: '2026-11-22T08:00:00.000Z' }] },
  ),
);

export const AlertUnmuted = resource(
  'AlertUnmuted',
  Type.Object(
    {
      status: Type.Literal('unmuted'),
      saved_question_id: Type.String({ description: 'The saved question.' }),
    },
    {
      description: 'A question that is shown again.',
      examples: [{ status: 'unmuted', saved_question_id: QUESTION_ID }],
    },
  ),
);
