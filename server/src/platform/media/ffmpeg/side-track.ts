import type { SidePacket, SideTrack } from '../decoder.ts';
import { textOf } from '../side-track.ts';
import { firstStamps } from './decode.ts';
import { openInput } from './input.ts';
import type { Programs } from './program.ts';

/** See `Decoder.sideTracks`. */
export async function sideTracks(programs: Programs, path: string): Promise<SideTrack[]> {
  const { others } = await openInput(programs, path);
  return others.flatMap(({ index, codec_type, codec_tag_string = '' }): SideTrack[] => {
    const kind = codec_type === 'subtitle' ? 'text' : codec_type === 'data' ? 'data' : null;
    const tag = codec_tag_string.includes('[') ? '' : codec_tag_string.trim();
    return kind ? [{ index, kind, tag }] : [];
  });
}

/** See `Decoder.readSideTrack`: one program tells the packets' times and sizes, another hands over their bytes in a row. */
export async function readSideTrack(
  programs: Programs,
  path: string,
  { index, kind, tag }: SideTrack,
  onPacket: (packet: SidePacket) => void,
): Promise<void> {
  const input = await openInput(programs, path);
  const originS = ((await firstStamps(programs, input, 1))[0] ?? 0) * input.tick;
  const shown = ['-select_streams', String(index), '-show_entries', 'packet=pts_time,size'];
  type Told = { pts_time?: string; size: string };
  const { packets = [] } = (await programs.ffprobe([...input.args, ...shown])) as { packets?: Told[] };
  const running = programs.ffmpeg([
    ...['-nostdin', '-loglevel', 'error', '-copyts', ...input.args],
    ...['-map', `0:${index}`, '-c', 'copy', '-f', 'data', 'pipe:1'],
  ]);
  let rest: Buffer = Buffer.alloc(0);
  let next = 0;
  for await (const chunk of running.outputs[0]!) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (let told = packets[next]; told && rest.length >= Number(told.size); told = packets[++next]) {
      const data = rest.subarray(0, Number(told.size));
      rest = rest.subarray(data.length);
      if (told.pts_time === undefined) continue;
      onPacket({ timeS: Number(told.pts_time) - originS, data: kind === 'text' ? textOf(data, tag) : data });
    }
  }
  await running.ended;
}
