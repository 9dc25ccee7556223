import { Type } from 'typebox';
import { calendarFields } from '#features/videos/index';
import { Maybe, Name, Nullable, PatternString, resource, Timestamp } from '#platform/http/index';

const ID = '019a0b1c2d3e7f008000000000000051';
const RUN_ID = '019a0b1c2d3e7f008000000000000052';
const BATCH_ID = '019a0b1c2d3e7f008000000000000010';

export const SavedQuestionParams = Type.Object({
  saved_question_id: Type.String({ description: 'Identifier of the saved question.' }),
});

const TIME = '^([01][0-9]|2[0-3]):[0-5][0-9]$';
const Time = (description: string) => PatternString(TIME, 'a time of day from 00:00 to 23:59', { description });

const QuietHours = Type.Object(
  {
    from: Time('Local time at which the interval starts, `HH:MM`.'),
    to: Time('Local time at which it ends; the interval may cross midnight.'),
    time_zone: Type.String({ maxLength: 64, description: 'IANA name of the time zone, such as `Europe/Berlin`.' }),
  },
  {
    description:
      'A daily interval: matching events of a video that is analyzed in this time are not announced. Null: none.',
  },
);

const Digest = Type.Object(
  {
    at: Time('Local time of day at which it is sent, `HH:MM`.'),
    time_zone: Type.String({ maxLength: 64, description: 'IANA name of the time zone, such as `Europe/Berlin`.' }),
  },
  {
    description:
      'A daily digest: what matched yesterday in at most five lines, and a link to a recap clip, sent to webhooks as `digest.created`. Null: none.',
  },
);

const Label = Name({ maxLength: 255 });
const Confidence = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const RULE = {
  labels: 'Only events whose label or kind contains one of these texts, in any case; empty: all.',
  confidence: 'Least confidence of an announced event, 0 to 1; null: that of the query.',
  cooldown:
    'Least seconds between two alerts of the question. With a cooldown, the most confident event stands for all matching events of a video. 0: each event is an alert, at most 100 per video.',
};
const Cooldown = Type.Integer({ minimum: 0, maximum: 2_592_000, description: RULE.cooldown });

const RuleBody = Type.Object(
  {
    labels: Maybe(Type.Array(Label, { maxItems: 50, description: RULE.labels })),
    min_confidence: Maybe(Confidence(RULE.confidence)),
    cooldown_s: Maybe(Cooldown),
    quiet_hours: Maybe(QuietHours),
    digest: Maybe(Digest),
  },
  { description: 'Which events are announced. It replaces the whole rule; without one, all events are announced.' },
);

const Query = Type.String({ description: 'The prompt: what to find, in plain words. At most 10,000 characters.' });
const Title = Name({ maxLength: 255, description: 'Name of the question, which alerts repeat.' });
const Mode = (more = '') =>
  Type.Union([Type.Literal('fast'), Type.Literal('thinking')], {
    description: `\`fast\`: a sparse pass where that is sufficient; \`thinking\`: all frames.${more}`,
  });
const Verify = (more = '') =>
  Type.Union([Type.Literal('auto'), Type.Literal('always'), Type.Literal('never')], {
    description: `Which events a configured vision-language model verifies: those in doubt, up to 20 of all, or none.${more}`,
  });
const MinConfidence = (more = '') => Confidence(`Least confidence of an event, 0 to 1.${more}`);

const { time_zone: _zoneOfLists, ...RecordedFields } = calendarFields('videos');
const Recorded = Type.Object(RecordedFields, {
  additionalProperties: false,
  description:
    'Run only on videos that were recorded then; one without a known time of recording matches no filter. It replaces all of these filters; `{}`: none.',
});

const TimeZone = (more: string) =>
  Type.String({
    maxLength: 64,
    description: `Time zone of days and times of day in the prompt and in \`recorded\`: an IANA name, or an offset such as \`+01:00\`.${more}`,
  });

