import type { TaskContext } from '#platform/media/index';
import {
  checkCameras,
  createReadLimits,
  openRecording,
  openSource,
  type RecordingChannel,
  type RecordingLocation,
} from './mcap/index.ts';
import { recordingProblem } from './problems.ts';
import { readSatelliteOffset, statesSatelliteTime } from './satellite-time.ts';
import { type RecordingTelemetry, readRecordingTelemetry } from './telemetry/index.ts';
import { type RecordedTrajectory, readRecordedTrajectory, statesMachine } from './trajectory/index.ts';
import type { ConvertChannelArgs, RecordingSurvey } from './types.ts';
import {
  type ConvertedChannel,
  convertToVideos,
  createImageReader,
  createTimelineVideos,
  type TimelineArgs,
} from './video/index.ts';

export { readEpisodeTable, readFrames } from './lerobot/tables.ts';

/** Tasks of media processes: recordings are read only there. */
export async function survey({ place }: { place: RecordingLocation }): Promise<RecordingSurvey> {
  await using source = await openSource(place);
  const { channels, startNs, endNs, indexed, losses } = await openRecording(source);
  checkCameras(channels.filter(({ schema }) => createImageReader(schema?.name ?? '')).length);
  return {
    channels: channels.map(({ id, name, topic, schema, messages }) => {
      const schemaName = schema?.name ?? '';
      const isVideo = createImageReader(schemaName) !== null;
      const states = { statesMachine: statesMachine(schemaName), statesTime: statesSatelliteTime(schemaName) };
      return { id, name, topic, schema: schemaName, messages, isVideo, ...states };
    }),
    startNs,
    endNs,
    indexed,
    losses: [...losses],
  };
}

export async function convertChannel(
  { place, channelId, cameras, ...how }: ConvertChannelArgs,
  { encoder, progress }: TaskContext,
): Promise<ConvertedChannel> {
  await using source = await openSource(place);
  const recording = await openRecording(source, createReadLimits(source.size, { cameras, encodes: true }));
  return await convertToVideos(recording, channelOf(recording.channels, channelId), how, { encoder, progress });
}

export const createTimeline = (args: TimelineArgs, { encoder }: TaskContext): Promise<ConvertedChannel> =>
  createTimelineVideos(args, encoder);

export async function readTelemetry(
  { place }: { place: RecordingLocation },
  { progress }: TaskContext,
): Promise<RecordingTelemetry | null> {
  await using source = await openSource(place);
  return await readRecordingTelemetry(await openRecording(source), progress);
}

export async function readSatelliteTime({ place }: { place: RecordingLocation }): Promise<bigint | null> {
  await using source = await openSource(place);
  return await readSatelliteOffset(await openRecording(source));
}

export async function readTrajectory(
  { place }: { place: RecordingLocation },
  { progress }: TaskContext,
): Promise<RecordedTrajectory | null> {
  await using source = await openSource(place);
  return await readRecordedTrajectory(await openRecording(source), progress);
}

function channelOf(channels: readonly RecordingChannel[], id: number): RecordingChannel {
  const channel = channels.find((each) => each.id === id);
  if (!channel) throw recordingProblem.channel_unreadable('The recording has no such channel.');
  return channel;
}
