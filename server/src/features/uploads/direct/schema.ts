import { Type } from 'typebox';
import { Maybe, Name, resource, Timestamp } from '#platform/http/index';

export const CreateDirectUploadBody = resource(
  'NewDirectUpload',
  Type.Object(
    {
      size_bytes: Type.Integer({ minimum: 1, description: 'Size of the whole file in bytes.' }),
      filename: Maybe(
        Name({ minLength: 0, maxLength: 1_000, description: 'Name of the file; becomes the name of the video.' }),
      ),
      custom_name: Maybe(
        Name({ minLength: 0, maxLength: 255, description: 'Name of the video, instead of its file name.' }),
      ),
      sha256: Maybe(
        Type.String({
          description: 'SHA-256 of the file as 64 hexadecimal digits. A file with another digest is refused.',
        }),
      ),
      scope: Maybe(
        Type.Union([Type.Literal('user'), Type.Literal('org')], {
          description:
            'Visibility: `user`, to you only; `org`, to the organization. Default: the scope of the folder, else `user`.',
        }),
      ),
      folder_id: Maybe(Type.String({ maxLength: 255, description: 'Folder for the video.' })),
    },
    { description: 'File to upload.', examples: [{ size_bytes: 104_857_600, filename: 'junction.mp4' }] },
  ),
);

const UPLOAD_ID = '019a0b1c2d3e7f008000000000000010';
const PartFields = {
  part_number: Type.Integer({ minimum: 1, description: 'Number of the part; the first is 1.' }),
  size_bytes: Type.Integer({ description: 'Size of the part in bytes.' }),
};

const URL_EXAMPLE = {
  part_number: 1,
  size_bytes: 16_777_216,
  url: 'https://bucket.s3.example.com/…',
  method: 'PUT',
  expires_at: '2026-11-21T10:30:00.000Z',
};
const PartUrl = resource(
  'PartUrl',
  Type.Object(
    {
      ...PartFields,
      url: Type.String({ description: 'URL to send the bytes of the part to, as the whole body.' }),
      method: Type.Literal('PUT', { description: 'Always `PUT`.' }),
      expires_at: Timestamp({ description: 'Expiry of the URL, ISO 8601, UTC.' }),
    },
    { description: 'Signed URL of a part.', examples: [URL_EXAMPLE] },
  ),
);

export const DirectUploadResource = resource(
  'DirectUpload',
  Type.Object(
    {
      upload_id: Type.String({ description: 'Identifier of the upload.' }),
      video_id: Type.String({ description: 'The same id: the video exists from now on, as `processing`.' }),
      size_bytes: Type.Integer({ description: 'Size of the whole file in bytes.' }),
      part_bytes: Type.Integer({ description: 'Size of each part except the last, which is the remainder.' }),
      part_count: Type.Integer({ description: 'Number of parts.' }),
      arrived: Type.Array(Type.Object(PartFields), { description: 'Parts that storage has received.' }),
      part_urls: Type.Array(PartUrl, {
        description: 'At creation: URLs of the first 100 parts. Request URLs of other parts, or new ones, separately.',
      }),
      expires_at: Timestamp({ description: 'Expiry of the upload; an incomplete one is then removed. ISO 8601, UTC.' }),
    },
    {
      description: 'State of a direct upload.',
      examples: [
        {
          upload_id: UPLOAD_ID,
          video_id: UPLOAD_ID,
          size_bytes: 16_777_216,
          part_bytes: 16_777_216,
          part_count: 1,
          arrived: [],
          part_urls: [URL_EXAMPLE],
          expires_at: '2026-11-24T09:30:00.000Z',
        },
      ],
    },
  ),
);

export const SignPartsBody = resource(
  'PartsToSign',
  Type.Object(
    {
      part_numbers: Type.Array(Type.Integer({ minimum: 1 }), {
        minItems: 1,
        maxItems: 1_000,
        description: 'Numbers of the parts.',
      }),
    },
    { description: 'Parts to sign URLs for.', examples: [{ part_numbers: [1, 2] }] },
  ),
);

export const PartUrls = resource(
  'PartUrls',
  Type.Object(
    { part_urls: Type.Array(PartUrl, { description: 'URLs in the order of the request.' }) },
    { description: 'Signed URLs of parts.', examples: [{ part_urls: [URL_EXAMPLE] }] },
  ),
);

export const EndedUpload = resource(
  'EndedUpload',
  Type.Object(
    {
      status: Type.Literal('ended', { description: 'Always `ended`.' }),
      upload_id: Type.String({ description: 'Identifier of the ended upload.' }),
    },
    { description: 'The upload has ended.', examples: [{ status: 'ended', upload_id: UPLOAD_ID }] },
  ),
);
