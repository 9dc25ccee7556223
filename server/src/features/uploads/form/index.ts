export { formRoutes } from './routes.ts';
export { createFormUploads, type FormUploads } from './service.ts';
