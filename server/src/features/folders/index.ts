/**
 * Folders: where videos lie. A folder is personal (scope `user`: only its owner sees it) or the organisation's (scope `org`: every member does).
 * Names are unique per scope, so that a folder can be asked for by name. How many videos it holds is counted in its row.
 */
export { foldersRoutes } from './routes.ts';
export {
  createFoldersService as createFolders,
  type Folder,
  type FolderScope,
  type Folders,
  type StoredScope,
} from './service.ts';
