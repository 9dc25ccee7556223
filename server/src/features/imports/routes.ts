import type { App } from '#platform/http/index';
import type { ImportsRoom } from './imports.ts';
import { importJobRoutes } from './jobs/index.ts';
import { syncRoutes } from './syncs/index.ts';

export function importsRoutes(app: App, { jobs, syncs }: ImportsRoom): void {
  importJobRoutes(app, jobs);
  syncRoutes(app, syncs);
}
