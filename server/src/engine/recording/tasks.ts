import type { TaskContext } from '#platform/media/index';
import { checkCameras, createBounds } from './bounds.ts';
import { type Film, makeFilm } from './film.ts';
import type { Survey } from './index.ts';
import { pictureReader } from './pictures.ts';
import { recordingProblem } from './problems.ts';
import { type Channel, openRecording } from './reader.ts';
import { openSource, type Place } from './source.ts';
import { type RecordingTelemetry, readTelemetry } from './telemetry.ts';
import { makeTimeline, type TimelineArgs } from './timeline.ts';

/** The tasks of a media process: every byte of a recording is read there and nowhere else. */
/**
 * `folder`: where its videos go; `partS`: how long each may be, in seconds; `cameras`: how many channels of the recording are read in all, 1 when
 * absent.
 */
export type FilmArgs = { place: Place; channelId: number; folder: string; partS: number | null; cameras?: number };

export async function survey({ place }: { place: Place }): Promise<Survey> {
  await using source = await openSource(place);
  const { channels, startNs, endNs, indexed, losses } = await openRecording(source);
  checkCameras(channels.filter(({ schema }) => pictureReader(schema?.name ?? '')).length);
  return {
    channels: channels.map(({ id, name, topic, schema, messages }) => {
      const schemaName = schema?.name ?? '';
      return { id, name, topic, schema: schemaName, messages, isVideo: pictureReader(schemaName) !== null };
    }),
    startNs,
    endNs,
    indexed,
    losses: [...losses],
  };
}

export async function film(
  { place, channelId, cameras, ...how }: FilmArgs,
  { encoder, progress }: TaskContext,
): Promise<Film> {
  await using source = await openSource(place);
  const recording = await openRecording(source, createBounds(source.size, { cameras, encodes: true }));
  return await makeFilm(recording, channelOf(recording.channels, channelId), how, { encoder, progress });
}

export const timeline = (args: TimelineArgs, { encoder }: TaskContext): Promise<Film> => makeTimeline(args, encoder);

export async function telemetry(
  { place }: { place: Place },
  { progress }: TaskContext,
): Promise<RecordingTelemetry | null> {
  await using source = await openSource(place);
  return await readTelemetry(await openRecording(source), progress);
}

function channelOf(channels: readonly Channel[], id: number): Channel {
  const channel = channels.find((each) => each.id === id);
  if (!channel) throw recordingProblem.channel_unreadable('The recording has no such channel.');
  return channel;
}
