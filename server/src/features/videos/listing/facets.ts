import type { Queryable } from '#platform/db/index';
import { STATUS_BY_STATE } from '../states.ts';
import type { VideoFacets, VideoState } from '../types.ts';
import {
  countVideos,
  DURATION_EDGES_S,
  type FacetRequest,
  type VideoFacetField,
  type VideoFacetRow,
} from './facets-store.ts';

/** Largest number of videos that are read for facets, so that their cost does not grow with the library. */
export const MAX_READ = 10_000;
const DAY_MS = 86_400_000;
/** Ages in days at which the ranges of `created` begin, oldest first. */
const AGES_D = [365, 30, 7, 1];

/** Facets of a list of videos; null: of an empty one. */
export async function countFacets(db: Queryable, request: FacetRequest | null): Promise<VideoFacets> {
  const now = Date.now();
  const edges = AGES_D.map((days) => new Date(now - days * DAY_MS));
  const rows = request ? await countVideos(db, request, { limit: MAX_READ, createdEdges: edges }) : [];
  const read = countOf(rows, 'read');
  const values = (field: VideoFacetField) =>
    rows.filter((row) => row.field === field).map(({ value, count }) => ({ value, count }));
  return {
    total: countOf(rows, 'total'),
    isComplete: read < MAX_READ,
    statuses: values('status').map(({ value, count }) => ({ value: STATUS_BY_STATE[value as VideoState], count })),
    sources: values('source'),
    scopes: values('scope'),
    tags: values('tag'),
    queried: countOf(rows, 'queried', 'true'),
    notQueried: countOf(rows, 'queried', 'false'),
    durations: [0, ...DURATION_EDGES_S].map((minS, range) => ({
      minS,
      maxS: DURATION_EDGES_S[range] ?? null,
      count: countOf(rows, 'duration', String(range)),
    })),
    created: [null, ...edges]
      .map((after, range) => ({
        after,
        before: edges[range] ?? null,
        count: countOf(rows, 'created', String(range)),
      }))
      .reverse(),
  };
}

const countOf = (rows: readonly VideoFacetRow[], field: VideoFacetField, value = ''): number =>
  rows.find((row) => row.field === field && row.value === value)?.count ?? 0;
