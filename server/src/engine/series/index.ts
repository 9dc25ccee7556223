/** Stored observations as values over time, for timelines: read in ranges, reduced, without any prompt. */
export { readCoverage } from './read-coverage.ts';
export { findDrivingActions, readDrivingActions } from './read-driving-actions.ts';
export { isLaneField, LANE_FIELDS, readLanes } from './read-lanes.ts';
export { readTelemetry, TELEMETRY_FIELDS } from './read-telemetry.ts';
export { readTracks } from './read-tracks.ts';
export { type ByteSource, openArrays, type StoredArrays } from './stored-arrays.ts';
export type { StoredObservations } from './types.ts';
