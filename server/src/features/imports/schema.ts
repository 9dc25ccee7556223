import { Type } from 'typebox';
import { Maybe } from '#platform/http/index';

export const Scope = Type.Union([Type.Literal('user'), Type.Literal('org')], {
  description:
    'Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`.',
});
export const FolderId = Type.String({ maxLength: 255, description: 'Folder of the videos.' });
export const Sidecars = Type.Boolean({
  description:
    'If true, the files beside each video (same name, other extension) are imported with it: telemetry (`.json`, `.csv`, or `.srt` with measurements) and subtitles (`.srt` or `.vtt`). Default false.',
});
const Pattern = Type.String({ minLength: 1, maxLength: 500 });

/** Fields that select objects of a bucket. */
export const SelectionFields = Type.Object({
  prefix: Maybe(
    Type.String({
      maxLength: 1_024,
      description: 'Import objects whose key starts with this prefix. Default: the prefix of the integration.',
    }),
  ),
  include: Maybe(
    Type.Array(Pattern, {
      maxItems: 20,
      description:
        'Only import objects whose key matches one of these patterns: `*` matches within a folder, `**` across folders, `?` one character.',
    }),
  ),
  exclude: Maybe(
    Type.Array(Pattern, { maxItems: 20, description: 'Skip objects whose key matches one of these patterns.' }),
  ),
});

/** Fields that state the destination of the videos. */
export const DestinationFields = Type.Object({
  folder_id: Maybe(FolderId),
  scope: Maybe(Scope),
  sidecars: Maybe(Sidecars),
});

export const EXAMPLE_INTEGRATION_ID = '019a0b1c2d3e7f008000000000000021';
