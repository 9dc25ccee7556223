/**
 * Views: videos of one happening from several cameras, on one clock. A set is linked by a client, or told of by a room below (`views.linked`); it can be
 * played and asked as one, and what several views saw is told once.
 */
export { viewsRoutes } from './routes.ts';
export { createViewsService as createViews } from './service.ts';
