/**
 * MCAP ingests: recordings of robots and vehicles, uploaded or imported from a bucket. Each image or video channel
 * becomes a video of the library, and measurements become its telemetry. The videos of one recording are linked as
 * views (`views.linked`). `engine/robot-logs` reads the files.
 */
export { mcapJobs } from './jobs.ts';
export { mcapRoutes } from './routes.ts';
export { createMcapService as createMcap } from './service.ts';
