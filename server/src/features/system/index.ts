/**
 * The system itself: whether the process is up, whether it can serve, what it is and what it can see. Operators and load balancers ask here.
 */
export { systemJobs } from './jobs.ts';
export { systemRoutes } from './routes.ts';
export { createSystemService as createSystem } from './service.ts';
