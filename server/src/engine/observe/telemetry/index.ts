import type { Decoder } from '#platform/media/index';
import { createTelemetry } from './columns.ts';
import { readCaption } from './dji.ts';
import { type Row, readGpmf, spread } from './gpmf.ts';
import type { TelemetryReading } from './observation.ts';
import { readSidecar } from './sidecar.ts';

/**
 * Reads the telemetry of a recording: of the file beside it where it has one, otherwise of its own tracks (GoPro's metadata, DJI's subtitles).
 * Packets are read one at a time; nothing is decoded.
 */
export async function observeTelemetry(
  path: string,
  sidecar: Uint8Array | null,
  decoder: Pick<Decoder, 'sideTracks' | 'readSideTrack'>,
): Promise<TelemetryReading> {
  const beside = sidecar && readSidecar(sidecar);
  if (beside && 'telemetry' in beside) return { telemetry: beside.telemetry, reason: null };
  const reason = beside ? `the file that came beside the video cannot be used: ${beside.unusable}` : null;
  for (const track of await decoder.sideTracks(path)) {
    const isGoPro = track.tag === 'gpmd';
    if (!isGoPro && track.kind !== 'text') continue;
    const packets: { timeS: number; rows: Row[] }[] = [];
    const text = new TextDecoder();
    await decoder.readSideTrack(path, track, ({ data, timeS }) => {
      packets.push({ timeS, rows: isGoPro ? readGpmf(data) : [readCaption(text.decode(data))] });
    });
    const telemetry = createTelemetry(isGoPro ? 'GoPro track' : 'subtitle track', spread(packets));
    if (telemetry) return { telemetry, reason };
  }
  return { telemetry: null, reason };
}
