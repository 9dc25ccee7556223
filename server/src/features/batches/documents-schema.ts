import { Type } from 'typebox';
import { Maybe, resource } from '#platform/http/index';

const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';

export const BatchDocumentsBody = resource(
  'BatchDocumentsRequest',
  Type.Object(
    {
      video_ids: Type.Array(Type.String(), {
        maxItems: 500,
        description: 'Videos of the batch, at most 500; duplicates count once.',
      }),
    },
    {
      additionalProperties: true,
      description: 'Videos whose documents to return.',
      examples: [{ video_ids: [VIDEO_ID] }],
    },
  ),
);

export const BatchDocumentsQuery = Type.Object({
  include_source_uri: Maybe(
    Type.Boolean({
      description: 'True: add the source of each video to its document, as `import_source_uri`. Default: false.',
    }),
  ),
});

export const BatchDocuments = resource(
  'BatchDocuments',
  Type.Object(
    {
      analyses: Type.Array(
        Type.Object(
          {},
          { additionalProperties: true, description: 'An analysis document, as its own endpoint returns it.' },
        ),
        { description: "Documents in the batch's order." },
      ),
      unresolved_video_ids: Type.Array(Type.String(), { description: 'Videos that are not in this batch.' }),
      not_found_analysis_ids: Type.Array(Type.String(), {
        description: 'Analyses without a document: still running, or their video was deleted.',
      }),
    },
    {
      additionalProperties: true,
      description: 'Documents of a batch.',
      examples: [
        {
          analyses: [
            {
              video_id: VIDEO_ID,
              analysis_id: ANALYSIS_ID,
              analysis: { status: 'COMPLETED', answer: 'A person walks past a parked car at 00:12.', events: [] },
              metadata: { filename: 'junction.mp4', duration_s: 60.06 },
              events: [],
            },
          ],
          unresolved_video_ids: [],
          not_found_analysis_ids: [],
        },
      ],
    },
  ),
);
