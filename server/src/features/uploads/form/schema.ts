import { Type } from 'typebox';
import { Name, resource } from '#platform/http/index';

export const UploadForm = resource(
  'UploadForm',
  Type.Object(
    {
      source: Type.Union([Type.Literal('file'), Type.Literal('video_url')], {
        description: '`file`: the form has the part `file`; `video_url`: the service fetches the URL.',
      }),
      file: Type.Optional(
        Type.Unsafe<unknown>({
          type: 'string',
          format: 'binary',
          description:
            'The video, for `source=file`. Its format is detected from its content; its file name becomes the name of the video.',
        }),
      ),
      video_url: Type.Optional(
        Type.String({
          description:
            'HTTP or HTTPS URL of a video, for `source=video_url`. Only public addresses are allowed, unless the operator allows others.',
        }),
      ),
      custom_name: Type.Optional(
        Name({ minLength: 0, maxLength: 255, description: 'Name of the video, instead of its file name.' }),
      ),
      sha256: Type.Optional(
        Type.String({
          description:
            'SHA-256 of the file as 64 hexadecimal digits, for `source=file`. A file with another digest is refused.',
        }),
      ),
      metadata_file: Type.Optional(
        Type.Unsafe<unknown>({
          type: 'string',
          format: 'binary',
          description:
            'Data recorded together with the video, at most 16 MiB. JSON: an object, optionally with `fields: [{name, type, unit}]` and rows in `data`, or an array of rows; CSV with a header line; or the subtitles of a drone (SRT). Rows with a time (seconds from the first frame, or dates) and a speed, acceleration, yaw rate, heading or position are telemetry, which answers prompts such as "faster than 80 km/h"; `metadata.sidecar.telemetry` reports the telemetry that was read.',
        }),
      ),
      subtitles_file: Type.Optional(
        Type.Unsafe<unknown>({
          type: 'string',
          format: 'binary',
          description:
            'Subtitles of the video, SubRip (SRT) or WebVTT, at most 4 MiB. They are shown as captions, and prompts about what is spoken are answered from them; `metadata.subtitles` summarizes them.',
        }),
      ),
      scope: Type.Optional(
        Type.Union([Type.Literal('user'), Type.Literal('org')], {
          description:
            'Visibility: `user`, to you only; `org`, to the organization. Default: the scope of the folder, else `user`.',
        }),
      ),
      folder_id: Type.Optional(Type.String({ description: 'Folder for the video.' })),
      chunk_size: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Accepted from existing clients and ignored: videos are not split.' }),
      ),
    },
    {
      additionalProperties: true,
      description: 'The parts may be in any order. A form without a file may also be URL-encoded or JSON.',
      examples: [{ source: 'video_url', video_url: 'https://videos.example.com/junction.mp4' }],
    },
  ),
);
