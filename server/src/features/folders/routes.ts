import { type App, routes } from '#platform/http/index';
import {
  DeletedFolder,
  Folder,
  FolderByNameQuery,
  FolderChanges,
  FolderList,
  FolderListQuery,
  FolderParams,
  FolderRemovalQuery,
  NewFolder,
} from './schema.ts';
import type { Folders } from './service.ts';

const DEFAULT_LIMIT = 100;

export function foldersRoutes(app: App, folders: Folders): void {
  const route = routes(app, { tag: 'Folders', scope: 'read' });

  route.post(
    '/api/folders',
    {
      id: 'createFolder',
      summary: 'Create a folder',
      description: 'Creates a personal or an organization folder. A name that is taken in its scope is 409.',
      body: NewFolder,
      response: Folder,
      errors: [409],
    },
    ({ caller, body }) => folders.create(caller, body),
  );

  route.post(
    '/api/folders/create-or-get',
    {
      id: 'createOrGetFolder',
      folderKeys: true,
      summary: 'Get a folder by name, or create it',
      description:
        'Returns the folder with this name and scope, and creates it if there is none. Concurrent requests get the same folder.',
      body: NewFolder,
      response: Folder,
    },
    ({ caller, body }) => folders.createOrGet(caller, body),
  );

  route.get(
    '/api/folders/get',
    {
      id: 'getFolder',
      folderKeys: true,
      summary: 'Get a folder by name',
      description: 'Returns the folder with this name in this scope.',
      query: FolderByNameQuery,
      response: Folder,
      errors: [404],
    },
    ({ caller, query }) => folders.get(caller, query.name, query.scope),
  );

  route.get(
    '/api/folders',
    {
      id: 'listFolders',
      folderKeys: true,
      summary: 'List folders',
      description: 'Lists your personal folders and the folders of your organization, by name.',
      query: FolderListQuery,
      response: FolderList,
    },
    ({ caller, query }) => folders.list(caller, { ...query, limit: query.limit ?? DEFAULT_LIMIT }),
  );

  route.get(
    '/api/folders/:folder_id',
    {
      id: 'getFolderById',
      folderKeys: true,
      summary: 'Get a folder',
      description: 'Returns the folder with this id.',
      params: FolderParams,
      response: Folder,
      errors: [404],
    },
    ({ caller, params }) => folders.require(caller, params.folderId),
  );

  route.patch(
    '/api/folders/:folder_id',
    {
      id: 'changeFolder',
      summary: 'Rename or change a folder',
      description:
        'Changes the name, the description or the retention of videos. A name that is taken in its scope is 409.',
      params: FolderParams,
      body: FolderChanges,
      response: Folder,
      errors: [404, 409],
    },
    ({ caller, params, body }) => folders.change(caller, params.folderId, body),
  );

  route.delete(
    '/api/folders/:folder_id',
    {
      id: 'deleteFolder',
      summary: 'Delete a folder',
      description:
        'Deletes a folder. If it contains videos, `videos` must state whether they are moved or deleted; without it the answer is 409, as it is for the deletion of videos on legal hold.',
      params: FolderParams,
      query: FolderRemovalQuery,
      response: DeletedFolder,
      errors: [404, 409],
    },
    async ({ caller, params, query }) => {
      const { id, videoCount } = await folders.remove(caller, params.folderId, query.videos);
      return { status: 'deleted' as const, folderId: id, videoCount };
    },
  );
}
