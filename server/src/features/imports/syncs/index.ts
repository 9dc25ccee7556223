export { syncRoutes } from './routes.ts';
export { createSyncs } from './service.ts';