const SETTINGS = {
  mode: Maybe(Mode(' Default: `thinking`.')),
  min_confidence: Maybe(MinConfidence(' Default: 0.5.')),
  verify: Maybe(Verify(' Default: `auto`.')),
  folder_id: Maybe(
    Type.String({
      maxLength: 255,
      description:
        'Run on new videos of this folder. Default, and if empty: on shared videos of the organization and your own.',
    }),
  ),
  time_zone: Maybe(TimeZone(' Default, and if empty: that of each video.')),
  recorded: Maybe(Recorded),
  enabled: Maybe(Type.Boolean({ description: 'False: paused, new videos are not analyzed. Default: true.' })),
  snoozed_until: Maybe(
    Timestamp({ description: 'No event is announced until then; videos are still analyzed. ISO 8601. Default: null.' }),
  ),
  webhook_ids: Maybe(
    Type.Array(Type.String({ maxLength: 255 }), {
      maxItems: 20,
      description:
        'Webhooks that receive its alerts and digests, whatever other messages they receive; none of them: the alerts are only listed. Default, and null: all webhooks that want alerts.',
    }),
  ),
  rule: Maybe(RuleBody),
};

export const SavedQuestionRequest = resource(
  'SavedQuestionRequest',
  Type.Object(
    { name: Title, query: Query, ...SETTINGS },
    {
      description: 'A question to save.',
      examples: [{ name: 'Trucks at the gate', query: 'a truck stops', rule: { cooldown_s: 600 } }],
    },
  ),
);

export const SavedQuestionChange = resource(
  'SavedQuestionChange',
  Type.Object(
    { name: Maybe(Title), query: Maybe(Query), ...SETTINGS },
    {
      description:
        'Settings to change; others stay as they are. `folder_id: ""` removes the folder, and a time in the past for `snoozed_until` ends the snooze.',
      examples: [{ enabled: false }],
    },
  ),
);

const EngineVersion = (description: string) => Type.String({ description });

const QuestionReading = resource(
  'SavedQuestionReading',
  Type.Object(
    {
      state: Type.Union(
        (['current', 'differs', 'declined', 'unusable'] as const).map((name) => Type.Literal(name)),
        {
          description:
            '`current`: this version reads the words in the same way; `differs`: it reads them differently, and the stored reading is used until somebody accepts the other one; `declined`: the same, and somebody has decided to keep the stored one; `unusable`: this version cannot run the stored reading, and the question is not answered.',
        },
      ),
      interpretation: Nullable(
        Type.String({ description: 'What its runs search for, in one sentence; null if this version cannot run it.' }),
      ),
      engine_version: Nullable(EngineVersion('Version of the engine that read the words; null if it is not known.')),
      problem: Nullable(Type.String({ description: 'Why this version cannot run it; null if it can.' })),
      proposed: Nullable(
        Type.Object(
          {
            reading_id: Type.String({ description: 'Identifies the reading in a decision about it.' }),
            interpretation: Type.String({ description: 'What this version would search for, in one sentence.' }),
            engine_version: EngineVersion('Version of the engine.'),
          },
          { description: 'How this version reads the words, if it asks for something else. Null: it does not.' },
        ),
      ),
    },
    {
      description: 'How the words of a saved question are understood, in its runs and by this version.',
      examples: [
        {
          state: 'differs',
          interpretation: 'Understood as: a truck that stops.',
          engine_version: '13',
          problem: null,
          proposed: {
            reading_id: '5f0c1a7be2d94c6f8a3b9d1e7c2f4a60',
            interpretation: 'Understood as: a truck or a bus that stops.',
            engine_version: '14',
          },
        },
      ],
    },
  ),
);

