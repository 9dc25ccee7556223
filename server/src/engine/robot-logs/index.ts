export {
  type DatasetInfo,
  type EpisodeFrames,
  type EpisodeGroup,
  type EpisodeView,
  groupByFile,
  groupEpisodes,
  parseDatasetInfo,
  parseEpisodeTasks,
  toEpisodeTelemetry,
  toEpisodeTrajectory,
} from './lerobot/index.ts';
export type { DataLoss, RecordingLocation } from './mcap/index.ts';
export { recordingProblem } from './problems.ts';
export { createRecordings, type Recordings } from './recordings.ts';
export type { RecordingTelemetry } from './telemetry/index.ts';
// Not through the index, which loads the decoders of messages: they run in media processes only.
export { toSidecar } from './telemetry/sidecar.ts';
export { type TrajectoryArtifact, toTrajectoryArtifact } from './trajectory/artifact.ts';
export type { RecordedTrajectory } from './trajectory/index.ts';
export type { SurveyedChannel } from './types.ts';
export type { ConvertedChannel, ConvertedVideo } from './video/index.ts';
