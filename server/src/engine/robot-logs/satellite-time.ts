import { readNmeaTime } from '../observe/telemetry/recorded.ts';
import { createClock } from './clock.ts';
import type { OpenRecording } from './mcap/index.ts';
import { createDecoder, isFields, type MessageFields, timeOf, toNumber, toTimestampNs } from './messages/index.ts';

/** Messages that are compared; the median of their differences is taken. */
const MAX_MESSAGES = 200;
/** Largest message that is read: sentences and fixes are small. */
const MAX_BYTES = 4_096;
/** Dates of receivers: before the first fix they count from 1980. */
const [EARLIEST_NS, LATEST_NS] = [Date.UTC(2000, 0), Date.UTC(2200, 0)].map((ms) => BigInt(ms) * 1_000_000n) as [
  bigint,
  bigint,
];
/** A fix whose time is this close to the log time is stamped by the recorder's own clock, which is known already. */
const SAME_CLOCK_NS = 10_000_000_000n;

type ReadTime = (message: MessageFields, logNs: bigint) => bigint | null;

/** UTC by the receiver of satellites, by the last part of the names of message types. */
const READERS: Record<string, ReadTime> = {
  TimeReference: ({ time_ref }) => timeOf(time_ref),
  GPSFix: ({ time, status }) => (hasFix(status) ? toNs(toNumber(time)) : null),
  Sentence: ({ sentence }) => (typeof sentence === 'string' ? toNs(readNmeaTime(sentence)) : null),
  NavSatFix: readFix,
  LocationFix: readFix,
};

const readerOf = (schema: string): ReadTime | undefined =>
  READERS[
    schema
      .split(/[/.:]+/)
      .at(-1)!
      .replace(/_$/, '')
  ];

/** True for messages that may state the time of satellites. */
export const statesSatelliteTime = (schema: string): boolean => readerOf(schema) !== undefined;

/** Nanoseconds by which UTC by satellites is ahead of the common clock of a recording; null without a receiver. */
export async function readSatelliteOffset(recording: OpenRecording): Promise<bigint | null> {
  const channels = new Map(
    recording.channels.flatMap((channel) => {
      const read = readerOf(channel.schema?.name ?? '');
      return read ? [[channel.id, { channel, read, clock: createClock() }] as const] : [];
    }),
  );
  const wanted = new Set(channels.keys());
  const decoders = new Map<number, ReturnType<typeof createDecoder>>();
  const offsets: bigint[] = [];
  for await (const { channelId, data, logTimeNs } of recording.messages(wanted)) {
    const known = channels.get(channelId);
    if (!known || data.length > MAX_BYTES) continue;
    try {
      const decode = decoders.get(channelId) ?? createDecoder(known.channel);
      decoders.set(channelId, decode);
      const message = decode(data);
      const utcNs = known.read(message, logTimeNs);
      if (utcNs === null || utcNs < EARLIEST_NS || utcNs >= LATEST_NS) continue;
      // The header of a fix has the time of the receiver itself.
      const atNs = known.read === readFix ? logTimeNs : known.clock.at(toTimestampNs(message), logTimeNs);
      if (atNs !== null) offsets.push(utcNs - atNs);
    } catch {
      // A message that does not match its schema is skipped.
    }
    if (offsets.length >= MAX_MESSAGES) break;
  }
  return offsets.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[offsets.length >> 1] ?? null;
}

/** The header of a fix has the time of the receiver, unless its driver stamps it by the recorder's clock. */
function readFix(message: MessageFields, logNs: bigint): bigint | null {
  const stampNs = toTimestampNs(message);
  if (stampNs === null || !hasFix(message.status)) return null;
  const aheadNs = stampNs - logNs;
  return (aheadNs < 0n ? -aheadNs : aheadNs) > SAME_CLOCK_NS ? stampNs : null;
}

/** False if a status says that there is no fix. */
const hasFix = (status: unknown): boolean => !(toNumber(isFields(status) ? status.status : undefined) < 0);

const toNs = (seconds: number | null): bigint | null =>
  seconds === null || !Number.isFinite(seconds) ? null : BigInt(Math.round(seconds * 1_000)) * 1_000_000n;
