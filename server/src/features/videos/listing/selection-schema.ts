import { Type } from 'typebox';
import { resource } from '#platform/http/index';
import { VideoFacetsQuery } from './schema.ts';

const { status: _status, deleted: _deleted, ...Filters } = VideoFacetsQuery.properties;

/** Filters of uploaded videos, in the body of a request about all that match. */
export const LibrarySelection = resource(
  'LibrarySelection',
  Type.Object(Filters, {
    additionalProperties: false,
    description:
      'Uploaded videos that you can see, by the filters of `GET /api/videos`; all of them must match. `{}`: the whole library.',
    examples: [{ folder_id: '019a0b1c2d3e7f008000000000000002', recorded_after: '2026-11-26T23:00:00Z' }],
  }),
);
