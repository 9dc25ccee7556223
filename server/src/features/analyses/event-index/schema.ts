import { Type } from 'typebox';
import { calendarFields } from '#features/videos/index';
import { type Domain, Maybe, Name, Nullable, resource, Timestamp } from '#platform/http/index';
import { APPROVAL, EventReview, THUMBNAIL } from '../event-schema.ts';

const Id = (description: string) => Maybe(Type.String({ maxLength: 255, description }));
const DateTime = (description: string) => Maybe(Type.String({ format: 'date-time', description }));
const APPROVALS = ['pending', 'approved', 'rejected', 'unsure'] as const;
const SEVERITIES = [Type.Literal('low'), Type.Literal('medium'), Type.Literal('high')];

export const EventListQuery = Type.Object({
  q: Maybe(
    Name({
      maxLength: 1_000,
      description:
        'Only events that contain all of these words, in any order: in the label, the type, the prompt, what is spoken or read during the event, notes of reviewers, or tags of the video. English words match in all of their forms; words such as "the" match nothing.',
    }),
  ),
  folder_id: Id('Only events of the videos of this folder.'),
  video_id: Id('Only events of this video.'),
  batch_id: Id('Only events of this batch.'),
  incident_id: Id('Only events of this incident.'),
  label: Maybe(Name({ maxLength: 1_000, description: 'Only events with exactly this label.' })),
  type: Maybe(Type.String({ maxLength: 64, description: 'Only events of this kind, such as `object` or `light`.' })),
  severity: Maybe(Type.Union(SEVERITIES, { description: 'Only events of this severity.' })),
  // Not nullable: the conversion of query values would take 0 for null.
  min_confidence: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Only events with at least this confidence.' }),
  ),
  approval: Maybe(
    Type.Union(
      APPROVALS.map((approval) => Type.Literal(approval)),
      { description: 'Only events with this review state.' },
    ),
  ),
  added: Type.Optional(Type.Boolean({ description: 'True: only events that people added.' })),
  disputed: Type.Optional(Type.Boolean({ description: 'True: only undecided events whose reviewers disagree.' })),
  to_review: Type.Optional(
    Type.Boolean({
      description:
        'True: only events that wait for your verdict: pending, without a verdict of yours, and assigned to nobody else.',
    }),
  ),
  assigned: Type.Optional(Type.Boolean({ description: 'True: only events that are assigned to you.' })),
  created_after: DateTime('Only events of analyses that were created at this time or later, ISO 8601.'),
  created_before: DateTime('Only events of analyses that were created before this time, ISO 8601.'),
  ...calendarFields('events'),
  sort: Maybe(
    Type.Union([Type.Literal('-created_at'), Type.Literal('-confidence'), Type.Literal('confidence')], {
      description:
        'Order: newest analyses first (default), highest confidence first, or lowest confidence first (`confidence`).',
    }),
  ),
  per: Maybe(
    Type.Union([Type.Literal('event'), Type.Literal('incident')], {
      description:
        '`incident`: one event for each incident, the first one in the order of the list that matches all filters, with `incident`; facets and statistics count incidents, and `to_review` leaves out events with `implied`. Default: every event.',
    }),
  ),
  facets: Type.Optional(Type.Boolean({ description: 'True: the response has `facets`.' })),
  statistics: Type.Optional(Type.Boolean({ description: 'True: the response has `statistics`.' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of events; default: 50.' }),
  ),
  cursor: Maybe(
    Type.String({ maxLength: 4_000, description: 'The `next_cursor` of the previous page; requires the same `sort`.' }),
  ),
});

/** The conditions of `EventListQuery`. */
export const EventConditions = Type.Omit(EventListQuery, ['sort', 'per', 'facets', 'statistics', 'limit', 'cursor']);

export const EVENT_EXAMPLE = {
  event_id: '019a0b1c2d3e7f008000000000000011-0',
  incident_id: '019a0b1c2d3e7f008000000000000010-0',
  analysis_id: '019a0b1c2d3e7f008000000000000011',
  video_id: '019a0b1c2d3e7f008000000000000003',
  video_name: 'night-01.mp4',
  video_duration_s: 61.4,
  folder_id: '019a0b1c2d3e7f008000000000000002',
  folder_name: 'Night drives',
  batch_id: null,
  query: 'the picture gets dark',
  type: 'light',
  label: 'The picture gets dark',
  severity: 'medium',
  confidence: 0.94,
  start_s: 12.346,
  end_s: 15.015,
  start_at: '2026-11-20T21:04:22.346Z',
  end_at: '2026-11-20T21:04:25.015Z',
  time_zone: 'Europe/Berlin',
  annotated_thumbnail_url: THUMBNAIL,
  approval: 'pending',
  implied: null,
  incident: null,
  review: null,
  assigned_to: null,
  assigned_until: null,
  created_at: '2026-11-21T09:30:00.000Z',
  matches: [],
};

const IncidentId = Nullable(
  Type.String({
    description:
      'Identifier of the incident: the same for all events that show the same incident in a video, whatever question, mode, model or version reported them. It changes only where incidents split or merge, such as by verdicts that contradict each other. Null until it is computed.',
  }),
);

const SOURCES = ['label', 'type', 'prompt', 'caption', 'transcript', 'text', 'tag', 'note'] as const;

const RECORDED_FIELDS = {
  start_at: Nullable(
    Timestamp({ description: 'Time at which the start was recorded, ISO 8601, UTC; null if it is unknown.' }),
  ),
  end_at: Nullable(Timestamp({ description: 'Time at which the end was recorded.' })),
  time_zone: Nullable(
    Type.String({ description: 'Time zone of the place: an IANA name, or an offset; null if it is unknown.' }),
  ),
};

const EventMatch = Type.Object({
  source: Type.Union(
    SOURCES.map((source) => Type.Literal(source)),
    {
      description:
        'Where words were found: `label`, `type` or `prompt` of the event, `caption` of the video, `transcript` (spoken during the event), `text` (read in its frames), `tag` of the video, or `note` of reviewers.',
    },
  ),
  text: Type.String({ description: 'The text, at most 500 characters.' }),
  start_s: Nullable(Type.Number({ description: 'Start of what is spoken or read, in seconds; otherwise null.' })),
  end_s: Nullable(Type.Number({ description: 'End of it, in seconds; otherwise null.' })),
});

export const EventSummary = resource(
  'EventSummary',
  Type.Object(
    {
      event_id: Type.String({ description: 'Identifier of the event, as in the analysis document.' }),
      incident_id: IncidentId,
      analysis_id: Type.String({ description: 'Analysis that reported the event.' }),
      video_id: Type.String({ description: 'Identifier of the video.' }),
      video_name: Type.String({ description: 'Display name of the video.' }),
      video_duration_s: Nullable(Type.Number({ description: 'Duration of the video in seconds; null if unknown.' })),
      folder_id: Nullable(Type.String({ description: 'Folder of the video; null without one.' })),
      folder_name: Nullable(Type.String({ description: 'Name of that folder.' })),
      batch_id: Nullable(Type.String({ description: 'Batch of the analysis; null if it has none.' })),
      query: Type.String({ description: 'The prompt of the analysis.' }),
      type: Type.String({ description: 'Kind of event: `object`, `motion`, `light`, `cut`, `sound`, …' }),
      label: Type.String({ description: 'Short description of the event.' }),
      severity: Type.String({ description: '`low`, `medium` or `high`.' }),
      confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Confidence of the engine, 0 to 1.' }),
      start_s: Type.Number({ description: 'Start in seconds from the first frame.' }),
      end_s: Type.Number({ description: 'End in seconds from the first frame.' }),
      ...RECORDED_FIELDS,
      annotated_thumbnail_url: Nullable(
        Type.String({
          description:
            'Signed URL of the evidence image, valid for 24 hours without a key; null without evidence frames.',
        }),
      ),
      approval: Type.String({ description: APPROVAL }),
      implied: Nullable(
        Type.Object(
          {
            approval: Type.Unsafe<'approved' | 'rejected'>(
              Type.String({ enum: ['approved', 'rejected'], description: '`approved` or `rejected`.' }),
            ),
            event_id: Type.String({ description: 'The event of the incident that reviewers decided.' }),
          },
          {
            description:
              'What follows for an undecided event from the verdict on another event of its incident: "red car enters", approved, implies "car in view", and not the reverse. It counts as no verdict. Null: nothing follows.',
          },
        ),
      ),
      incident: Nullable(
        Type.Object(
          {
            events: Type.Integer({ minimum: 1, description: 'Number of events that you may read.' }),
            questions: Type.Integer({ minimum: 1, description: 'Number of their prompts.' }),
          },
          { description: 'With `per=incident`: what the event stands for; otherwise null.' },
        ),
      ),
      // Passed through in its stored form.
      review: Type.Unsafe<Record<string, unknown> | null>(Nullable(EventReview)),
      assigned_to: Nullable(Type.String({ description: 'User who works on the event; null if nobody does.' })),
      assigned_until: Nullable(Timestamp({ description: 'End of that assignment, ISO 8601, UTC.' })),
      created_at: Timestamp({ description: 'Creation time of the analysis, ISO 8601, UTC.' }),
      matches: Type.Array(EventMatch, {
        description: 'Where the event contains words of `q`: one text for each source. Empty without `q`.',
      }),
    },
    {
      additionalProperties: true,
      description: 'An event of a completed analysis in a list.',
      examples: [EVENT_EXAMPLE],
    },
  ),
);

const Count = Type.Integer({ minimum: 1, description: 'Number of events.' });
const Values = (description: string) =>
  Type.Array(Type.Object({ value: Type.String({ description: 'The value.' }), count: Count }), { description });
const Rows = (what: string) =>
  Type.Array(
    Type.Object({
      id: Type.String({ description: `Identifier of the ${what}.` }),
      name: Type.String({ description: `Name of the ${what}.` }),
      count: Count,
    }),
    { description: `Events by ${what}.` },
  );

const EventFacets = resource(
  'EventFacets',
  Type.Object(
    {
      total: Type.Integer({
        minimum: 0,
        description:
          'Number of counted events; at most 10,000, or 1,000 in an organization with 20,000 events or more.',
      }),
      is_complete: Type.Boolean({
        description: 'True if all matching events were counted. False: only the newest of them were.',
      }),
      labels: Values('Events by label.'),
      types: Values('Events by type.'),
      severities: Values('Events by severity.'),
      approvals: Values('Events by review state.'),
      folders: Rows('folder'),
      videos: Rows('video'),
    },
    {
      additionalProperties: true,
      description:
        'Numbers of the events that match all filters, by field: the 50 most frequent values each, most events first. Events of videos without a folder are in no folder. Videos that are being deleted together with their folder may be counted for some seconds.',
      examples: [
        {
          total: 1,
          is_complete: true,
          labels: [{ value: 'The picture gets dark', count: 1 }],
          types: [{ value: 'light', count: 1 }],
          severities: [{ value: 'medium', count: 1 }],
          approvals: [{ value: 'pending', count: 1 }],
          folders: [{ id: '019a0b1c2d3e7f008000000000000002', name: 'Night drives', count: 1 }],
          videos: [{ id: '019a0b1c2d3e7f008000000000000003', name: 'night-01.mp4', count: 1 }],
        },
      ],
    },
  ),
);
export type EventFacets = Domain<typeof EventFacets>;

const Counts = (length: number, description: string) =>
  Type.Array(Type.Integer({ minimum: 0, description: 'Number of events.' }), {
    minItems: length,
    maxItems: length,
    description,
  });

const EventStatistics = resource(
  'EventStatistics',
  Type.Object(
    {
      total: Type.Integer({ minimum: 0, description: 'Number of counted events, as in `facets`.' }),
      is_complete: Type.Boolean({
        description: 'True if all matching events were counted. False: only the newest of them were.',
      }),
      undated: Type.Integer({
        minimum: 0,
        description: 'Number of those whose video has no clock. They are in no hour and on no day.',
      }),
      hours: Counts(24, 'Events by the hour in which they start: the first is that after midnight.'),
      weekdays: Counts(7, 'Events by day of the week, from Monday on.'),
      days: Type.Array(
        Type.Object({
          day: Type.String({ description: 'Date, `YYYY-MM-DD`.' }),
          count: Type.Integer({ minimum: 1, description: 'Number of events.' }),
        }),
        { description: 'Days with events in their order; the last 400 of them.' },
      ),
    },
    {
      additionalProperties: true,
      description:
        'Numbers of the events that match all filters by when they were recorded, in local time of each video or of `time_zone`.',
      examples: [
        {
          total: 3,
          is_complete: true,
          undated: 1,
          hours: [0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
          weekdays: [0, 2, 0, 0, 0, 0, 0],
          days: [{ day: '2026-11-24', count: 2 }],
        },
      ],
    },
  ),
);
export type EventStatistics = Domain<typeof EventStatistics>;

export const EventPage = resource(
  'EventPage',
  Type.Object(
    {
      events: Type.Array(EventSummary, { description: 'Events in the requested order.' }),
      facets: Nullable(EventFacets),
      statistics: Nullable(EventStatistics),
      has_more: Type.Boolean({ description: 'True if more events follow.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    {
      additionalProperties: true,
      description: 'A page of events.',
      examples: [{ events: [EVENT_EXAMPLE], facets: null, statistics: null, has_more: false, next_cursor: null }],
    },
  ),
);
export type EventSummary = Domain<typeof EventSummary>;
export type EventPage = Domain<typeof EventPage>;
