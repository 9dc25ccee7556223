import { Type } from 'typebox';
import { EVENT_EXAMPLE, EventSummary } from '#features/analyses/index';
import { type Domain, Maybe, Name, Nullable, resource, Timestamp } from '#platform/http/index';

const EVENT_ID = '019a0b1c2d3e7f008000000000000011-0';
const USER_ID = '019a0b1c2d3e7f008000000000000001';
const FOLDER_ID = '019a0b1c2d3e7f008000000000000002';

export const EventParams = Type.Object({
  event_id: Type.String({ maxLength: 64, description: 'Identifier of the event, as in lists and documents.' }),
});

export const AnalysisParams = Type.Object({
  video_id: Type.String({ description: 'Identifier of the video.' }),
  analysis_id: Type.String({ description: 'Identifier of the analysis.' }),
});

export const FolderParams = Type.Object({
  folder_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the folder.' }),
});

const Label = Name({ maxLength: 1_000, description: 'Short description of the event.' });
const Severity = Type.Union([Type.Literal('low'), Type.Literal('medium'), Type.Literal('high')], {
  description: 'Severity of the event.',
});
const Approval = Type.Union(
  [Type.Literal('approved'), Type.Literal('rejected'), Type.Literal('unsure'), Type.Literal('pending')],
  { description: 'Your verdict on the event; it replaces your earlier one. `pending` withdraws it.' },
);
const Note = Type.String({ maxLength: 10_000, description: 'Note of the reviewers; null removes it.' });
const Seconds = (description: string) => Type.Number({ minimum: 0, maximum: 1e9, description });

/** Fields that a reviewer may set on any number of events. */
const VERDICT = {
  approval: Type.Optional(Approval),
  reason: Maybe(Type.String({ maxLength: 1_000, description: 'Reason of the verdict, such as `wrong thing`.' })),
  label: Type.Optional(Label),
  severity: Type.Optional(Severity),
  note: Maybe(Note),
};

export const EventReviewRequest = resource(
  'EventReviewRequest',
  Type.Object(
    {
      ...VERDICT,
      start_s: Type.Optional(Seconds('Start in seconds from the first frame.')),
      end_s: Type.Optional(Seconds('End in seconds from the first frame.')),
    },
    {
      description:
        'Your verdict on an event, and corrections of it. Omitted fields stay as they are. `review.original` has what the engine reported.',
      examples: [{ approval: 'rejected', reason: 'wrong thing' }],
    },
  ),
);

const EventIds = Type.Array(Type.String({ maxLength: 64 }), {
  minItems: 1,
  maxItems: 500,
  description: 'Identifiers of the events, at most 500.',
});

export const BulkReviewRequest = resource(
  'BulkReviewRequest',
  Type.Object(
    { event_ids: EventIds, ...VERDICT },
    {
      description: 'One verdict on several events.',
      examples: [{ event_ids: [EVENT_ID], approval: 'approved' }],
    },
  ),
);

export const NewEvent = resource(
  'NewEvent',
  Type.Object(
    {
      label: Label,
      start_s: Seconds('Start in seconds from the first frame.'),
      end_s: Seconds('End in seconds from the first frame.'),
      severity: Type.Optional(Severity),
      note: Maybe(Note),
    },
    {
      description: 'An event that the analysis missed. Without a severity it is `medium`.',
      examples: [{ label: 'A cyclist crosses', start_s: 12.3, end_s: 15 }],
    },
  ),
);

export const ReviewedEvents = resource(
  'ReviewedEvents',
  Type.Object(
    { events: Type.Array(EventSummary, { description: 'The events after the change.' }) },
    { description: 'Events that were changed.', examples: [{ events: [EVENT_EXAMPLE] }] },
  ),
);

const Values = (description: string) =>
  Type.Unsafe<Record<string, unknown>>(
    Type.Object(
      {},
      { additionalProperties: true, description: `${description}: fields of the request that made the change.` },
    ),
  );

