import { Type } from 'typebox';
import { Maybe, Nullable, resource } from '#platform/http/index';
import { QUERY_LENGTH, SESSION_ID, Seconds, SessionId } from './fields.ts';

export const LiveQueryChange = resource(
  'LiveQueryChange',
  Type.Object(
    {
      rapid_review_query: Type.String({ minLength: 1, maxLength: QUERY_LENGTH, description: 'The query.' }),
      mode: Maybe(
        Type.Union([Type.Literal('replace'), Type.Literal('add'), Type.Literal('')], {
          description: '`replace` (default): replaces the current query; `add`: extends it.',
        }),
      ),
    },
    {
      description: 'A change of the query of a session.',
      examples: [{ rapid_review_query: 'a person near the gate', mode: 'add' }],
    },
  ),
);

export const LiveQuery = resource(
  'LiveQuery',
  Type.Object(
    {
      session_id: SessionId,
      rapid_review_query: Type.String({ description: 'The complete query of the session.' }),
      searches: Type.Array(Type.String(), { description: 'The parts of the query that are searched for separately.' }),
      interpretation: Type.String({ description: 'How the query is understood, in one sentence.' }),
    },
    {
      description: 'The query of a session, which applies from the next chunk.',
      examples: [
        {
          session_id: SESSION_ID,
          rapid_review_query: 'a truck stops in front of the gate\na person near the gate',
          searches: ['truck stops in front of gate', 'person near gate'],
          interpretation: 'Understood as: a truck that stops; a person in view; not checked: "gate".',
        },
      ],
    },
  ),
);

export const EventsQuery = Type.Object({
  last_id: Maybe(
    Type.String({
      description: 'Id of the last received event; 0 for all events. A `Last-Event-ID` header has the same effect.',
    }),
  ),
});

export const SessionEvents = Type.String({
  description:
    'Server-sent events: `id` is one more than the previous one, `event` is the kind, `data` one JSON object that repeats the kind in `event`. `progress`: the session has a new `status`, or a new `rapid_review_query` with its `interpretation`; `finding`: an event has started, given in `finding` as in `events` of the session but without the URLs of images; `finding_ended`: the same event after its end; `error`: the reason why the session failed; `done`, always the last one: the session has ended.',
  examples: [
    'id: 2\nevent: finding\ndata: {"event":"finding","type":"finding","session_id":"019a0b1c2d3e7f008000000000000070","finding":{"event_id":"019a0b1c2d3e7f008000000000000072","label":"truck stops","ongoing":true}}\n\n',
  ],
});

const CoverageStatus = Type.String({ description: '`looked_for`, `partly` or `not_looked_for`.' });
const Reason = Nullable(Type.String({ description: 'Reason for gaps or limits of the analysis; null: none.' }));

/** Coverage of one part of the query. */
const CoverageRow = Type.Object(
  {
    text: Type.String({ description: 'The part of the query.' }),
    status: CoverageStatus,
    by: Type.Array(Type.String(), { description: 'Observers that were used.' }),
    reason: Reason,
    findings: Type.Integer({ minimum: 0, description: 'Number of events of the whole session.' }),
    from_s: Seconds('Start of the analyzed part of the stream in seconds from its first frame.'),
    until_s: Seconds('End of that part.'),
    analysed_s: Seconds('Analyzed duration in seconds.'),
    intervals: Type.Array(
      Type.Object(
        {
          from_s: Seconds('Start in seconds from the first frame of the session.'),
          until_s: Seconds('End in seconds.'),
          status: CoverageStatus,
          by: Type.Array(Type.String(), { description: 'Observers that were used.' }),
          reason: Maybe(Type.String({ description: 'Reason for gaps or limits of the analysis.' })),
        },
        { additionalProperties: true },
      ),
      { description: 'Coverage of each interval, including skipped ranges.' },
    ),
  },
  { additionalProperties: true },
);

export const ANALYSIS_EXAMPLE = {
  state: 'running',
  analysed_s: 2,
  behind_s: 0,
  sampling: 'full',
  skipped_s: 0,
  skipped: [],
  coverage: [
    {
      text: 'truck stops',
      status: 'looked_for',
      by: ['objects (yolox_nano)'],
      reason: null,
      findings: 0,
      from_s: 0,
      until_s: 2,
      analysed_s: 2,
      intervals: [{ from_s: 0, until_s: 2, status: 'looked_for', by: ['objects (yolox_nano)'], reason: null }],
    },
  ],
} as const;

export const LiveAnalysisResource = resource(
  'LiveAnalysis',
  Type.Object(
    {
      state: Type.Union([Type.Literal('waiting'), Type.Literal('running'), Type.Literal('ended')], {
        description: '`waiting`: nothing was analyzed yet; `ended`: no more events follow.',
      }),
      analysed_s: Seconds('Position of the analysis in seconds from the first frame of the stream.'),
      behind_s: Seconds('Recorded duration that was not analyzed yet, in seconds.'),
      sampling: Type.Union(
        [Type.Literal('full'), Type.Literal('reduced'), Type.Literal('sparse'), Type.Literal('pictures')],
        {
          description:
            'Sampling rate, adapted to the load of the machine. Signals of the whole image use every frame; objects are detected in five frames per second (`full`), two (`reduced`), one (`sparse`) or none (`pictures`).',
        },
      ),
      skipped_s: Seconds('Duration that was skipped to keep up and is not analyzed yet, or could not be decoded.'),
      skipped: Type.Array(
        Type.Object(
          {
            from_s: Seconds('Start in seconds from the first frame of the session.'),
            until_s: Seconds('End in seconds.'),
            reason: Type.String({
              description: 'Reason why the range was skipped, and whether it will still be analyzed.',
            }),
          },
          { additionalProperties: true, description: 'A range without analysis.' },
        ),
        { description: 'Skipped ranges, in order of time. Ranges that were analyzed later are removed from the list.' },
      ),
      coverage: Type.Array(CoverageRow, {
        description: 'Coverage of each part of the query over the whole session, as in analyses.',
      }),
    },
    { additionalProperties: true, description: 'Progress of the analysis.', examples: [ANALYSIS_EXAMPLE] },
  ),
);
