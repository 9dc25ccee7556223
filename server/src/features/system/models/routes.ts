import { actorOf } from '#features/audit/index';
import { type App, routes } from '#platform/http/index';
import { Model, ModelFileParams, ModelFileQuery, ModelList, ModelParams, ModelToDownload } from './schema.ts';
import type { Models } from './service.ts';

/** Repeats change nothing, and files are handled after the commit: an `Idempotency-Key` is ignored. */
const DEFAULTS = { tag: 'System', scope: 'admin', idempotency: 'none' } as const;

export function modelsRoutes(app: App, models: Models): void {
  const route = routes(app, DEFAULTS);

  route.get(
    '/api/system/models',
    {
      id: 'listModels',
      summary: 'List models',
      description:
        'Lists the models that the engine can use: what each adds, its license and size, whether it is there, and the progress of its download.',
      response: ModelList,
    },
    () => models.list(),
  );

  route.post(
    '/api/system/models',
    {
      id: 'downloadModel',
      summary: 'Download a model',
      description:
        'Starts to download a model in the background. Poll the list for its progress. The download continues after interruptions, its SHA-256 is checked, and all nodes use the model as soon as it is complete. Does nothing if the model is there or being downloaded. Only for administrators of the first organization of the service.',
      body: ModelToDownload,
      response: Model,
      errors: [404, 409],
    },
    (request) => models.startDownload(request.caller, request.body.name, actorOf(request)),
  );

  route.post(
    '/api/system/models/:name/cancel',
    {
      id: 'cancelModelDownload',
      summary: 'Cancel the download of a model',
      description: 'Cancels a running download. A later one continues where it ended.',
      params: ModelParams,
      response: Model,
      errors: [404],
    },
    (request) => models.cancelDownload(request.caller, request.params.name, actorOf(request)),
  );

  route.delete(
    '/api/system/models/:name',
    {
      id: 'removeModel',
      summary: 'Remove a model',
      description:
        'Removes the files of a model from all nodes. Only for administrators of the first organization of the service.',
      params: ModelParams,
      response: Model,
      errors: [404],
    },
    (request) => models.remove(request.caller, request.params.name, actorOf(request)),
  );

  app.register(async (scope) => fileRoute(scope as unknown as App, models));
}

/** The route whose body is the file. */
function fileRoute(app: App, models: Models): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  routes(app, DEFAULTS).put(
    '/api/system/models/:name/files/:file',
    {
      id: 'provideModelFile',
      summary: 'Provide a file of a model',
      description:
        'Stores a file of a model, for a service without internet access, and uses it at once on all nodes. A file that is not the published one is tried first, and marked as not verified. Only for administrators of the first organization of the service.',
      consumes: ['application/octet-stream'],
      params: ModelFileParams,
      query: ModelFileQuery,
      response: Model,
      errors: [404, 409, 413, 507],
    },
    (request) => {
      const { params, query, headers, raw, disconnected, caller } = request;
      const length = headers['content-length'] === undefined ? null : Number(headers['content-length']);
      const file = { body: raw, length, sha256: query.sha256?.toLowerCase() ?? null };
      return models.provide(caller, params.name, params.file, file, actorOf(request), disconnected);
    },
  );
}
