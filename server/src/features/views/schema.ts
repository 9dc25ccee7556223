import { Type } from 'typebox';
import { type Domain, Maybe, Name, Nullable, resource, Timestamp } from '#platform/http/index';

export const ViewedVideoParams = Type.Object({
  video_id: Type.String({ minLength: 1, maxLength: 64, description: 'Any video of the set.' }),
});

const VideoByRole = (description: string, limits: { maxProperties?: number } = {}) =>
  Type.Record(Type.String(), Type.String(), { ...limits, description });
/** Thirty years, in seconds. */
const MAX_OFFSET_S = 1e9;
const [FRONT, REAR] = ['019a0b1c2d3e7f008000000000000061', '019a0b1c2d3e7f008000000000000062'];

export const StitchViewsBody = resource(
  'NewViewSet',
  Type.Object(
    {
      primary_view_id: Type.String({ description: 'Video of the primary view.' }),
      views: VideoByRole(
        'Videos by role, such as `front`, `rear`, `left`, `right`, `top`, `bottom`; each role and video once.',
        { maxProperties: 100 },
      ),
      labels: Maybe(
        Type.Record(Type.String(), Nullable(Name({ minLength: 0, maxLength: 200 })), {
          description:
            'Display labels by role. An omitted role retains the label of its video; an empty label or null removes it.',
        }),
      ),
      offsets: Maybe(
        Type.Record(Type.String(), Type.Number({ minimum: -MAX_OFFSET_S, maximum: MAX_OFFSET_S }), {
          description:
            'Time of the first frame by role, in seconds after the first frame of the primary. Default: the difference of the creation times in the files, or 0 if they have none.',
        }),
      ),
    },
    {
      description: 'Videos of one event from several cameras.',
      examples: [{ primary_view_id: FRONT, views: { front: FRONT, rear: REAR }, offsets: { rear: 0.25 } }],
    },
  ),
);

const ViewFields = {
  role: Type.String({ description: 'Role of the view.' }),
  video_id: Type.String({ description: 'Video of the view.' }),
  label: Nullable(Type.String({ description: 'Display label, if any.' })),
  offset_s: Type.Number({
    description: 'Time of its first frame, in seconds after the first frame of the primary.',
  }),
};
const VIEW_EXAMPLES = [
  { role: 'front', video_id: FRONT, label: null, offset_s: 0 },
  { role: 'rear', video_id: REAR, label: null, offset_s: 0.25 },
];

export const ViewSetResource = resource(
  'ViewSet',
  Type.Object(
    {
      primary_view_id: Type.String({ description: 'Video of the primary view.' }),
      views: VideoByRole('Videos by role.'),
      details: Type.Array(Type.Object(ViewFields), { description: 'Views, the primary first.' }),
    },
    {
      additionalProperties: true,
      description: 'A set of views.',
      examples: [{ primary_view_id: FRONT, views: { front: FRONT, rear: REAR }, details: VIEW_EXAMPLES }],
    },
  ),
);

