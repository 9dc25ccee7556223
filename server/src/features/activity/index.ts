/** Activity: what changes in an organization, as one stream per caller that resumes after any event on any node. */
export { activityRoutes } from './routes.ts';
export { createActivity } from './service.ts';
