import type { Decoder, SideTrack } from '#platform/media/index';
import { createTelemetry } from './columns.ts';
import { readCaption } from './dji.ts';
import { isPosition, type Row, readGpmf, spread } from './gpmf.ts';
import type { Telemetry, TelemetryReading } from './observation.ts';
import { readSidecar } from './sidecar.ts';

/** Tracks that hold no measurements, by their tag: time codes and chapters. */
const OTHER_DATA = ['tmcd', 'text'];
/** Streams and tracks that are named in a reason, at most. */
const MOST_NAMES = 8;

type Tracks = Pick<Decoder, 'sideTracks' | 'readSideTrack'>;

/**
 * Reads the telemetry of a recording: of the file beside it where it has one, otherwise of its own tracks (GoPro's metadata, DJI's subtitles).
 * Packets are read one at a time; nothing is decoded. `reason` says what is there that cannot be used.
 */
export async function observeTelemetry(
  path: string,
  sidecar: Uint8Array | null,
  decoder: Tracks,
): Promise<TelemetryReading> {
  const beside = sidecar && readSidecar(sidecar);
  if (beside && 'telemetry' in beside) return { telemetry: beside.telemetry, reason: null };
  const reasons = beside ? [`the file that came beside the video cannot be used: ${beside.unusable}`] : [];
  const given = () => (reasons.length > 0 ? reasons.slice(0, MOST_NAMES).join('; ') : null);
  for (const track of await decoder.sideTracks(path)) {
    const reading = await readTrack(path, track, decoder);
    if (reading === null) continue;
    if (typeof reading !== 'string') return { telemetry: reading, reason: given() };
    reasons.push(reading);
  }
  return { telemetry: null, reason: given() };
}

/** What a track measured, or a sentence on why it cannot be used; null for one that is there for something else. */
async function readTrack(path: string, track: SideTrack, decoder: Tracks): Promise<Telemetry | string | null> {
  if (track.tag === 'gpmd') return readGoPro(path, track, decoder);
  if (track.kind === 'text') return readSubtitles(path, track, decoder);
  if (OTHER_DATA.includes(track.tag)) return null;
  return `the metadata track of this video (${track.tag || 'without a name'}) is of a kind that cannot be read here`;
}

async function readGoPro(path: string, track: SideTrack, decoder: Tracks): Promise<Telemetry | string> {
  const packets: { timeS: number; rows: Row[] }[] = [];
  const streams = new Set<string>();
  await decoder.readSideTrack(path, track, ({ data, timeS }) => {
    const packet = readGpmf(data);
    packets.push({ timeS, rows: packet.rows });
    for (const key of packet.streams) streams.add(key);
  });
  const telemetry = createTelemetry('GoPro track', spread(packets));
  if (telemetry) return telemetry;
  if (streams.size === 0) return 'the GoPro track of this video could not be read';
  const positions = [...streams].filter(isPosition);
  if (positions.length === 0) {
    return `the GoPro track of this video holds no position and no speed (only ${listed(streams)})`;
  }
  return packets.some(({ rows }) => rows.length > 0)
    ? `the GoPro track of this video holds positions (${listed(positions)}), but the receiver had no satellite fix`
    : `the positions in the GoPro track of this video (${listed(positions)}) could not be read`;
}

async function readSubtitles(path: string, track: SideTrack, decoder: Tracks): Promise<Telemetry | string | null> {
  const packets: { timeS: number; rows: Row[] }[] = [];
  const text = new TextDecoder();
  await decoder.readSideTrack(path, track, ({ data, timeS }) => {
    packets.push({ timeS, rows: [readCaption(text.decode(data))] });
  });
  if (packets.length === 0) return null;
  return (
    createTelemetry('subtitle track', spread(packets)) ??
    'the subtitle track of this video holds no position and no speed'
  );
}

/** Keys from a file, which may be any bytes. */
function listed(keys: Iterable<string>): string {
  const names = [...keys].map((key) => key.replaceAll(/[^\w ]/g, '?'));
  return names.length > MOST_NAMES ? `${names.slice(0, MOST_NAMES).join(', ')}, …` : names.join(', ');
}
