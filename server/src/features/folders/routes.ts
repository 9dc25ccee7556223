import { type App, failures } from '#platform/http/index';
import { FolderAnswer, FolderByName, NewFolder } from './schema.ts';
import type { Folder, Folders } from './service.ts';

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
      config: { scope: 'write' },
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
      config: { scope: 'read' },
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
  };
}
