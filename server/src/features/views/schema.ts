import { Type } from 'typebox';
import { Maybe, Name, Nullable } from '#platform/http/index';

export const ViewedVideo = Type.Object({
  video_id: Type.String({ minLength: 1, maxLength: 64, description: 'Any video of the set.' }),
});

const VideoIds = (description: string, limits: { maxProperties?: number } = {}) =>
  Type.Record(Type.String(), Type.String(), { ...limits, description });
/** Thirty years, in seconds. */
const MOST_OFFSET_S = 1e9;
const [FRONT, REAR] = ['019a0b1c2d3e7f008000000000000061', '019a0b1c2d3e7f008000000000000062'];

export const StitchBody = Type.Object(
  {
    primary_view_id: Type.String({ description: 'The video of the primary view.' }),
    views: VideoIds(
      'Role to video, such as `front`, `rear`, `left`, `right`, `top`, `bottom`; each role and video once.',
      { maxProperties: 100 },
    ),
    labels: Maybe(
      Type.Record(Type.String(), Nullable(Name({ minLength: 0, maxLength: 200 })), {
        description:
          'What to show for a view, by its role. A view that is left out keeps the label that its video had; an empty one or null removes it.',
      }),
    ),
    offsets: Maybe(
      Type.Record(Type.String(), Type.Number({ minimum: -MOST_OFFSET_S, maximum: MOST_OFFSET_S }), {
        description:
          'When the first frame of a view was taken, in seconds after the first frame of the primary, by its role. Without it the creation times of the files say, and where they say nothing the views began together.',
      }),
    ),
  },
  {
    description: 'Videos of one happening.',
    examples: [{ primary_view_id: FRONT, views: { front: FRONT, rear: REAR }, offsets: { rear: 0.25 } }],
  },
);

const VIEW = {
  role: Type.String({ description: 'Role of the view.' }),
  video_id: Type.String({ description: 'Its video.' }),
  label: Nullable(Type.String({ description: 'What to show for it, where it was said.' })),
  offset_s: Type.Number({
    description: 'When its first frame was taken, in seconds after the first frame of the primary.',
  }),
};
const VIEW_EXAMPLES = [
  { role: 'front', video_id: FRONT, label: null, offset_s: 0 },
  { role: 'rear', video_id: REAR, label: null, offset_s: 0.25 },
];

export const SetAnswer = Type.Object(
  {
    primary_view_id: Type.String({ description: 'The video of the primary view.' }),
    views: VideoIds('Role to video.'),
    details: Type.Array(Type.Object(VIEW), { description: 'The views, the primary first.' }),
  },
  {
    additionalProperties: true,
    description: 'A set of views.',
    examples: [{ primary_view_id: FRONT, views: { front: FRONT, rear: REAR }, details: VIEW_EXAMPLES }],
  },
);

export const Unlinked = Type.Object(
  {
    status: Type.Literal('unlinked', { description: 'The videos stay.' }),
    primary_view_id: Type.String({ description: 'Of the set that was.' }),
  },
  { description: 'The set has ended.', examples: [{ status: 'unlinked', primary_view_id: FRONT }] },
);

export const SignBody = Type.Object(
  {
    expires_in: Maybe(
      Type.Integer({ minimum: 60, maximum: 3600, default: 900, description: 'How long the URLs play, in seconds.' }),
    ),
    kind: Maybe(
      Type.Union([Type.Literal('film'), Type.Literal('hls'), Type.Literal('poster')], {
        description: 'What the URLs lead to, as for a single video.',
      }),
    ),
  },
  { description: 'All fields are optional; no body at all is fine.', examples: [{ expires_in: 900 }] },
);

