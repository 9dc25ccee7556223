export { sidecarRoutes } from './routes.ts';
export { createSidecarStore, createSidecarUploads, type SidecarStore } from './service.ts';
export { isTelemetryFile, parseSidecar, readRecorded, readSidecar, type Sidecar } from './sidecar.ts';
