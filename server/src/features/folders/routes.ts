import { type App, failures } from '#platform/http/index';
import {
  FolderAnswer,
  FolderByName,
  FolderChanges,
  FolderDeleted,
  FolderId,
  FolderList,
  FolderListQuery,
  FolderRemoval,
  NewFolder,
} from './schema.ts';
import type { Folder, Folders } from './service.ts';

const DEFAULT_LIMIT = 100;

export function foldersRoutes(app: App, folders: Folders): void {
  app.post(
    '/api/folders',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'createFolder',
        tags: ['Folders'],
        summary: 'Create a folder',
        description: 'Makes a personal or an organisation folder. A name that is taken in its scope is 409.',
        body: NewFolder,
        response: { 200: FolderAnswer, ...failures(409) },
      },
    },
    async ({ caller, body }) => answer(await folders.create(caller, body)),
  );

  app.post(
    '/api/folders/create-or-get',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'createOrGetFolder',
        tags: ['Folders'],
        summary: 'Get a folder by name, or create it',
        description:
          'Returns the folder of this name and scope and makes it when there is none; safe when many ask at once.',
        body: NewFolder,
        response: { 200: FolderAnswer, ...failures() },
      },
    },
    async ({ caller, body }) => answer(await folders.createOrGet(caller, body)),
  );

  app.get(
    '/api/folders/get',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'getFolder',
        tags: ['Folders'],
        summary: 'Get a folder by name',
        description: 'Returns the folder of this name in this scope.',
        querystring: FolderByName,
        response: { 200: FolderAnswer, ...failures(404) },
      },
    },
    async ({ caller, query }) => answer(await folders.get(caller, query.name, query.scope)),
  );

  app.get(
    '/api/folders',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'listFolders',
        tags: ['Folders'],
        summary: 'List folders',
        description: "Lists your personal folders and the organisation's, by name.",
        querystring: FolderListQuery,
        response: { 200: FolderList, ...failures() },
      },
    },
    async ({ caller, query }) => {
      const page = await folders.list(caller, { ...query, limit: query.limit ?? DEFAULT_LIMIT });
      return { folders: page.folders.map(answer), has_more: page.nextCursor !== null, next_cursor: page.nextCursor };
    },
  );

  app.get(
    '/api/folders/:folder_id',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'getFolderById',
        tags: ['Folders'],
        summary: 'Get a folder',
        description: 'Returns the folder with this id.',
        params: FolderId,
        response: { 200: FolderAnswer, ...failures(404) },
      },
    },
    async ({ caller, params }) => answer(await folders.require(caller, params.folder_id)),
  );

  app.patch(
    '/api/folders/:folder_id',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'changeFolder',
        tags: ['Folders'],
        summary: 'Rename or change a folder',
        description:
          'Changes the name, the description, or how long videos are kept. A name that is taken in its scope is 409.',
        params: FolderId,
        body: FolderChanges,
        response: { 200: FolderAnswer, ...failures(404, 409) },
      },
    },
    async ({ caller, params, body }) => answer(await folders.change(caller, params.folder_id, body)),
  );

  app.delete(
    '/api/folders/:folder_id',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'deleteFolder',
        tags: ['Folders'],
        summary: 'Delete a folder',
        description:
          'Deletes a folder. One that holds videos goes only with a word on what becomes of them; else it is 409.',
        params: FolderId,
        querystring: FolderRemoval,
        response: { 200: FolderDeleted, ...failures(404, 409) },
      },
    },
    async ({ caller, params, query }) => {
      const { videoCount } = await folders.remove(caller, params.folder_id, query.videos);
      return { status: 'deleted' as const, folder_id: params.folder_id, video_count: videoCount };
    },
  );
}

function answer(folder: Folder) {
  return {
    id: folder.id,
    name: folder.name,
    org_id: folder.orgId,
    description: folder.description,
    created_at: folder.createdAt.toISOString(),
    scope: folder.scope,
    created_by: folder.createdBy,
    video_count: folder.videoCount,
    retention_days: folder.retentionDays,
  };
}
