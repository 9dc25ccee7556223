export { type RecordingTelemetry, readRecordingTelemetry } from './telemetry.ts';
