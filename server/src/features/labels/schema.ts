import { Type } from 'typebox';
import { type Domain, Maybe, Name, Nullable, resource } from '#platform/http/index';
import type { LabelFormat } from './types.ts';

/** Characters of a file. */
const MAX_CONTENT = 8_000_000;
/** The file as a JSON string, in which a character may need several bytes. */
export const BODY_BYTES = 4 * MAX_CONTENT;

const BATCH_ID = '019a0b1c2d3e7f008000000000000010';
const FORMATS = ['csv', 'coco', 'cvat', 'label_studio'] as const satisfies readonly LabelFormat[];

export const LabelImportRequest = resource(
  'LabelImportRequest',
  Type.Object(
    {
      batch_id: Type.String({
        maxLength: 255,
        description: 'The batch whose prompt the labels answer. They are compared with its analyses.',
      }),
      content: Type.String({ minLength: 1, maxLength: MAX_CONTENT, description: 'The text of the file.' }),
      format: Maybe(
        Type.Union(
          FORMATS.map((format) => Type.Literal(format)),
          {
            description:
              'Format of the file: `csv` with `label`, `start_s`, `end_s` and `video_id` or `video_name`, `coco`, `cvat` (XML for images or for video) or `label_studio` (JSON). Default: recognized by its first character.',
          },
        ),
      ),
      name: Maybe(
        Name({
          maxLength: 255,
          description: 'Name of the file, which its events state as `origin`; default: its format.',
        }),
      ),
      video_id: Maybe(
        Type.String({ maxLength: 255, description: 'All labels are of this video of the batch, whatever they state.' }),
      ),
      labels: Maybe(
        Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), {
          minItems: 1,
          maxItems: 1_000,
          description: 'Only labels with exactly these texts: those that the prompt asks for.',
        }),
      ),
      complete: Maybe(
        Type.Boolean({
          description:
            'True: the file has all events of its videos, so undecided events of the engine that match no label are rejected. Default: false.',
        }),
      ),
      dry_run: Maybe(Type.Boolean({ description: 'True: only counts what would change.' })),
    },
    {
      description: 'A file with events that are known to be in the videos of a batch.',
      examples: [
        {
          batch_id: BATCH_ID,
          format: 'csv',
          name: 'crossings.csv',
          content: 'video_name,start_s,end_s,label\njunction.mp4,12.3,15,A cyclist crosses\n',
        },
      ],
    },
  ),
);
export type LabelImportRequest = Domain<typeof LabelImportRequest>;

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const LabelImportResult = resource(
  'LabelImportResult',
  Type.Object(
    {
      status: Type.String({
        description:
          '`imported`; `checked`: a dry run, nothing was changed; `invalid`: the file has errors, so nothing was changed.',
      }),
      format: Type.String({ description: 'Format of the file.' }),
      origin: Type.String({ description: 'Name that the events state as their origin.' }),
      labels: Count('Labels of the file, after frames of one object were joined.'),
      videos: Count('Videos that they are of.'),
      added: Count('Labels that no event matched; they are events now, as missed events that people add.'),
      confirmed: Count('Labels that matched an undecided event; it is approved now, with the times of the label.'),
      unchanged: Count('Labels whose events exist already, or were decided.'),
      rejected: Count('Events that match no label; only with `complete`.'),
      skipped: Count(
        'Entries that are no labels: not approved, predictions, of other kinds, or not in `labels` of the request.',
      ),
      errors: Type.Array(
        Type.Object({
          location: Nullable(Type.String({ description: 'Line of the file, or path in its JSON.' })),
          message: Type.String({ description: 'What is wrong, in a sentence.' }),
        }),
        { description: 'What cannot be imported; the first 100.' },
      ),
      error_count: Count('Number of all errors.'),
    },
    {
      description: 'What an import of labels changed.',
      examples: [
        {
          status: 'imported',
          format: 'csv',
          origin: 'crossings.csv',
          labels: 40,
          videos: 3,
          added: 4,
          confirmed: 36,
          unchanged: 0,
          rejected: 0,
          skipped: 0,
          errors: [],
          error_count: 0,
        },
      ],
    },
  ),
);
export type LabelImportResult = Domain<typeof LabelImportResult>;
