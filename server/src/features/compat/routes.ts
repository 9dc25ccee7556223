import type { App } from '#platform/http/index';
import { queryFormsRoutes } from './forms/routes.ts';
import { resultsRoutes } from './results/routes.ts';
import type { Compat } from './service.ts';
import { studioRoutes } from './studio/routes.ts';

export function compatRoutes(app: App, { forms, results, studio }: Compat): void {
  queryFormsRoutes(app, forms);
  resultsRoutes(app, results);
  studioRoutes(app, studio);
}
