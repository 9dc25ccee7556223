/** Background work of the service: its queues and its workers. */
export { workloadRoutes } from './routes.ts';
export { createWorkload, type Workload } from './service.ts';
