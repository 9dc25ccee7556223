export { checkCameras, createReadLimits } from './limits.ts';
export { type OpenRecording, openRecording, type RecordingChannel } from './reader.ts';
export type { DataLoss } from './record-stream.ts';
export { openSource, type RecordingLocation } from './source.ts';
