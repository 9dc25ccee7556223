import { Type } from 'typebox';
import { type Domain, Maybe, Name, Nullable, PatternString, resource } from '#platform/http/index';
import { calendarFields } from '../clock/index.ts';
import {
  CLOCK_EXAMPLE,
  Clock,
  FailureReason,
  HoldField,
  MetadataValue,
  Restorable,
  SharedFields,
  Status,
  Tag,
  Tags,
  VIDEO_EXAMPLE,
} from '../schema.ts';

const FolderName = (description: string) => Name({ minLength: 0, maxLength: 255, description });

export const ListVideosQuery = Type.Object({
  folder: Maybe(
    FolderName(
      'Name of a folder; default: all videos that you can see. A personal folder takes precedence over one of the organization.',
    ),
  ),
  scope: Maybe(
    Type.Union([Type.Literal('user'), Type.Literal('org'), Type.Literal('sample')], {
      description:
        'Only personal videos, only those of the organization, or only samples (created on first use). Default: personal ones and those of the organization.',
    }),
  ),
  // Not nullable: the conversion of query values would take 0 for null.
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Maximum number of videos; default: 1,000. `has_more` is true if more follow.',
    }),
  ),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

const SummaryFields = {
  ...SharedFields,
  size_bytes: Nullable(Type.Integer({ description: 'Size of the file in bytes.' })),
  ...FailureReason,
};
const Paging = {
  has_more: Type.Boolean({ description: 'True if more videos follow.' }),
  next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
};

const SUMMARY_EXAMPLE = { ...VIDEO_EXAMPLE, size_bytes: 7_340_032 };
const VideoSummary = resource(
  'VideoSummary',
  Type.Object(SummaryFields, { description: 'A video in a list.', examples: [SUMMARY_EXAMPLE] }),
);

export const VideoList = resource(
  'VideoList',
  Type.Object(
    { videos: Type.Array(VideoSummary, { description: 'Videos, newest first.' }), ...Paging },
    {
      description: 'A page of videos.',
      examples: [{ videos: [SUMMARY_EXAMPLE], has_more: false, next_cursor: null }],
    },
  ),
);

const DateTime = (description: string) => Maybe(Type.String({ format: 'date-time', description }));

const Seconds = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1e9, description }));

const Filters = {
  folder_id: Maybe(Type.String({ maxLength: 255, description: 'Only videos of this folder.' })),
  folder: Maybe(
    FolderName(
      'Only videos of the folder with this name. A personal folder takes precedence over one of the organization.',
    ),
  ),
  scope: Maybe(
    Type.Union([Type.Literal('user'), Type.Literal('org')], {
      description: 'Only personal videos, or only those of the organization. Default: both.',
    }),
  ),
  status: Maybe(Status),
  name: Maybe(Name({ maxLength: 255, description: 'Only videos whose name contains this text, ignoring case.' })),
  tag: Maybe(Tag),
  source: Maybe(
    Type.String({ maxLength: 64, description: 'Only videos from this source, such as `file` or `video_url`.' }),
  ),
  camera_id: Maybe(Type.String({ maxLength: 64, description: 'Only recordings of this camera.' })),
  created_after: DateTime('Only videos whose upload started at this time or later, ISO 8601.'),
  created_before: DateTime('Only videos whose upload started before this time, ISO 8601.'),
  ...calendarFields('videos'),
  // Not nullable: the conversion of query values would take false for null.
  deleted: Type.Optional(
    Type.Boolean({ description: 'True: deleted videos that can still be restored, instead of existing ones.' }),
  ),
  // Not nullable, as above.
  queried: Type.Optional(
    Type.Boolean({
      description: 'True: only videos with an analysis that you may read. False: only videos without one.',
    }),
  ),
  // Not nullable, as above.
  held: Type.Optional(
    Type.Boolean({ description: 'True: only videos on legal hold. False: only videos that are not on hold.' }),
  ),
  min_duration_s: Seconds('Only videos of at least this duration in seconds.'),
  max_duration_s: Seconds('Only videos that are shorter than this, in seconds.'),
};

export const VideoFacetsQuery = Type.Object(Filters);

const SORTS = [
  '-created_at',
  'created_at',
  'name',
  '-name',
  'duration_s',
  '-duration_s',
  'recorded_at',
  '-recorded_at',
] as const;

export const SearchVideosQuery = Type.Object({
  ...Filters,
  include: Maybe(
    PatternString('^(poster|events)(,(poster|events))*$', '`poster`, `events`, or both separated by a comma', {
      maxLength: 100,
      description:
        'More fields of each video: `poster` for `poster_url`, `events` for `events`; both: `poster,events`.',
    }),
  ),
  sort: Maybe(
    Type.Union(
      SORTS.map((sort) => Type.Literal(sort)),
      {
        description:
          'Order; a leading minus means descending. Default: `-created_at`, newest first. A duration that is not known yet counts as 0, an unknown time of recording as the earliest.',
      },
    ),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'Maximum number of videos; default: 100.' }),
  ),
  cursor: Maybe(
    Type.String({ maxLength: 4_000, description: 'The `next_cursor` of the previous page; requires the same `sort`.' }),
  ),
});

