export { modelJobs } from './jobs.ts';
export { modelsRoutes } from './routes.ts';
export { createModels, type Models } from './service.ts';
export { createSharedModels } from './shared-models.ts';
