import type { App } from '#platform/http/index';
import { directRoutes } from './direct/index.ts';
import { formRoutes } from './form/index.ts';
import { tusRoutes } from './resumable/index.ts';
import type { Uploads } from './service.ts';
import { sidecarRoutes } from './sidecar/index.ts';
import { subtitleRoutes } from './subtitles/index.ts';

/** Each way to upload has its own body parsers, so each is registered in its own scope. */
export function uploadsRoutes(app: App, uploads: Uploads): void {
  app.register(async (scope) => formRoutes(scope as unknown as App, uploads));
  app.register(async (scope) => tusRoutes(scope as unknown as App, uploads.resumable, uploads.maxBytes));
  app.register(async (scope) => directRoutes(scope as unknown as App, uploads.direct));
  app.register(async (scope) => sidecarRoutes(scope as unknown as App, uploads));
  app.register(async (scope) => subtitleRoutes(scope as unknown as App, uploads));
}
