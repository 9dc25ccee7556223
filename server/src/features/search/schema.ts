import { type Static, Type } from 'typebox';
import { Maybe, Name, Nullable } from '#platform/http/index';

const SESSION_ID = '019a0b1c2d3e7f008000000000000020';
const USER_ID = '019a0b1c2d3e7f008000000000000001';
const DOC_PATH = `search-sessions/${USER_ID}/${SESSION_ID}`;
const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';

export const NewSearch = Type.Object(
  {
    query: Type.String({ description: 'Words to look for among events; at most 1,000 characters.' }),
    folder_name: Name({ maxLength: 255, description: 'Name of the folder whose videos are searched.' }),
    scope: Maybe(
      Type.Union([Type.Literal('my'), Type.Literal('user'), Type.Literal('org'), Type.Literal('sample')], {
        description:
          'Whose folder: `my` (or `user`), `org`, or `sample` for that of samples, whatever its name; without it, a personal folder comes first.',
      }),
    ),
  },
  {
    additionalProperties: true,
    description: 'A search among the events of a folder.',
    examples: [{ query: 'red car from the left', folder_name: 'Night drives', scope: 'org' }],
  },
);
export type NewSearch = Static<typeof NewSearch>;

export const SearchStarted = Type.Object(
  {
    session_id: Type.String({ description: 'Identifier of the session.' }),
    owner_uid: Type.String({ description: 'Whose it is.' }),
    session_doc_path: Type.String({ description: 'Its name, to be sent back as it is.' }),
    reasoning_trace_path: Type.String({ description: 'The same.' }),
  },
  {
    additionalProperties: true,
    description: 'A session that a search can be run in.',
    examples: [
      { session_id: SESSION_ID, owner_uid: USER_ID, session_doc_path: DOC_PATH, reasoning_trace_path: DOC_PATH },
    ],
  },
);

export const RunSearch = Type.Object(
  { session_id: Type.String({ description: 'The session to run; it knows the words and the folder.' }) },
  {
    additionalProperties: true,
    description: 'The search to run, as existing clients send it. Other fields of theirs are accepted and not needed.',
    examples: [{ session_id: SESSION_ID }],
  },
);

export const SearchParams = Type.Object({
  owner_uid: Type.String({ description: 'Whose session it is.' }),
  session_id: Type.String({ description: 'Identifier of the session.' }),
});

const Match = Type.Object(
  {
    video_id: Type.String({ description: 'Identifier of the video.' }),
    analysis_id: Type.String({ description: 'The analysis that told of the event.' }),
    event_index: Type.Integer({ description: 'Its place among the events of that analysis, from 0.' }),
    similarity: Type.Number({ description: 'Share of what was asked for that is in it, 0 to 1.' }),
    reason: Type.String({ description: 'What matched, in a sentence.' }),
  },
  { additionalProperties: true },
);
export type Match = Static<typeof Match>;

export const SearchSession = Type.Object(
  {
    data: Type.Object(
      {
        status: Type.String({ description: '`pending` until it was run, then `completed`.' }),
        query: Type.String({ description: 'The words.' }),
        folder_name: Type.String({ description: 'The folder.' }),
        summary: Type.String({ description: 'What was found, in a sentence.' }),
        thoughts: Type.Array(Type.String(), { description: 'How it was looked for.' }),
        matches: Type.Array(Match, { description: 'The events that match, best first; at most 200.' }),
        created_at: Type.String({ format: 'date-time', description: 'When it was started, ISO 8601, UTC.' }),
        completed_at: Nullable(Type.String({ format: 'date-time', description: 'When it was run, ISO 8601, UTC.' })),
      },
      { additionalProperties: true, description: 'The session.' },
    ),
  },
  {
    additionalProperties: true,
    description: 'A search and what it found.',
    examples: [
      {
        data: {
          status: 'completed',
          query: 'red car from the left',
          folder_name: 'Night drives',
          summary: '1 event in 1 video matches.',
          thoughts: ['Looked for: red; car; left.'],
          matches: [
            {
              video_id: VIDEO_ID,
              analysis_id: ANALYSIS_ID,
              event_index: 0,
              similarity: 1,
              reason: '"Red car enters from the left" has: red, car, left.',
            },
          ],
          created_at: '2026-11-21T09:30:00.000Z',
          completed_at: '2026-11-21T09:30:00.080Z',
        },
      },
    ],
  },
);