export const ReadingDecision = resource(
  'SavedQuestionReadingDecision',
  Type.Object(
    {
      reading_id: Type.String({ maxLength: 255, description: 'The `reading_id` of the proposed reading.' }),
      decision: Type.Union([Type.Literal('accept'), Type.Literal('keep')], {
        description:
          '`accept`: later runs use the proposed reading. `keep`: they use the stored one, and this reading is not proposed again.',
      }),
    },
    {
      description: 'What to do with the reading that this version proposes.',
      examples: [{ reading_id: '5f0c1a7be2d94c6f8a3b9d1e7c2f4a60', decision: 'accept' }],
    },
  ),
);

export const SavedQuestion = resource(
  'SavedQuestion',
  Type.Object(
    {
      saved_question_id: Type.String({ description: 'Identifier of the saved question.' }),
      name: Type.String({ description: 'Name of the question.' }),
      query: Type.String({ description: 'The prompt.' }),
      mode: Mode(),
      min_confidence: MinConfidence(),
      verify: Verify(),
      folder_id: Nullable(
        Type.String({ description: 'Folder of its videos; null: shared videos and those of the owner.' }),
      ),
      folder_name: Nullable(
        Type.String({ description: 'Name of the folder; null without one, or if it was deleted.' }),
      ),
      time_zone: Nullable(TimeZone(' Null: that of each video.')),
      recorded: Nullable(Recorded),
      scope: Type.Union([Type.Literal('user'), Type.Literal('org')], {
        description: '`user`: personal, as its folder; `org`: the organization sees it.',
      }),
      owner_id: Type.String({ description: 'User on whose behalf it runs.' }),
      enabled: Type.Boolean({ description: 'False: paused.' }),
      snoozed_until: Nullable(Timestamp({ description: 'No event is announced until then; null: not snoozed.' })),
      state: Type.Union(
        (['active', 'paused', 'snoozed', 'folder_deleted', 'owner_left'] as const).map((name) => Type.Literal(name)),
        { description: 'Whether it runs and announces events, or why not.' },
      ),
      webhook_ids: Nullable(
        Type.Array(Type.String(), {
          description: 'Webhooks that receive its alerts and digests; null: all webhooks that want alerts.',
        }),
      ),
      rule: Type.Object(
        {
          labels: Type.Array(Type.String(), { description: RULE.labels }),
          min_confidence: Nullable(Confidence(RULE.confidence)),
          cooldown_s: Cooldown,
          quiet_hours: Nullable(QuietHours),
          digest: Nullable(Digest),
        },
        { description: 'Which events are announced.' },
      ),
      reading: Nullable(QuestionReading),
      last_alert_at: Nullable(Timestamp({ description: 'Time of the latest alert; null before the first.' })),
      created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
    },
    {
      description: 'A question that runs by itself on new videos.',
      examples: [
        {
          saved_question_id: ID,
          name: 'Trucks at the gate',
          query: 'a truck stops',
          mode: 'thinking',
          min_confidence: 0.5,
          verify: 'auto',
          folder_id: null,
          folder_name: null,
          time_zone: 'Europe/Berlin',
          recorded: { time_of_day: '22:00-06:00' },
          scope: 'org',
          owner_id: '019a0b1c2d3e7f008000000000000001',
          enabled: true,
          snoozed_until: null,
          state: 'active',
          webhook_ids: null,
          rule: {
            labels: [],
            min_confidence: null,
            cooldown_s: 600,
            quiet_hours: null,
            digest: { at: '08:00', time_zone: 'Europe/Berlin' },
          },
          reading: {
            state: 'current',
            interpretation: 'Understood as: a truck that stops.',
            engine_version: '14',
            problem: null,
            proposed: null,
          },
          last_alert_at: null,
          created_at: '2026-11-21T09:30:00.000Z',
        },
      ],
    },
  ),
);

export const SavedQuestionList = resource(
  'SavedQuestionList',
  Type.Object(
    { saved_questions: Type.Array(SavedQuestion, { description: 'Questions that you may read, oldest first.' }) },
    { description: 'All saved questions.', examples: [{ saved_questions: [] }] },
  ),
);

