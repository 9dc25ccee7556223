import { createClock } from '../clock.ts';
import type { OpenRecording, RecordingChannel } from '../mcap/index.ts';
import { createDecoder, type DecodeMessage, toTimestampNs } from '../messages/index.ts';
import { getStateReader, type MachineState } from './states.ts';

/** Measurements of one machine or part of it. Arrays run parallel to `timeS`; NaN where nothing was measured. */
export type RecordedTrack = {
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
const MAX_TRACKS = 20;
/** Most values of one track. Beyond, every second sample is dropped. */
const MAX_VALUES = 500_000;
const MAX_BYTES = 16_384;
const MAX_FAILURES = 1_000;

type Sample = MachineState & { timeS: number };
type Listener = {
  channel: RecordingChannel;
  decode: DecodeMessage;
  read: NonNullable<ReturnType<typeof getStateReader>>;
  clock: ReturnType<typeof createClock>;
  samples: Sample[];
  values: number;
  /** Shortest time between samples. */
  stepS: number;
  failures: number;
};

/** True for message types that state joints or a pose. */
export const statesMachine = (schema: string): boolean => getStateReader(schema) !== null;

/** Reads measured joints and poses in one pass; null if the recording has none. */
export async function readRecordedTrajectory(
  recording: OpenRecording,
  progress: (fraction: number) => void,
): Promise<RecordedTrajectory | null> {
  const originNs = recording.startNs ?? 0n;
  const lengthS = Number((recording.endNs ?? originNs) - originNs) / 1e9;
  const listeners = new Map(recording.channels.flatMap((channel) => listen(channel)).slice(0, MAX_TRACKS));
  if (listeners.size === 0) return null;
  for await (const { channelId, data, logTimeNs } of recording.messages(new Set(listeners.keys()))) {
    const listener = listeners.get(channelId);
    if (!listener || data.length > MAX_BYTES || listener.failures > MAX_FAILURES) continue;
    progress(lengthS > 0 ? Number(logTimeNs - originNs) / 1e9 / lengthS : 1);
    try {
      const message = listener.decode(data);
      const atNs = listener.clock.at(toTimestampNs(message), logTimeNs);
      const state = listener.read(message);
      if (atNs !== null && state) add(listener, { ...state, timeS: Number(atNs - originNs) / 1e9 });
    } catch {
      // A message that does not match its schema is skipped.
      listener.failures++;
    }
  }
  const tracks = [...listeners.values()].filter(({ samples }) => samples.length >= 2).map(toTrack);
  return tracks.length === 0 ? null : { originNs, tracks };
}

function listen(channel: RecordingChannel): [number, Listener][] {
  const read = getStateReader(channel.schema?.name ?? '');
  if (!read) return [];
  try {
    const decode = createDecoder(channel);
    const empty = { samples: [], values: 0, stepS: 1 / SAMPLES_PER_S, failures: 0 };
    return [[channel.id, { channel, decode, read, clock: createClock(), ...empty }]];
  } catch {
    // A channel with an invalid schema has no readable messages.
    return [];
  }
}

function add(listener: Listener, sample: Sample): void {
  const { samples, stepS } = listener;
  const lastS = samples.at(-1)?.timeS ?? Number.NEGATIVE_INFINITY;
  // Stamps of messages vary by some milliseconds.
  if (sample.timeS <= lastS || sample.timeS - lastS < stepS * 0.9) return;
  samples.push(sample);
  listener.values += Object.keys(sample.joints ?? {}).length + (sample.position ? 6 : 0);
  if (listener.values <= MAX_VALUES) return;
  listener.samples = samples.filter((_, i) => i % 2 === 0);
  listener.values /= 2;
  listener.stepS *= 2;
}

function toTrack({ channel, samples }: Listener): RecordedTrack {
  const column = (read: (sample: Sample) => number | undefined) =>
    Float64Array.from(samples, (sample) => read(sample) ?? Number.NaN);
  const names = new Set(samples.flatMap(({ joints }) => Object.keys(joints ?? {})));
  const axes = [0, 1, 2] as const;
  const has = (field: 'position' | 'rotation') => samples.some((sample) => sample[field]);
  return {
    channel: channel.name,
    schema: channel.schema?.name ?? '',
    frame: samples.find(({ frame }) => frame)?.frame ?? null,
    timeS: column(({ timeS }) => timeS),
    position: has('position') ? axes.map((axis) => column(({ position }) => position?.[axis])) : null,
    rotation: has('rotation') ? axes.map((axis) => column(({ rotation }) => rotation?.[axis])) : null,
    joints: Object.fromEntries([...names].map((name) => [name, column(({ joints }) => joints?.[name])])),
  };
}
