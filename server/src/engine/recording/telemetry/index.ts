export { type RecordingTelemetry, readRecordingTelemetry, toSidecar } from './telemetry.ts';
