export { directRoutes } from './routes.ts';
export { createDirectUploads, type DirectUploadsService } from './service.ts';
