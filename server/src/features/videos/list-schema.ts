import { Type } from 'typebox';
import { Maybe, Name, Nullable } from '#platform/http/index';
import { EXAMPLE, Identity, MetadataValue, Reason, Restorable, Tag, Tags, Word } from './schema.ts';

export const ListQuery = Type.Object({
  folder: Maybe(
    Name({
      minLength: 0,
      maxLength: 255,
      description: 'Name of a folder. Without it: all videos that you see. A personal folder of this name comes first.',
    }),
  ),
  scope: Maybe(
    Type.Union([Type.Literal('user'), Type.Literal('org'), Type.Literal('sample')], {
      description:
        'Only personal ones, only those of the organisation, or only samples (which are drawn when they are first asked for). Without it: personal ones and those of the organisation.',
    }),
  ),
  // Not nullable: the conversion of query values would take 0 for null.
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'How many videos at most; 1,000 without it. `has_more` says whether there are more.',
    }),
  ),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the page before.' })),
});

const Item = {
  ...Identity,
  size_bytes: Nullable(Type.Integer({ description: 'Size of the file in bytes.' })),
  ...Reason,
};
const Paging = {
  has_more: Type.Boolean({ description: 'Whether more videos follow.' }),
  next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get them.' })),
};

export const VideoList = Type.Object(
  { videos: Type.Array(Type.Object(Item), { description: 'Newest first.' }), ...Paging },
  {
    description: 'A page of videos.',
    examples: [{ videos: [{ ...EXAMPLE, size_bytes: 7_340_032 }], has_more: false, next_cursor: null }],
  },
);

const date = (description: string) => Maybe(Type.String({ format: 'date-time', description }));

export const SearchQuery = Type.Object({
  folder_id: Maybe(Type.String({ maxLength: 255, description: 'Only those in this folder.' })),
  folder: Maybe(
    Name({
      minLength: 0,
      maxLength: 255,
      description: 'The same by name. A personal folder of this name comes first.',
    }),
  ),
  scope: Maybe(
    Type.Union([Type.Literal('user'), Type.Literal('org')], {
      description: 'Only personal ones, or only those of the organisation. Without it: both.',
    }),
  ),
  status: Maybe(Word),
  name: Maybe(Name({ maxLength: 255, description: 'Only those whose name contains this, in any case.' })),
  tag: Maybe(Tag),
  source: Maybe(
    Type.String({ maxLength: 64, description: 'Only those that came this way, such as `file` or `video_url`.' }),
  ),
  created_after: date('Only those whose upload began then or later, ISO 8601.'),
  created_before: date('Only those whose upload began before then, ISO 8601.'),
  // Not nullable: the conversion of query values would take false for null.
  deleted: Type.Optional(
    Type.Boolean({ description: 'True: deleted videos that can still be restored, instead of those that are there.' }),
  ),
  sort: Maybe(
    Type.Union([Type.Literal('-created_at'), Type.Literal('created_at'), Type.Literal('name'), Type.Literal('-name')], {
      description: 'Order; a minus is descending. Without it: `-created_at`, newest first.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'How many videos at most; 100 without it.' }),
  ),
  cursor: Maybe(
    Type.String({ maxLength: 4_000, description: 'The `next_cursor` of the page before; the order stays the same.' }),
  ),
});

const LIBRARY_EXAMPLE = {
  ...EXAMPLE,
  size_bytes: 7_340_032,
  source: 'file',
  tags: ['night'],
  metadata: { vehicle: 'A7' },
  restorable_until: null,
};

export const LibraryVideo = Type.Object(
  {
    ...Item,
    source: Type.String({ description: 'How it came: `file` or `video_url`.' }),
    tags: Tags,
    metadata: Type.Record(Type.String(), Type.Union([...MetadataValue]), { description: 'What users say of it.' }),
    ...Restorable,
  },
  {
    description: 'A video of the library.',
    examples: [LIBRARY_EXAMPLE],
  },
);

export const LibraryPage = Type.Object(
  { videos: Type.Array(LibraryVideo, { description: 'In the order that was asked for.' }), ...Paging },
  {
    description: 'A page of the library.',
    examples: [{ videos: [LIBRARY_EXAMPLE], has_more: false, next_cursor: null }],
  },
);

export const Usage = Type.Object(
  {
    videos: Type.Integer({ description: 'How many videos there are, deleted ones that can be restored among them.' }),
    bytes: Type.Integer({ description: 'Bytes that are stored, or held free for uploads under way.' }),
    max_videos: Nullable(Type.Integer({ description: 'How many videos there may be; null: no limit.' })),
    max_bytes: Nullable(Type.Integer({ description: 'How many bytes may be stored; null: no limit.' })),
  },
  {
    description: 'What an organisation takes up.',
    examples: [{ videos: 12, bytes: 88_080_384, max_videos: null, max_bytes: 1_099_511_627_776 }],
  },
);
