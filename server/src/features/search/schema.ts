import { Type } from 'typebox';
import { type Domain, Maybe, Name, Nullable, resource, Timestamp } from '#platform/http/index';

const SESSION_ID = '019a0b1c2d3e7f008000000000000020';
const USER_ID = '019a0b1c2d3e7f008000000000000001';
const DOC_PATH = `search-sessions/${USER_ID}/${SESSION_ID}`;
const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';

export const NewSearch = resource(
  'NewSearch',
  Type.Object(
    {
      query: Type.String({ description: 'Words to search for; at most 1,000 characters.' }),
      folder_name: Name({ maxLength: 255, description: 'Name of the folder whose videos are searched.' }),
      scope: Maybe(
        Type.Union([Type.Literal('my'), Type.Literal('user'), Type.Literal('org'), Type.Literal('sample')], {
          description:
            'Scope of the folder: `my` (or `user`), `org`, or `sample` for the folder of samples, whatever its name. Default: your personal folder with this name if there is one, else that of the organization.',
        }),
      ),
    },
    {
      additionalProperties: true,
      description: 'A search among the events of a folder.',
      examples: [{ query: 'red car from the left', folder_name: 'Night drives', scope: 'org' }],
    },
  ),
);
export type NewSearch = Domain<typeof NewSearch>;

export const StartedSearch = resource(
  'StartedSearch',
  Type.Object(
    {
      session_id: Type.String({ description: 'Identifier of the session.' }),
      owner_uid: Type.String({ description: 'Owner of the session.' }),
      session_doc_path: Type.String({ description: 'Path of the session, for older clients.' }),
      reasoning_trace_path: Type.String({ description: 'The same as `session_doc_path`.' }),
    },
    {
      additionalProperties: true,
      description: 'A new search session.',
      examples: [
        { session_id: SESSION_ID, owner_uid: USER_ID, session_doc_path: DOC_PATH, reasoning_trace_path: DOC_PATH },
      ],
    },
  ),
);

export const SearchToRun = resource(
  'SearchToRun',
  Type.Object(
    { session_id: Type.String({ description: 'Session to run, which has the query and the folder.' }) },
    {
      additionalProperties: true,
      description: 'The search to run. Other fields of older clients are accepted and ignored.',
      examples: [{ session_id: SESSION_ID }],
    },
  ),
);

export const CompletedSearch = resource(
  'CompletedSearch',
  Type.Object(
    { status: Type.String({ description: 'Always `completed`.' }) },
    { additionalProperties: true, description: 'The search is completed.', examples: [{ status: 'completed' }] },
  ),
);

export const SearchParams = Type.Object({
  owner_uid: Type.String({ description: 'Owner of the session.' }),
  session_id: Type.String({ description: 'Identifier of the session.' }),
});

const STORED_MATCH = {
  video_id: Type.String({ description: 'Identifier of the video.' }),
  analysis_id: Type.String({ description: 'Analysis that reported the event.' }),
  event_index: Type.Integer({ description: 'Index of the event in that analysis, from 0.' }),
  similarity: Type.Number({ description: 'Share of the query that matches the event, 0 to 1.' }),
  reason: Type.String({ description: 'Explanation of the match, in a sentence.' }),
};
const StoredSearchMatch = Type.Object(STORED_MATCH, { additionalProperties: true });
export type StoredSearchMatch = Domain<typeof StoredSearchMatch>;

const SearchMatch = Type.Object(
  {
    event_id: Type.String({ description: 'Identifier of the event, as in the document of that analysis.' }),
    ...STORED_MATCH,
  },
  { additionalProperties: true },
);
export type SearchMatch = Domain<typeof SearchMatch>;

const thoughts = Type.Array(Type.String(), { description: 'How the query was interpreted.' });
const RESULT = {
  thoughts,
  matches: Type.Array(SearchMatch, { description: 'Events that match, best first; at most 200.' }),
};

/** The result of a search, as it is stored: the id of an event follows from its analysis and its index. */
export const StoredSearchResult = Type.Object({
  thoughts,
  matches: Type.Array(StoredSearchMatch),
});
export type StoredSearchResult = Domain<typeof StoredSearchResult>;

const SearchSession = Type.Object(
  {
    status: Type.String({ description: '`pending` until the search was run, then `completed`.' }),
    query: Type.String({ description: 'Words of the search.' }),
    folder_name: Type.String({ description: 'Name of the folder.' }),
    summary: Type.String({ description: 'The result in a sentence; empty while the search is pending.' }),
    ...RESULT,
    created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
    completed_at: Nullable(Timestamp({ description: 'Completion time, ISO 8601, UTC.' })),
  },
  { additionalProperties: true, description: 'The session.' },
);
export type SearchSession = Domain<typeof SearchSession>;

export const SearchSessionResponse = resource(
  'SearchSession',
  Type.Object(
    { data: SearchSession },
    {
      additionalProperties: true,
      description: 'A search and its result.',
      examples: [
        {
          data: {
            status: 'completed',
            query: 'red car from the left',
            folder_name: 'Night drives',
            summary: '1 event in 1 video matches.',
            thoughts: ['Words: red; car; from; left.'],
            matches: [
              {
                video_id: VIDEO_ID,
                analysis_id: ANALYSIS_ID,
                event_id: `${ANALYSIS_ID}-0`,
                event_index: 0,
                similarity: 1,
                reason: 'Matching words in "Red car enters from the left": red, car, left.',
              },
            ],
            created_at: '2026-11-21T09:30:00.000Z',
            completed_at: '2026-11-21T09:30:00.080Z',
          },
        },
      ],
    },
  ),
);
