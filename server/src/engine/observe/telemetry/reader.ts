import type { Decoder, MetadataTrack } from '#platform/media/index';
import { readCaption } from './dji.ts';
import { assignSampleTimes, type GpsRow, isPositionStream, readGpmf } from './gpmf.ts';
import type { Telemetry, TelemetryReading } from './observation.ts';
import { createTelemetry } from './samples.ts';
import { readSidecar } from './sidecar.ts';

/** Tags of tracks without measurements: time codes and chapters. */
const IGNORED_TAGS = ['tmcd', 'text'];
/** Maximum number of streams and tracks in a reason. */
const MAX_NAMES = 8;

type Tracks = Pick<Decoder, 'metadataTracks' | 'readMetadataTrack'>;

/**
 * Reads the telemetry of a video: from the sidecar if it has one, otherwise from its tracks (GoPro metadata, DJI
 * subtitles). Packets are read one at a time; nothing is decoded. `reason` names data that cannot be used.
 */
export async function readVideoTelemetry(
  path: string,
  sidecar: Uint8Array | null,
  decoder: Tracks,
): Promise<TelemetryReading> {
  const fromSidecar = sidecar && readSidecar(sidecar);
  const isRead = fromSidecar !== null && !('unusable' in fromSidecar);
  const recorded = isRead ? fromSidecar : { telemetry: null };
  if (recorded.telemetry) return { ...recorded, reason: null };
  const reasons =
    fromSidecar && 'unusable' in fromSidecar
      ? [`the telemetry file of this video cannot be used: ${fromSidecar.unusable}`]
      : [];
  const joinReasons = () => (reasons.length > 0 ? reasons.slice(0, MAX_NAMES).join('; ') : null);
  for (const track of await decoder.metadataTracks(path)) {
    const reading = await readTrack(path, track, decoder);
    if (reading === null) continue;
    if (typeof reading !== 'string') return { ...recorded, ...reading, reason: joinReasons() };
    reasons.push(reading);
  }
  return { ...recorded, reason: joinReasons() };
}

type TrackReading = { telemetry: Telemetry; startMs?: number };

/** Returns the telemetry of a track, a reason why it cannot be used, or null for tracks of another purpose. */
async function readTrack(path: string, track: MetadataTrack, decoder: Tracks): Promise<TrackReading | string | null> {
  if (track.tag === 'gpmd') return readGoPro(path, track, decoder);
  if (track.kind === 'text') return readSubtitles(path, track, decoder);
  if (IGNORED_TAGS.includes(track.tag)) return null;
  return `the metadata track of this video (${track.tag || 'without a name'}) has a format that is not supported`;
}

async function readGoPro(path: string, track: MetadataTrack, decoder: Tracks): Promise<TrackReading | string> {
  const packets: { timeS: number; rows: GpsRow[] }[] = [];
  const starts: number[] = [];
  const streams = new Set<string>();
  await decoder.readMetadataTrack(path, track, ({ data, timeS }) => {
    const packet = readGpmf(data);
    packets.push({ timeS, rows: packet.rows });
    if (packet.utcMs !== null) starts.push(packet.utcMs - timeS * 1_000);
    for (const key of packet.streams) streams.add(key);
  });
  const telemetry = createTelemetry('GoPro track', assignSampleTimes(packets));
  // Times of packets vary by some tenths of a second.
  const start = starts.toSorted((a, b) => a - b)[starts.length >> 1];
  if (telemetry) return { telemetry, ...(start !== undefined && { startMs: Math.round(start) }) };
  if (streams.size === 0) return 'the GoPro track of this video could not be read';
  const positions = [...streams].filter(isPositionStream);
  if (positions.length === 0) {
    return `the GoPro track of this video has no position and no speed (only ${joinKeys(streams)})`;
  }
  return packets.some(({ rows }) => rows.length > 0)
    ? `the GoPro track of this video has positions (${joinKeys(positions)}), but the receiver had no satellite fix`
    : `the positions in the GoPro track of this video (${joinKeys(positions)}) could not be read`;
}

async function readSubtitles(
  path: string,
  track: MetadataTrack,
  decoder: Tracks,
): Promise<TrackReading | string | null> {
  const packets: { timeS: number; rows: GpsRow[] }[] = [];
  const text = new TextDecoder();
  await decoder.readMetadataTrack(path, track, ({ data, timeS }) => {
    packets.push({ timeS, rows: [readCaption(text.decode(data))] });
  });
  if (packets.length === 0) return null;
  const telemetry = createTelemetry('subtitle track', assignSampleTimes(packets));
  return telemetry ? { telemetry } : 'the subtitle track of this video has no position and no speed';
}

/** Joins keys from a file, which may be any bytes. */
function joinKeys(keys: Iterable<string>): string {
  const names = [...keys].map((key) => key.replaceAll(/[^\w ]/g, '?'));
  return names.length > MAX_NAMES ? `${names.slice(0, MAX_NAMES).join(', ')}, …` : names.join(', ');
}
