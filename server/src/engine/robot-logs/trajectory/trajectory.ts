import { createClock } from '../clock.ts';
import type { OpenRecording, RecordingChannel } from '../mcap/index.ts';
import { createDecoder, type DecodeMessage, type MessageFields, toTimestampNs } from '../messages/index.ts';
import { getStateReader, type MachineState } from './states.ts';
import { createTransformReader, statesTransforms } from './transforms.ts';

/** Measurements of one machine or part of it. Arrays run parallel to `timeS`; NaN where nothing was measured. */
export type RecordedTrack = {
  /** Unique; the channel, unless a channel has several tracks. */
  name: string;
  channel: string;
  schema: string;
  frame: string | null;
  timeS: Float64Array;
  /** Columns of `position` (x, y, z), `rotation` (roll, pitch, yaw) and of each joint. */
  position: Float64Array[] | null;
  rotation: Float64Array[] | null;
  joints: Record<string, Float64Array>;
};
/** Seconds count from `originNs` by the common clock. */
export type RecordedTrajectory = { originNs: bigint; tracks: RecordedTrack[] };

/** Samples of a track that are stored per second, at most; control loops run at 1 kHz. */
const SAMPLES_PER_S = 50;
const MAX_CHANNELS = 20;
const MAX_TRACKS = 20;
/** Most values of one track. Beyond, every second sample is dropped. */
const MAX_VALUES = 500_000;
const MAX_BYTES = 65_536;
const MAX_FAILURES = 1_000;

type Sample = MachineState & { timeS: number };
/** States of a channel in one message, by the name of their track. */
type ReadStates = (message: MessageFields) => { name: string; stampNs: bigint | null; state: MachineState }[];
type Listener = { channel: RecordingChannel; decode: DecodeMessage; read: ReadStates; failures: number };
/** Samples of a track while it is read. */
type TrackBuilder = {
  name: string;
  channel: RecordingChannel;
  clock: ReturnType<typeof createClock>;
  samples: Sample[];
  values: number;
  /** Shortest time between samples. */
  stepS: number;
};

/** True for message types that state joints or a pose. */
export const statesMachine = (schema: string): boolean => getStateReader(schema) !== null || statesTransforms(schema);

/** Reads measured joints and poses in one pass; null if the recording has none. */
export async function readRecordedTrajectory(
  recording: OpenRecording,
  progress: (fraction: number) => void,
): Promise<RecordedTrajectory | null> {
  const originNs = recording.startNs ?? 0n;
  const lengthS = Number((recording.endNs ?? originNs) - originNs) / 1e9;
  const transforms = createTransformReader();
  const listeners = new Map(
    recording.channels.flatMap((channel) => listen(channel, transforms)).slice(0, MAX_CHANNELS),
  );
  if (listeners.size === 0) return null;
  const builders = new Map<string, TrackBuilder>();
  for await (const { channelId, data, logTimeNs } of recording.messages(new Set(listeners.keys()))) {
    const listener = listeners.get(channelId);
    if (!listener || data.length > MAX_BYTES || listener.failures > MAX_FAILURES) continue;
    progress(lengthS > 0 ? Number(logTimeNs - originNs) / 1e9 / lengthS : 1);
    try {
      for (const { name, stampNs, state } of listener.read(listener.decode(data))) {
        const builder = builders.get(name) ?? startTrack(name, listener.channel);
        if (!builders.has(name) && builders.size >= MAX_TRACKS) continue;
        builders.set(name, builder);
        const atNs = builder.clock.at(stampNs, logTimeNs);
        if (atNs !== null) add(builder, { ...state, timeS: Number(atNs - originNs) / 1e9 });
      }
    } catch {
      // A message that does not match its schema is skipped.
      listener.failures++;
    }
  }
  const tracks = [...builders.values()].filter(({ samples }) => samples.length >= 2).map(toTrack);
  return tracks.length === 0 ? null : { originNs, tracks };
}

type Transforms = ReturnType<typeof createTransformReader>;

function listen(channel: RecordingChannel, transforms: Transforms): [number, Listener][] {
  const read = createReader(channel, transforms);
  if (!read) return [];
  try {
    return [[channel.id, { channel, decode: createDecoder(channel), read, failures: 0 }]];
  } catch {
    // A channel with an invalid schema has no readable messages.
    return [];
  }
}

function createReader({ name, schema }: RecordingChannel, transforms: Transforms): ReadStates | null {
  const schemaName = schema?.name ?? '';
  if (statesTransforms(schemaName)) {
    return (message) => transforms.read(message).map((pose) => ({ ...pose, name: `${name}/${pose.name}` }));
  }
  const read = getStateReader(schemaName);
  if (!read) return null;
  return (message) => {
    const state = read(message);
    return state ? [{ name, stampNs: toTimestampNs(message), state }] : [];
  };
}

const startTrack = (name: string, channel: RecordingChannel): TrackBuilder => ({
  name,
  channel,
  clock: createClock(),
  samples: [],
  values: 0,
  stepS: 1 / SAMPLES_PER_S,
});

function add(builder: TrackBuilder, sample: Sample): void {
  const { samples, stepS } = builder;
  const lastS = samples.at(-1)?.timeS ?? Number.NEGATIVE_INFINITY;
  // Stamps of messages vary by some milliseconds.
  if (sample.timeS <= lastS || sample.timeS - lastS < stepS * 0.9) return;
  samples.push(sample);
  builder.values += Object.keys(sample.joints ?? {}).length + (sample.position ? 6 : 0);
  if (builder.values <= MAX_VALUES) return;
  builder.samples = samples.filter((_, i) => i % 2 === 0);
  builder.values /= 2;
  builder.stepS *= 2;
}

function toTrack({ name, channel, samples }: TrackBuilder): RecordedTrack {
  const column = (read: (sample: Sample) => number | undefined) =>
    Float64Array.from(samples, (sample) => read(sample) ?? Number.NaN);
  const names = new Set(samples.flatMap(({ joints }) => Object.keys(joints ?? {})));
  const axes = [0, 1, 2] as const;
  const has = (field: 'position' | 'rotation') => samples.some((sample) => sample[field]);
  return {
    name,
    channel: channel.name,
    schema: channel.schema?.name ?? '',
    frame: samples.find(({ frame }) => frame)?.frame ?? null,
    timeS: column(({ timeS }) => timeS),
    position: has('position') ? axes.map((axis) => column(({ position }) => position?.[axis])) : null,
    rotation: has('rotation') ? axes.map((axis) => column(({ rotation }) => rotation?.[axis])) : null,
    joints: Object.fromEntries([...names].map((name) => [name, column(({ joints }) => joints?.[name])])),
  };
}
