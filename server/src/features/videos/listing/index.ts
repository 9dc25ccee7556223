export {
  LibraryPage,
  LibraryVideo,
  ListVideosQuery,
  SearchVideosQuery,
  Usage,
  VideoList,
} from './schema.ts';
export { findPage, type PagePosition } from './store.ts';
