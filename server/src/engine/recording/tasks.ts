import type { TaskContext } from '#platform/media/index';
import { type Film, makeFilm } from './film.ts';
import type { Survey } from './index.ts';
import { pictureReader } from './pictures.ts';
import { recordingProblem } from './problems.ts';
import { type Channel, openRecording } from './reader.ts';
import { openSource, type Place } from './source.ts';
import { type RecordingTelemetry, readTelemetry } from './telemetry.ts';

/** The tasks of a media process: every byte of a recording is read there and nowhere else. */
/** `folder`: where its videos go; `partS`: how long each may be, in seconds. */
export type FilmArgs = { place: Place; channelId: number; folder: string; partS: number | null };

export async function survey({ place }: { place: Place }): Promise<Survey> {
  await using source = await openSource(place);
  const { channels, startNs, endNs, indexed, losses } = await openRecording(source);
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

export async function film({ place, channelId, ...how }: FilmArgs, { encoder, progress }: TaskContext): Promise<Film> {
  await using source = await openSource(place);
  const recording = await openRecording(source);
  return await makeFilm(recording, channelOf(recording.channels, channelId), how, { encoder, progress });
}

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
