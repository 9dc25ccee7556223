/** The system: liveness, readiness, version, capabilities and limits, for operators and load balancers. */
export { systemJobs } from './jobs.ts';
export { createModels, createSharedModels } from './models/index.ts';
export { systemRoutes } from './routes.ts';
export { createSystemService as createSystem } from './service.ts';
export { createWorkload } from './workload/index.ts';
