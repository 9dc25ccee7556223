import { Type } from 'typebox';
import { Maybe, Name } from '#platform/http/index';

export const UploadId = Type.Object({
  upload_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the upload.' }),
});

export const NewDirectUpload = Type.Object(
  {
    size_bytes: Type.Integer({ minimum: 1, description: 'Size of the whole file in bytes.' }),
    filename: Maybe(
      Name({ minLength: 0, maxLength: 1_000, description: 'Name of the file; becomes the name of the video.' }),
    ),
    custom_name: Maybe(
      Name({ minLength: 0, maxLength: 255, description: 'Name of the video, in place of its file name.' }),
    ),
    sha256: Maybe(
      Type.String({ description: 'SHA-256 of the file as 64 hexadecimal digits: what arrives otherwise is refused.' }),
    ),
    scope: Maybe(
      Type.Union([Type.Literal('user'), Type.Literal('org')], {
        description: 'Who sees it: `user`, you alone; `org`, the organisation. Without it: as its folder, else `user`.',
      }),
    ),
    folder_id: Maybe(Type.String({ maxLength: 255, description: 'Folder to put it in.' })),
  },
  { description: 'The file to come.', examples: [{ size_bytes: 104_857_600, filename: 'junction.mp4' }] },
);

const ID = '019a0b1c2d3e7f008000000000000010';
const PART = { part_number: 1, size_bytes: 16_777_216 };
const Part = {
  part_number: Type.Integer({ minimum: 1, description: 'Number of the part; the first is 1.' }),
  size_bytes: Type.Integer({ description: 'Its size in bytes.' }),
};
const time = (description: string) => Type.String({ format: 'date-time', description });

const PartUrl = Type.Object({
  ...Part,
  url: Type.String({ description: 'Send the part here: its bytes, and no more, as the body.' }),
  method: Type.Literal('PUT', { description: 'Always `PUT`.' }),
  expires_at: time('Until when the URL holds, ISO 8601, UTC.'),
});
const URL_EXAMPLE = {
  ...PART,
  url: 'https://bucket.s3.example.com/…',
  method: 'PUT',
  expires_at: '2026-11-21T10:30:00.000Z',
};

export const DirectUploadAnswer = Type.Object(
  {
    upload_id: Type.String({ description: 'Identifier of the upload.' }),
    video_id: Type.String({ description: 'The same: the video exists from now on, as `processing`.' }),
    size_bytes: Type.Integer({ description: 'Size of the whole file in bytes.' }),
    part_bytes: Type.Integer({ description: 'Size of each part but the last, which is what is left.' }),
    part_count: Type.Integer({ description: 'How many parts there are.' }),
    arrived: Type.Array(Type.Object(Part), { description: 'The parts that are there.' }),
    part_urls: Type.Array(PartUrl, {
      description: 'When it begins: URLs of the first 100 parts. Ask for those of others, and for new ones.',
    }),
    expires_at: time('Until when it can be completed; then nothing of it is kept. ISO 8601, UTC.'),
  },
  {
    description: 'How a direct upload stands.',
    examples: [
      {
        upload_id: ID,
        video_id: ID,
        size_bytes: 16_777_216,
        part_bytes: 16_777_216,
        part_count: 1,
        arrived: [],
        part_urls: [URL_EXAMPLE],
        expires_at: '2026-11-24T09:30:00.000Z',
      },
    ],
  },
);

export const PartNumbers = Type.Object(
  {
    part_numbers: Type.Array(Type.Integer({ minimum: 1 }), {
      minItems: 1,
      maxItems: 1_000,
      description: 'Which parts to send.',
    }),
  },
  { description: 'The parts that URLs are wanted for.', examples: [{ part_numbers: [1, 2] }] },
);

export const PartUrls = Type.Object(
  { part_urls: Type.Array(PartUrl, { description: 'In the order that was asked for.' }) },
  { description: 'URLs of parts.', examples: [{ part_urls: [URL_EXAMPLE] }] },
);

export const Ended = Type.Object(
  {
    status: Type.Literal('ended', { description: 'Always `ended`.' }),
    upload_id: Type.String({ description: 'Identifier of the upload that was.' }),
  },
  { description: 'The upload is over.', examples: [{ status: 'ended', upload_id: ID }] },
);