export const EventHistory = resource(
  'EventHistory',
  Type.Object(
    {
      event_id: Type.String({ description: 'Identifier of the event.' }),
      changes: Type.Array(
        Type.Object({
          change_id: Type.String({ description: 'Identifier of the change.' }),
          action_id: Type.String({ description: 'Shared by the changes of one request, which are undone together.' }),
          kind: Type.String({ description: '`changed`, `added` or `undone`.' }),
          user_id: Type.String({ description: 'The reviewer.' }),
          user_name: Nullable(Type.String({ description: 'Name of the reviewer; null if the user was removed.' })),
          before: Values('Values before the change'),
          after: Values('Values after the change'),
          undone: Type.Boolean({ description: 'True if the change was undone.' }),
          created_at: Timestamp({ description: 'Time of the change, ISO 8601, UTC.' }),
        }),
        { description: 'Changes, newest first.' },
      ),
    },
    {
      description: 'What reviewers changed on an event.',
      examples: [
        {
          event_id: EVENT_ID,
          changes: [
            {
              change_id: '019a0b1c2d3e7f008000000000000021',
              action_id: '019a0b1c2d3e7f008000000000000020',
              kind: 'changed',
              user_id: USER_ID,
              user_name: 'Ada',
              before: { approval: 'pending' },
              after: { approval: 'approved' },
              undone: false,
              created_at: '2026-11-21T09:40:00.000Z',
            },
          ],
        },
      ],
    },
  ),
);

export const AssignmentRequest = resource(
  'AssignmentRequest',
  Type.Object(
    {
      event_ids: EventIds,
      user_id: Maybe(Type.String({ maxLength: 255, description: 'Member who reviews the events. Default: you.' })),
      seconds: Type.Optional(
        Type.Integer({
          minimum: 10,
          maximum: 30 * 24 * 3600,
          description: 'Time until the assignment ends by itself, in seconds; default: 600.',
        }),
      ),
    },
    {
      description: 'Events to assign for a time, so that two people do not review the same ones.',
      examples: [{ event_ids: [EVENT_ID], seconds: 600 }],
    },
  ),
);

export const ReleaseRequest = resource(
  'ReleaseRequest',
  Type.Object(
    { event_ids: EventIds },
    { description: 'Events whose assignment ends.', examples: [{ event_ids: [EVENT_ID] }] },
  ),
);

export const AssignedEvents = resource(
  'AssignedEvents',
  Type.Object(
    {
      event_ids: Type.Array(Type.String(), {
        description: 'Events of the request that were changed: those that nobody else works on.',
      }),
      assigned_until: Nullable(Timestamp({ description: 'End of the assignment, ISO 8601, UTC; null: released.' })),
    },
    {
      description: 'Result of an assignment.',
      examples: [{ event_ids: [EVENT_ID], assigned_until: '2026-11-21T09:50:00.000Z' }],
    },
  ),
);

export const ReviewPolicyRequest = resource(
  'ReviewPolicyRequest',
  Type.Object(
    {
      reviewers: Type.Integer({
        minimum: 1,
        maximum: 2,
        description:
          'Number of reviewers who must agree before an event of the folder is decided. It applies to later verdicts.',
      }),
    },
    { description: 'How the events of a folder are reviewed.', examples: [{ reviewers: 2 }] },
  ),
);

const Reviewer = Type.Object({
  user_id: Type.String({ description: 'Identifier of the reviewer.' }),
  name: Nullable(Type.String({ description: 'Name of the reviewer; null if the user was removed.' })),
});

export const FolderReview = resource(
  'FolderReview',
  Type.Object(
    {
      folder_id: Type.String({ description: 'Identifier of the folder.' }),
      reviewers: Type.Integer({ description: 'Number of reviewers who must agree.' }),
      agreement: Type.Array(
        Type.Object({
          reviewers: Type.Array(Reviewer, { description: 'The two reviewers.' }),
          events: Type.Integer({ minimum: 1, description: 'Number of events that both have judged.' }),
          observed: Type.Number({ minimum: 0, maximum: 1, description: 'Share of them with equal verdicts.' }),
          kappa: Nullable(
            Type.Number({
              description:
                "Cohen's kappa: 1 is full agreement, 0 that of chance. Null if chance alone would agree on everything.",
            }),
          ),
        }),
        { description: 'Agreement of every two reviewers, most events first.' },
      ),
    },
    {
      description: 'How the events of a folder are reviewed, and how far reviewers agree.',
      examples: [
        {
          folder_id: FOLDER_ID,
          reviewers: 2,
          agreement: [
            {
              reviewers: [
                { user_id: USER_ID, name: 'Ada' },
                { user_id: '019a0b1c2d3e7f008000000000000009', name: 'Grace' },
              ],
              events: 40,
              observed: 0.9,
              kappa: 0.78,
            },
          ],
        },
      ],
    },
  ),
);
export type FolderReview = Domain<typeof FolderReview>;