export const SignedViews = Type.Object(
  {
    primary_view_id: Type.String({ description: 'The video of the primary view.' }),
    views: Type.Array(
      Type.Object({
        ...VIEW,
        url: Type.String({ description: 'Plays the view without a key until it expires.' }),
        expires_at: Type.String({ format: 'date-time', description: 'When it stops playing, ISO 8601, UTC.' }),
      }),
      {
        description:
          'The views, the primary first. Start each `offset_s` later than the primary to play them together.',
      },
    ),
  },
  {
    description: 'What plays a set of views.',
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
);

export const ViewsQuery = Type.Object(
  { query: Type.String({ description: 'What to look for, in plain words.' }) },
  {
    additionalProperties: true,
    description: 'A question to all views.',
    examples: [{ query: 'a person crosses the street' }],
  },
);

export const Started = Type.Object(
  {
    stream_id: Type.String({ description: 'Where its events are: `/api/router/v2/query/events/{stream_id}`.' }),
    batch_id: Type.String({ description: 'The batch, with one analysis per view. Fuse it when it is done.' }),
    status: Type.String({ description: '`processing`.' }),
    total: Type.Integer({ description: 'How many views are asked.' }),
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
);

export const FuseBody = Type.Object(
  {
    batch_ids: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 50,
      description: 'Batches that asked views, such as one per view.',
    }),
    view_keys: Maybe(
      Type.Array(Name({ maxLength: 64 }), {
        maxItems: 50,
        description:
          'The view of each batch, in the order of `batch_ids`, for videos that are not linked: the first videos of the batches belong together, then the second ones, with clocks that begin together. Linked videos keep the roles of their set.',
      }),
    ),
  },
  { description: 'What to fuse.', examples: [{ batch_ids: ['019a0b1c2d3e7f008000000000000081'] }] },
);

const SeenBy = Type.Object({
  role: Type.String({ description: 'Role of the view.' }),
  video_id: Type.String({ description: 'Its video.' }),
  analysis_id: Type.String({ description: 'The analysis that found it there.' }),
  event_id: Type.String({ description: 'The event in that analysis.' }),
  label: Type.String({ description: 'What it is called there.' }),
  confidence: Type.Number({ description: '0 to 1.' }),
  start_s: Type.Number({ description: 'From when, in seconds of that video.' }),
  end_s: Type.Number({ description: 'Until when, in seconds of that video.' }),
});

export const FusedAnswer = Type.Object(
  {
    view_types: Type.Array(Type.String(), { description: 'The roles of the views.' }),
    fusion_method: Type.String({
      description:
        '`linked_views`: by the sets that videos are views of, and their offsets; `view_keys`: also by the order of videos in batches.',
    }),
    results: Type.Array(
      Type.Object({
        video_id: Type.String({ description: 'The video of the primary view.' }),
        views: VideoIds('Role to video.'),
        events: Type.Array(
          Type.Object({
            event_id: Type.String({ description: 'The event of the view that is surest.' }),
            category: Type.String({ description: 'The kind of happening.' }),
            label: Type.String({ description: 'What it is called by the view that is surest.' }),
            severity: Type.String({ description: '`low`, `medium` or `high`.' }),
            confidence: Type.Number({ description: 'The highest among the views, 0 to 1.' }),
            start_s: Type.Number({ description: 'From when any view sees it, in seconds of the primary view.' }),
            end_s: Type.Number({ description: 'Until when, in seconds of the primary view.' }),
            views: Type.Array(SeenBy, { description: 'Who saw it.' }),
          }),
          { description: 'What happened, each happening once.' },
        ),
      }),
      { description: 'One result per set of views.' },
    ),
    unmatched_results: Type.Array(
      Type.Object({
        video_id: Type.String({ description: 'A video that is no view of a set.' }),
        analysis_id: Type.String({ description: 'Its analysis.' }),
        events: Type.Array(Type.Object({}, { additionalProperties: true }), {
          description: 'Its events, as they are.',
        }),
      }),
      { description: 'What could not be fused.' },
    ),
  },
  {
    description: 'What the views saw together.',
    examples: [
      {
        view_types: ['front', 'rear'],
        fusion_method: 'linked_views',
        results: [{ video_id: FRONT, views: { front: FRONT, rear: REAR }, events: [] }],
        unmatched_results: [],
      },
    ],
  },
);