/** Largest number of events that are counted for a video of a list. */
export const MAX_EVENTS = 1_000;

const LIBRARY_EXAMPLE = {
  ...SUMMARY_EXAMPLE,
  source: 'file',
  camera_id: null,
  clock: CLOCK_EXAMPLE,
  tags: ['night'],
  metadata: { vehicle: 'A7' },
  hold: null,
  restorable_until: null,
};

const EventCount = Type.Object(
  {
    count: Type.Integer({
      minimum: 0,
      maximum: MAX_EVENTS,
      description: `Number of events of its analyses that you may read; the newest ${MAX_EVENTS} are counted.`,
    }),
    incidents: Type.Integer({
      minimum: 0,
      maximum: MAX_EVENTS,
      description: 'Number of incidents that they show: several questions may report the same one.',
    }),
    pending_incidents: Type.Integer({
      minimum: 0,
      maximum: MAX_EVENTS,
      description:
        'Number of incidents with an event that neither a verdict nor one that follows from another decides.',
    }),
    pending: Type.Integer({
      minimum: 0,
      maximum: MAX_EVENTS,
      description: 'Number of them on which no reviewer has decided.',
    }),
    labels: Type.Array(
      Type.Object({
        value: Type.String({ description: 'The label.' }),
        count: Type.Integer({ minimum: 1, description: 'Number of events.' }),
      }),
      { description: 'Its most frequent labels, at most three.' },
    ),
  },
  { description: 'With `include=events`: events of the video.' },
);
export type EventCount = Domain<typeof EventCount>;

export const LibraryVideo = resource(
  'Video',
  Type.Object(
    {
      ...SummaryFields,
      source: Type.String({ description: 'Source of the video, such as `file` or `video_url`.' }),
      camera_id: Nullable(Type.String({ description: 'Camera that it is a recording of; null for other videos.' })),
      clock: Clock,
      tags: Tags,
      metadata: Type.Record(Type.String(), Type.Union([...MetadataValue]), {
        description: 'Metadata that users added.',
      }),
      ...HoldField,
      ...Restorable,
      poster_url: Type.Optional(
        Nullable(
          Type.String({
            description:
              'With `include=poster`: signed URL of the poster that needs no key, valid for an hour; null unless the video is uploaded.',
          }),
        ),
      ),
      events: Type.Optional(EventCount),
    },
    { description: 'A video of the library.', examples: [LIBRARY_EXAMPLE] },
  ),
);

export const LibraryPage = resource(
  'VideoPage',
  Type.Object(
    { videos: Type.Array(LibraryVideo, { description: 'Videos in the requested order.' }), ...Paging },
    {
      description: 'A page of the library.',
      examples: [{ videos: [LIBRARY_EXAMPLE], has_more: false, next_cursor: null }],
    },
  ),
);

export const Usage = resource(
  'Usage',
  Type.Object(
    {
      videos: Type.Integer({ description: 'Number of videos, including deleted ones that can be restored.' }),
      bytes: Type.Integer({ description: 'Bytes that are stored, or reserved for running uploads.' }),
      max_videos: Nullable(Type.Integer({ description: 'Largest number of videos; null: no limit.' })),
      max_bytes: Nullable(Type.Integer({ description: 'Largest number of stored bytes; null: no limit.' })),
      vision: Type.Object(
        {
          month: Type.String({ description: 'The current calendar month in UTC: `2026-11`.' }),
          calls: Type.Integer({ description: 'Calls in this month; those answered from the cache do not count.' }),
          input_tokens: Type.Integer({ description: 'Input tokens, as the endpoint counts them.' }),
          output_tokens: Type.Integer({ description: 'Output tokens.' }),
          cost: Type.Number({ description: 'Cost in the currency of the configured prices; 0 without prices.' }),
          max_tokens: Nullable(Type.Number({ description: 'Largest number of tokens in a month; null: no limit.' })),
          max_cost: Nullable(Type.Number({ description: 'Largest cost in a month; null: no limit.' })),
        },
        { description: 'Use of the vision-language model.' },
      ),
    },
    {
      description: 'Usage and limits of an organization.',
      examples: [
        {
          videos: 12,
          bytes: 88_080_384,
          max_videos: null,
          max_bytes: 1_099_511_627_776,
          vision: {
            month: '2026-11',
            calls: 42,
            input_tokens: 161_280,
            output_tokens: 3_120,
            cost: 0.035,
            max_tokens: null,
            max_cost: 20,
          },
        },
      ],
    },
  ),
);