export const DeletedSavedQuestion = resource(
  'DeletedSavedQuestion',
  Type.Object(
    {
      status: Type.Literal('deleted'),
      saved_question_id: Type.String({ description: 'Identifier of the saved question.' }),
    },
    { description: 'A deleted saved question.', examples: [{ status: 'deleted', saved_question_id: ID }] },
  ),
);

export const RunRequest = resource(
  'SavedQuestionRunRequest',
  Type.Object(
    { announce: Maybe(Type.Boolean({ description: 'True: matching events raise alerts. Default: false.' })) },
    { description: 'How to run a saved question on existing videos.', examples: [{ announce: false }] },
  ),
);

export const StartedRuns = resource(
  'StartedSavedQuestionRuns',
  Type.Object(
    {
      batch_id: Type.String({ description: 'Batch with one analysis per video.' }),
      stream_id: Type.String({ description: 'Stream of its events.' }),
      total: Type.Integer({ description: 'Number of videos of the batch, at most 1,000.' }),
      has_more: Type.Boolean({ description: 'True if further videos remain: run the question again for them.' }),
    },
    {
      description: 'Runs of a saved question on existing videos.',
      examples: [{ batch_id: BATCH_ID, stream_id: '019a0b1c2d3e7f008000000000000012', total: 12, has_more: false }],
    },
  ),
);

export const RunListQuery = Type.Object({
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of runs; default: 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const Run = resource(
  'SavedQuestionRun',
  Type.Object(
    {
      run_id: Type.String({ description: 'Identifier of the run.' }),
      video_id: Type.String({ description: 'The video.' }),
      video_name: Type.String({ description: 'Name of the video.' }),
      status: Type.Union(
        (['waiting', 'processing', 'completed', 'failed'] as const).map((name) => Type.Literal(name)),
        { description: 'State of the run.' },
      ),
      batch_id: Nullable(Type.String({ description: 'Batch of its analysis; null while it waits.' })),
      analysis_id: Nullable(Type.String({ description: 'Its analysis; null before that has ended.' })),
      event_count: Count('Events of the analysis.'),
      matching_count: Count('Events that match the rule.'),
      alert_count: Count('Alerts that were raised.'),
      silenced: Nullable(
        Type.Union(
          (['not_requested', 'paused', 'snoozed', 'quiet_hours', 'cooldown'] as const).map((name) =>
            Type.Literal(name),
          ),
          { description: 'Why matching events were not announced; null: they were, or there are none.' },
        ),
      ),
      error: Nullable(Type.String({ description: 'Code of the failure; null without one.' })),
      message: Nullable(Type.String({ description: 'Reason of the failure in a sentence; null without one.' })),
      created_at: Timestamp({ description: 'Time of the request or of the new video, ISO 8601, UTC.' }),
      ended_at: Nullable(Timestamp({ description: 'End of the analysis; null while it runs.' })),
    },
    {
      description: 'A saved question on one video. There is one run per video at most.',
      examples: [
        {
          run_id: RUN_ID,
          video_id: '019a0b1c2d3e7f008000000000000003',
          video_name: 'gate.mp4',
          status: 'completed',
          batch_id: BATCH_ID,
          analysis_id: '019a0b1c2d3e7f008000000000000011',
          event_count: 3,
          matching_count: 2,
          alert_count: 1,
          silenced: null,
          error: null,
          message: null,
          created_at: '2026-11-21T09:30:00.000Z',
          ended_at: '2026-11-21T09:31:10.000Z',
        },
      ],
    },
  ),
);

export const RunList = resource(
  'SavedQuestionRunList',
  Type.Object(
    {
      runs: Type.Array(Run, { description: 'Runs on videos that you may read, newest first.' }),
      has_more: Type.Boolean({ description: 'True if more runs follow.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    { description: 'A page of runs.', examples: [{ runs: [], has_more: false, next_cursor: null }] },
  ),
);
