export { encodeListCursor, parseListCursor } from './cursor.ts';
export { countFacets } from './facets.ts';
export { VideoFacets } from './facets-schema.ts';
export { toVideoFilters } from './filters.ts';
export {
  type EventCount,
  LibraryPage,
  LibraryVideo,
  ListVideosQuery,
  MAX_EVENTS,
  SearchVideosQuery,
  Usage,
  VideoFacetsQuery,
  VideoList,
} from './schema.ts';
export { selectVideos } from './selection.ts';
export { LibrarySelection } from './selection-schema.ts';
export { findPage } from './store.ts';
