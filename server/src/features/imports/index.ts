/**
 * Imports: videos from cloud buckets. A request names objects or selects them, once or on a schedule. Each object is a
 * row of the import; transfer workers on any node claim rows by a lease and complete them in the transaction that makes
 * the video ready.
 */
export { importJobs } from './background-jobs.ts';
export { createImports } from './imports.ts';
export { importsRoutes } from './routes.ts';
