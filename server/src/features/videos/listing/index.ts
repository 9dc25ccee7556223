export {
  type EventCount,
  LibraryPage,
  LibraryVideo,
  ListVideosQuery,
  MAX_EVENTS,
  SearchVideosQuery,
  Usage,
  VideoList,
} from './schema.ts';
export { findPage, type PagePosition } from './store.ts';
