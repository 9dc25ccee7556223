/**
 * MCAP: recordings of robots and vehicles, uploaded or brought from a bucket. Each channel of pictures becomes a video of the library, what else was
 * measured its telemetry, and the videos of one recording become views of one happening (`views.linked`). Reading is the engine's (`engine/recording`).
 */
export { mcapJobs } from './jobs.ts';
export { mcapRoutes } from './routes.ts';
export { createMcapService as createMcap } from './service.ts';
