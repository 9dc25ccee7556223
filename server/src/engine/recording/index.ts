export type { DataLoss, RecordingLocation } from './mcap/index.ts';
export { createRecordings, type Recordings } from './recordings.ts';
export { type RecordingTelemetry, toSidecar } from './telemetry/index.ts';
export type { SurveyedChannel } from './types.ts';
export type { ConvertedChannel, ConvertedVideo } from './video/index.ts';
