export { createDirectoryStarter } from './directory-starter.ts';
export { createImportStarter, type ImportStarter } from './import-starter.ts';
export { createNamedRows } from './named-rows.ts';
export { createObjectLister } from './object-lister.ts';
export { importJobRoutes } from './routes.ts';
export { createImportJobs } from './service.ts';