export const ViewSetListQuery = Type.Object({
  video_id: Maybe(Type.String({ minLength: 1, maxLength: 255, description: 'Only the set that contains this video.' })),
  // Not nullable: the conversion of query values would take 0 for null.
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of sets; default: 100.' }),
  ),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

export const ViewSetList = resource(
  'ViewSetList',
  Type.Object(
    {
      view_sets: Type.Array(ViewSetResource, { description: 'Sets of views, newest primary video first.' }),
      has_more: Type.Boolean({ description: 'True if there are older ones.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    {
      description: 'A page of sets of views.',
      examples: [
        {
          view_sets: [{ primary_view_id: FRONT, views: { front: FRONT, rear: REAR }, details: VIEW_EXAMPLES }],
          has_more: false,
          next_cursor: null,
        },
      ],
    },
  ),
);

export const UnlinkedViews = resource(
  'UnlinkedViews',
  Type.Object(
    {
      status: Type.Literal('unlinked', { description: 'Always `unlinked`. The videos stay.' }),
      primary_view_id: Type.String({ description: 'Primary video of the ended set.' }),
    },
    { description: 'The set has ended.', examples: [{ status: 'unlinked', primary_view_id: FRONT }] },
  ),
);

export const SignViewsBody = resource(
  'ViewsToSign',
  Type.Object(
    {
      expires_in: Maybe(
        Type.Integer({ minimum: 60, maximum: 3600, default: 900, description: 'Lifetime of the URLs in seconds.' }),
      ),
      kind: Maybe(
        Type.Union([Type.Literal('film'), Type.Literal('hls'), Type.Literal('poster')], {
          description: 'Kind of media, as for a single video.',
        }),
      ),
    },
    { description: 'All fields are optional, and so is the body.', examples: [{ expires_in: 900 }] },
  ),
);

export const SignedViews = resource(
  'SignedViews',
  Type.Object(
    {
      primary_view_id: Type.String({ description: 'Video of the primary view.' }),
      views: Type.Array(
        Type.Object({
          ...ViewFields,
          url: Type.String({ description: 'URL that plays the view without an API key until it expires.' }),
          expires_at: Timestamp({ description: 'Expiry of the URL, ISO 8601, UTC.' }),
        }),
        {
          description:
            'Views, the primary first. To play them in sync, start each `offset_s` seconds after the primary.',
        },
      ),
    },
    {
      description: 'Signed URLs of a set of views.',
      examples: [
        {
          primary_view_id: FRONT,
          views: VIEW_EXAMPLES.map((view) => ({
            ...view,
            url: `http://localhost:8099/api/media/${view.video_id}?token=t1x2y3.signature`,
            expires_at: '2026-11-21T10:15:00.000Z',
          })),
        },
      ],
    },
  ),
);

export const QueryViewsBody = resource(
  'ViewsQuery',
  Type.Object(
    { query: Type.String({ description: 'The prompt: what to find, in plain words.' }) },
    {
      additionalProperties: true,
      description: 'A prompt on all views.',
      examples: [{ query: 'a person crosses the street' }],
    },
  ),
);

export const StartedViewsQuery = resource(
  'StartedViewsQuery',
  Type.Object(
    {
      stream_id: Type.String({ description: 'Stream of its events: `/api/router/v2/query/events/{stream_id}`.' }),
      batch_id: Type.String({ description: 'Batch with one analysis per view. Fuse its results when it is done.' }),
      status: Type.String({ description: '`processing`.' }),
      total: Type.Integer({ description: 'Number of queried views.' }),
    },
    {
      additionalProperties: true,
      description: 'A query that was accepted.',
      examples: [
        {
          stream_id: '019a0b1c2d3e7f008000000000000080',
          batch_id: '019a0b1c2d3e7f008000000000000081',
          status: 'processing',
          total: 2,
        },
      ],
    },
  ),
);

export const FuseViewsBody = resource(
  'ViewsToFuse',
  Type.Object(
    {
      batch_ids: Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 50,
        description: 'Batches that queried views, for example one per view.',
      }),
      view_keys: Maybe(
        Type.Array(Name({ maxLength: 64 }), {
          maxItems: 50,
          description:
            'View of each batch, in the order of `batch_ids`, for videos that are not linked: the first videos of the batches form a set, then the second ones, with clocks that start together. Linked videos retain the roles of their set.',
        }),
      ),
    },
    { description: 'Batches to fuse.', examples: [{ batch_ids: ['019a0b1c2d3e7f008000000000000081'] }] },
  ),
);

const FusedEvent = resource(
  'FusedEvent',
  Type.Object(
    {
      event_id: Type.String({ description: 'Event of the view with the highest confidence.' }),
      category: Type.String({ description: 'Category of the event.' }),
      label: Type.String({ description: 'Label by the view with the highest confidence.' }),
      severity: Type.String({ description: '`low`, `medium` or `high`.' }),
      confidence: Type.Number({ description: 'Highest confidence among the views, 0 to 1.' }),
      start_s: Type.Number({ description: 'Earliest start in any view, in seconds of the primary view.' }),
      end_s: Type.Number({ description: 'Latest end in any view, in seconds of the primary view.' }),
      views: Type.Array(
        Type.Object({
          role: Type.String({ description: 'Role of the view.' }),
          video_id: Type.String({ description: 'Video of the view.' }),
          analysis_id: Type.String({ description: 'Analysis that found the event.' }),
          event_id: Type.String({ description: 'Event in that analysis.' }),
          label: Type.String({ description: 'Label of the event in that analysis.' }),
          confidence: Type.Number({ description: 'Confidence, 0 to 1.' }),
          start_s: Type.Number({ description: 'Start, in seconds of that video.' }),
          end_s: Type.Number({ description: 'End, in seconds of that video.' }),
        }),
        { description: 'Views that show the event.' },
      ),
    },
    { description: 'An event that one or more views show.' },
  ),
);
export type FusedEvent = Domain<typeof FusedEvent>;

export const FusedResults = resource(
  'FusedResults',
  Type.Object(
    {
      view_types: Type.Array(Type.String(), { description: 'Roles of the views.' }),
      fusion_method: Type.String({
        description:
          '`linked_views`: by linked sets and their offsets; `view_keys`: also by the order of videos in batches.',
      }),
      results: Type.Array(
        Type.Object({
          video_id: Type.String({ description: 'Video of the primary view.' }),
          views: VideoByRole('Videos by role.'),
          events: Type.Array(FusedEvent, { description: 'Events, each once.' }),
        }),
        { description: 'One result per set of views.' },
      ),
      unmatched_results: Type.Array(
        Type.Object({
          video_id: Type.String({ description: 'A video that is not in a set of views.' }),
          analysis_id: Type.String({ description: 'Its analysis.' }),
          events: Type.Array(Type.Object({}, { additionalProperties: true }), {
            description: 'Its events, unchanged.',
          }),
        }),
        { description: 'Results that could not be fused.' },
      ),
    },
    {
      description: 'Fused results of several views.',
      examples: [
        {
          view_types: ['front', 'rear'],
          fusion_method: 'linked_views',
          results: [{ video_id: FRONT, views: { front: FRONT, rear: REAR }, events: [] }],
          unmatched_results: [],
        },
      ],
    },
  ),
);
