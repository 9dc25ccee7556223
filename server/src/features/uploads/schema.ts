import { Type } from 'typebox';
import { Name } from '#platform/http/index';

export const SidecarName = Type.Object({
  filename: Type.Optional(Name({ minLength: 0, maxLength: 255, description: 'Name of the file, to show.' })),
});

export const SidecarBytes = Type.Unsafe<unknown>({
  type: 'string',
  format: 'binary',
  description: 'The file as it is; its kind is read from its content.',
});

export const Empty = Type.Unsafe<undefined>({ type: 'null', description: 'No body; the headers say it.' });

export const UploadForm = Type.Object(
  {
    source: Type.Union([Type.Literal('file'), Type.Literal('video_url')], {
      description: '`file`: the form has the part `file`; `video_url`: the service fetches the URL.',
    }),
    file: Type.Optional(
      Type.Unsafe<unknown>({
        type: 'string',
        format: 'binary',
        description: 'The video, for `source=file`. Its type is read from its bytes; its file name becomes its name.',
      }),
    ),
    video_url: Type.Optional(
      Type.String({
        description:
          'An http or https URL of a video, for `source=video_url`. Only public addresses are fetched from, unless the operator allowed others.',
      }),
    ),
    custom_name: Type.Optional(
      Name({ minLength: 0, maxLength: 255, description: 'Name of the video, in place of its file name.' }),
    ),
    sha256: Type.Optional(
      Type.String({
        description:
          'SHA-256 of the file as 64 hexadecimal digits, for `source=file`: what arrives otherwise is refused and not kept.',
      }),
    ),
    metadata_file: Type.Optional(
      Type.Unsafe<unknown>({
        type: 'string',
        format: 'binary',
        description:
          'What was recorded beside the video (at most 16 MiB). JSON: an object, optionally with `fields: [{name, type, unit}]` and rows in `data`, or an array of rows; CSV with a line of names; or a drone\'s subtitles (SRT). Rows with a time (seconds from the first frame, or dates) and a speed, acceleration, yaw rate, heading or position are telemetry, which prompts such as "faster than 80 km/h" are answered from; `metadata.sidecar.telemetry` says what was understood.',
      }),
    ),
    scope: Type.Optional(
      Type.Union([Type.Literal('user'), Type.Literal('org')], {
        description: 'Who sees it: `user`, you alone; `org`, the organisation. Without it: as its folder, else `user`.',
      }),
    ),
    folder_id: Type.Optional(Type.String({ description: 'Folder to put it in.' })),
    chunk_size: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Accepted from existing clients and not used: a video is not cut up.' }),
    ),
  },
  {
    additionalProperties: true,
    description: 'The parts may come in any order; a form without a file may also be url-encoded or JSON.',
    examples: [{ source: 'video_url', video_url: 'https://videos.example.com/junction.mp4' }],
  },
);
