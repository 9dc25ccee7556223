import { resolve } from 'node:path';
import {
  AUDIO_BITS_PER_CHANNEL,
  AUDIO_SAMPLE_RATE,
  limitSize,
  SCALER_FLAGS,
  SEGMENT_TIME_OFFSET_S,
  seekTimestamp,
  type TrimRequest,
} from '../engine/index.ts';
import { originOf } from './decode.ts';
import { isInterlaced, isPaletted, openInput } from './input.ts';
import type { FfmpegPrograms } from './program.ts';
import { still } from './still.ts';

const CONTAINERS: Record<TrimRequest['output'], string[]> = {
  mp4: ['-movflags', '+faststart'],
  segment: [
    '-movflags',
    '+empty_moov+default_base_moof+frag_custom+frag_discont+skip_trailer',
    '-use_editlist',
    '0',
    '-avoid_negative_ts',
    'disabled',
    '-bf',
    '0',
  ],
};

/** See `MediaEngine.trim`. Always encodes. Segments start with a few milliseconds of silence from the audio encoder. */
export async function trim(
  programs: FfmpegPrograms,
  path: string,
  target: string,
  request: TrimRequest,
): Promise<void> {
  const { fromS, untilS, output: as, maxSide, startWith } = request;
  const input = await openInput(programs, path);
  const { tick, video, audio } = input;
  const found = await originOf(programs, input);
  const origin = found ?? 0;
  // The first frame needs no search, which would start a program.
  const isFirst = found !== undefined && seekTimestamp(fromS, tick, origin) === origin;
  const firstPts = isFirst ? origin : (await still(programs, path, fromS, 16)).pts;
  const { width, height } = limitSize(input.display, maxSide ?? Number.POSITIVE_INFINITY);
  const even = (side: number) => Math.max(2, side - (side % 2));
  const seekS = Math.max(origin * tick, firstPts * tick - 1);
  const seek = ['-noaccurate_seek', '-seek_timestamp', '1', '-ss', seekS.toFixed(6)];
  /** In the file's own time, as filters need it. */
  const [beginS, endS] = [origin * tick + fromS, origin * tick + untilS];
  const zeroS = as === 'segment' ? origin * tick - SEGMENT_TIME_OFFSET_S : beginS;
  const toNextPts = (timeS: number) => {
    const before = seekTimestamp(timeS, tick, 0);
    return origin + before + (before * tick < timeS - 1e-6 ? 1 : 0);
  };
  const [begin, until] = [startWith === 'new' ? Math.max(firstPts, toNextPts(fromS)) : firstPts, toNextPts(untilS)];
  const picture = [
    `trim=start_pts=${begin}:end_pts=${until}`,
    ...(isInterlaced(video) ? ['bwdif=mode=send_frame'] : []),
    `setpts=(max(T\\,${beginS})-${zeroS})/TB`,
    `scale=${even(width)}:${even(height)}:flags=${SCALER_FLAGS}:out_color_matrix=bt709:out_range=tv,format=yuv420p`,
  ];
  const sound = [
    `aresample=${AUDIO_SAMPLE_RATE}:async=1`,
    `atrim=start=${beginS}:end=${endS}`,
    `asetpts=(T-${zeroS})/TB`,
    `aformat=channel_layouts=${(audio?.channels ?? 1) > 1 ? 'stereo' : 'mono'}`,
  ];
  const running = programs.ffmpeg([
    '-hide_banner',
    '-loglevel',
    'error',
    '-nostdin',
    '-y',
    '-copyts',
    '-threads',
    '1',
    ...(isPaletted(video) ? [] : seek),
    ...input.args,
    '-map',
    `0:${video.index}`,
    '-vf',
    picture.join(','),
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    as === 'mp4' ? '20' : '23',
    '-threads',
    '1',
    '-colorspace',
    'bt709',
    '-color_primaries',
    'bt709',
    '-color_trc',
    'bt709',
    '-color_range',
    'tv',
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    '1:90000',
    '-video_track_timescale',
    '90000',
    ...(audio
      ? ['-map', `0:${audio.index}`, '-af', sound.join(','), '-c:a', 'aac', '-b:a', String(AUDIO_BITS_PER_CHANNEL * 2)]
      : []),
    '-map_metadata',
    '-1',
    ...CONTAINERS[as],
    '-f',
    'mp4',
    `file:${resolve(target)}`,
  ]);
  const output: string[] = [];
  running.onLine((line) => output.push(line));
  const code = await running.ended;
  if (code !== 0) throw new Error(`ffmpeg could not cut the video: ${output.join(' ').trim()}`);
}
