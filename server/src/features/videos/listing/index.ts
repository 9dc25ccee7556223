export { encodeListCursor, parseListCursor } from './cursor.ts';
export { countFacets } from './facets.ts';
export { VideoFacets } from './facets-schema.ts';
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
export { findPage } from './store.ts';
