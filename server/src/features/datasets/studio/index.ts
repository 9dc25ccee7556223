/** Explores the events of datasets: by the values of their fields, by words, and by fields that are added later. */
export { studioJobs } from './jobs.ts';
export { studioRoutes } from './routes.ts';
export { createStudio } from './service.ts';
