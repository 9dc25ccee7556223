import { resolve } from 'node:path';
import { type Cut, SEGMENTS_START_S, SOUND_BITS, SOUND_RATE } from '../cutter.ts';
import { stillSize } from '../geometry.ts';
import { SCALER_FLAGS } from '../picture-sink.ts';
import { targetStamp } from '../seek.ts';
import { firstStamps } from './decode.ts';
import { isInterlaced, isPaletted, openInput } from './input.ts';
import type { Programs } from './program.ts';
import { still } from './still.ts';

const CONTAINERS: Record<Cut['as'], string[]> = {
  film: ['-movflags', '+faststart'],
  segment: [
    ...['-movflags', '+empty_moov+default_base_moof+frag_custom+frag_discont+skip_trailer'],
    ...['-use_editlist', '0', '-avoid_negative_ts', 'disabled', '-bf', '0'],
  ],
};

/** See `Backend.cut`. Always encodes; sound has the few milliseconds of silence at the border of a segment that encoders begin with. */
export async function cut(programs: Programs, path: string, target: string, request: Cut): Promise<void> {
  const { fromS, untilS, as, maxSide } = request;
  const input = await openInput(programs, path);
  const { tick, video, audio } = input;
  const origin = (await firstStamps(programs, input, 1))[0] ?? 0;
  const first = await still(programs, path, fromS, 16);
  const { width, height } = stillSize(input.shown, maxSide ?? Number.POSITIVE_INFINITY);
  const even = (side: number) => Math.max(2, side - (side % 2));
  const seekS = Math.max(origin * tick, first.pts * tick - 1);
  const seek = ['-noaccurate_seek', '-seek_timestamp', '1', '-ss', seekS.toFixed(6)];
  /** Filters see the file's own times. */
  const [beginS, endS] = [origin * tick + fromS, origin * tick + untilS];
  const zeroS = as === 'segment' ? origin * tick - SEGMENTS_START_S : beginS;
  const until = origin + (targetStamp(untilS, tick, 0) + (targetStamp(untilS, tick, 0) * tick < untilS - 1e-6 ? 1 : 0));
  const picture = [
    `trim=start_pts=${first.pts}:end_pts=${until}`,
    ...(isInterlaced(video) ? ['bwdif=mode=send_frame'] : []),
    `setpts=(max(T\\,${beginS})-${zeroS})/TB`,
    `scale=${even(width)}:${even(height)}:flags=${SCALER_FLAGS}:out_color_matrix=bt709:out_range=tv,format=yuv420p`,
  ];
  const sound = [
    `aresample=${SOUND_RATE}:async=1`,
    `atrim=start=${beginS}:end=${endS}`,
    `asetpts=(T-${zeroS})/TB`,
    `aformat=channel_layouts=${(audio?.channels ?? 1) > 1 ? 'stereo' : 'mono'}`,
  ];
  const running = programs.ffmpeg([
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', '-copyts', '-threads', '1'],
    ...(isPaletted(video) ? [] : seek),
    ...[...input.args, '-map', `0:${video.index}`, '-vf', picture.join(',')],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', as === 'film' ? '20' : '23', '-threads', '1'],
    ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
    ...['-fps_mode', 'passthrough', '-enc_time_base', '1:90000', '-video_track_timescale', '90000'],
    ...(audio
      ? ['-map', `0:${audio.index}`, '-af', sound.join(','), '-c:a', 'aac', '-b:a', String(SOUND_BITS * 2)]
      : []),
    ...['-map_metadata', '-1', ...CONTAINERS[as], '-f', 'mp4', `file:${resolve(target)}`],
  ]);
  const said: string[] = [];
  running.onLine((line) => said.push(line));
  const code = await running.ended;
  if (code !== 0) throw new Error(`ffmpeg could not cut the video: ${said.join(' ').trim()}`);
}
