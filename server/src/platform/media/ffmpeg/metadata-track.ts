import { extractText } from '../bitstream/index.ts';
import type { MetadataPacket, MetadataTrack } from '../engine/index.ts';
import { originOf } from './decode.ts';
import { openInput } from './input.ts';
import type { FfmpegPrograms } from './program.ts';

/** See `Decoder.metadataTracks`. */
export async function metadataTracks(programs: FfmpegPrograms, path: string): Promise<MetadataTrack[]> {
  const { others } = await openInput(programs, path);
  return others.flatMap(({ index, codec_type, codec_name = '', codec_tag_string = '', tags }): MetadataTrack[] => {
    const kind = codec_type === 'subtitle' ? 'text' : codec_type === 'data' ? 'data' : null;
    const tag = codec_tag_string.includes('[') ? '' : codec_tag_string.trim();
    return kind ? [{ index, kind, tag, codec: codec_name, language: tags?.language ?? '' }] : [];
  });
}

/**
 * See `Decoder.readMetadataTrack`. ffprobe lists times and sizes of packets, ffmpeg writes their concatenated bytes.
 */
export async function readMetadataTrack(
  programs: FfmpegPrograms,
  path: string,
  { index, kind, tag }: MetadataTrack,
  onPacket: (packet: MetadataPacket) => void,
): Promise<void> {
  const input = await openInput(programs, path);
  const originS = ((await originOf(programs, input)) ?? 0) * input.tick;
  const shown = ['-select_streams', String(index), '-show_entries', 'packet=pts_time,duration_time,size'];
  type ProbedPacket = { pts_time?: string; duration_time?: string; size: string };
  const { packets = [] } = (await programs.ffprobe([...input.args, ...shown])) as { packets?: ProbedPacket[] };
  const running = programs.ffmpeg([
    '-nostdin',
    '-loglevel',
    'error',
    '-copyts',
    ...input.args,
    '-map',
    `0:${index}`,
    '-c',
    'copy',
    '-f',
    'data',
    'pipe:1',
  ]);
  let rest: Buffer = Buffer.alloc(0);
  let next = 0;
  for await (const chunk of running.outputs[0]!) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (let packet = packets[next]; packet && rest.length >= Number(packet.size); packet = packets[++next]) {
      const data = rest.subarray(0, Number(packet.size));
      rest = rest.subarray(data.length);
      if (packet.pts_time === undefined) continue;
      onPacket({
        timeS: Number(packet.pts_time) - originS,
        durationS: Number(packet.duration_time ?? 0),
        data: kind === 'text' ? extractText(data, tag) : data,
      });
    }
  }
  await running.ended;
}
