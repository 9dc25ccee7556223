import { Type } from 'typebox';
import { Name } from '#platform/http/index';

export const SubtitlesQuery = Type.Object({
  filename: Type.Optional(Name({ minLength: 0, maxLength: 255, description: 'Display name of the file.' })),
  language: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 35,
      description:
        'Language of the subtitles (BCP 47), such as `en`. Default: the one that the header of the file or its name (`talk.en.srt`) states.',
    }),
  ),
});

export const SubtitlesBody = Type.Unsafe<unknown>({
  type: 'string',
  format: 'binary',
  description: 'The file, at most 4 MiB; its format is detected from its content.',
});
