/**
 * Folders of videos. A folder is personal (scope `user`) or belongs to the organization (scope `org`). Names are unique
 * per scope, so that a folder can be looked up by name. Its row counts its videos.
 */
export { foldersRoutes } from './routes.ts';
export {
  createFoldersService as createFolders,
  type Folder,
  type FolderScope,
  type Folders,
  type StoredScope,
} from './service.ts';
