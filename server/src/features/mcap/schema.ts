import { Type } from 'typebox';
import { Maybe, Name, PatternString, resource, signature } from '#platform/http/index';

const MIN_PART_S = 10;
const MAX_PART_S = 86_400;

export const IngestParams = Type.Object({
  ingest_id: Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of the ingest.' }),
});
export const UploadQuery = Type.Object(signature);

export const DESTINATION_FIELDS = {
  folder_id: Maybe(Type.String({ description: 'Folder of the videos.' })),
  scope: Maybe(
    Type.Union([Type.Literal('user'), Type.Literal('org')], {
      description:
        'Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`.',
    }),
  ),
  chunk_size: Maybe(
    Type.Integer({
      minimum: MIN_PART_S,
      maximum: MAX_PART_S,
      description: `Seconds, ${MIN_PART_S} to ${MAX_PART_S}. Splits long recordings: each channel becomes one video per range of this length. Encoded video is split at keyframes. Default: one video per channel.`,
    }),
  ),
};

export const NewIngest = resource(
  'NewMcapIngest',
  Type.Object(
    {
      filename: Name({ maxLength: 255, description: 'Name of the file.' }),
      size_bytes: Type.Integer({ minimum: 1, description: 'Exact size of the file in bytes.' }),
      sha256: Maybe(
        PatternString('^[0-9a-fA-F]{64}$', '64 hexadecimal digits', {
          description: 'SHA-256 of the file, hexadecimal. A file that does not match is rejected.',
        }),
      ),
      ...DESTINATION_FIELDS,
    },
    {
      description: 'A recording to upload.',
      examples: [{ filename: 'drive.mcap', size_bytes: 734_003_200, chunk_size: 600 }],
    },
  ),
);

export const ID = '019a0b1c2d3e7f008000000000000060';

export const CreatedIngest = resource(
  'CreatedMcapIngest',
  Type.Object(
    {
      mcap_ingest_id: Type.String({ description: 'Identifier of the ingest.' }),
      upload_url: Type.String({
        description: 'URL to PUT the whole file to, in one request. It needs no key and is valid for a day.',
      }),
      upload_headers: Type.Record(Type.String(), Type.String(), { description: 'Headers to send with the PUT.' }),
      source_uri: Type.String({ description: 'URI of the recording, which is the source of its videos.' }),
      status: Type.String({ description: 'Always `created`.' }),
    },
    {
      additionalProperties: true,
      description: 'An ingest whose file is to be uploaded.',
      examples: [
        {
          mcap_ingest_id: ID,
          upload_url: `http://localhost:8099/api/mcap/${ID}/file?token=t1x2y3.signature`,
          upload_headers: { 'Content-Type': 'application/octet-stream' },
          source_uri: `mcap://${ID}/drive.mcap`,
          status: 'created',
        },
      ],
    },
  ),
);

export const ReceivedFile = resource(
  'UploadedMcapFile',
  Type.Object(
    {
      mcap_ingest_id: Type.String({ description: 'Identifier of the ingest.' }),
      status: Type.String({ description: 'Always `uploaded`.' }),
    },
    { description: 'The file was stored.', examples: [{ mcap_ingest_id: ID, status: 'uploaded' }] },
  ),
);

export const ChannelRolesBody = resource(
  'ChannelRoles',
  Type.Object(
    {
      front_channel: Maybe(Type.String({ description: 'Channel of the front view, which is the primary one.' })),
      channel_roles: Maybe(
        Type.Record(Type.String(), Type.String(), {
          description:
            'Roles by channel name: `front`, `rear`, `left`, `right`, `top`, `bottom` or your own; each at most once. Other channels get roles that their topics suggest.',
        }),
      ),
      channel_labels: Maybe(
        Type.Record(Type.String(), Name({ minLength: 0, maxLength: 200 }), {
          description:
            'Display labels by channel name. Omitted channels keep their labels; an empty label removes one.',
        }),
      ),
    },
    {
      description: 'Roles and labels of channels. All fields and the body itself are optional.',
      examples: [{ front_channel: '/camera/front', channel_roles: { '/camera/1': 'rear' }, channel_labels: {} }],
    },
  ),
);
