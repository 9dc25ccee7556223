export { tusRoutes } from './routes.ts';
export { createResumableUploads, createUploadFinisher, type ResumableUploads } from './service.ts';
