/**
 * Views: videos of one event from several cameras, on one clock. A client links a set, or a room below does
 * (`views.linked`). A set is played and queried as one, and events that several views show are fused.
 */
export { viewsRoutes } from './routes.ts';
export { createViewsService as createViews, type Views } from './service.ts';
