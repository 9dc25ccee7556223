import { resolve } from 'node:path';
import { mediaProblem } from '../problems.ts';
import type { Assembled, FrameForm, PixelLayout, Reel } from '../reel.ts';
import { checkDimensions } from '../refusals.ts';
import { writeAll } from './encode.ts';
import { matroskaHeader, matroskaPicture, type Track } from './matroska.ts';
import type { Programs } from './program.ts';

/** How the last frame lasts, in seconds, where there is no other to go by. */
const LAST_S = 0.1;

/** FFmpeg's tags of raw layouts (libavcodec/raw.c). */
const TAGS: Record<PixelLayout, string> = {
  gray: 'Y800',
  gray16le: 'Y1\0\x10',
  gray16be: '\x10\x001Y',
  rgb24: 'RGB\x18',
  bgr24: 'BGR\x18',
  rgba: 'RGBA',
  bgra: 'BGRA',
  rgb48le: 'RGB0',
  rgba64le: 'RBA@',
  uyvy422: 'UYVY',
  yuyv422: 'YUY2',
  nv12: 'NV12',
  nv21: 'NV21',
  bayer_rggb8: '\xbaRG\x08',
  bayer_bggr8: '\xbaBG\x08',
  bayer_gbrg8: '\xbaGB\x08',
  bayer_grbg8: '\xbaGR\x08',
  bayer_rggb16le: '\xbaRG\x10',
  bayer_bggr16le: '\xbaBG\x10',
  bayer_gbrg16le: '\xbaGB\x10',
  bayer_grbg16le: '\xbaGR\x10',
};

/** Coded frames under the names that Windows gave them: these carry access units as they are, start codes and all. */
const FOURCCS = { jpeg: 'MJPG', png: 'MPNG', webp: 'WEBP', h264: 'H264', h265: 'HEVC', vp9: 'VP90', av1: 'AV01' };

const trackOf = (form: FrameForm): Track =>
  'codec' in form
    ? { kind: 'coded', fourcc: FOURCCS[form.codec] }
    : { kind: 'raw', fourcc: TAGS[form.pixels], width: form.width, height: form.height };

/** See `Encoder.assemble`; this engine encodes H.264, too. A frame of another form or size than the first is not used. */
export async function assemble(programs: Programs, path: string, { frames, onProgress }: Reel): Promise<Assembled> {
  const target = resolve(path);
  const running = programs.ffmpeg([
    ...['-hide_banner', '-loglevel', 'error', '-y', '-err_detect', 'explode', '-f', 'matroska', '-i', 'pipe:0'],
    ...['-map', '0:v', '-vf', 'scale=trunc(iw/2)*2:trunc(ih/2)*2:out_color_matrix=bt709:out_range=tv'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-threads', '1', '-pix_fmt', 'yuv420p', '-g', '60'],
    ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
    ...['-fps_mode', 'passthrough', '-enc_time_base', '1:90000', '-video_track_timescale', '90000'],
    ...['-movflags', '+faststart', '-f', 'mp4', `file:${target}`],
  ]);
  const said: string[] = [];
  running.onLine((line) => said.push(line));
  let [originS, came] = [0, 0];
  let first: FrameForm | null = null;
  const bytes = async function* () {
    let pending: { timeS: number; data: Uint8Array } | null = null;
    let lastS = LAST_S;
    for await (const { timeS, data, form } of frames()) {
      came++;
      if (!first) {
        if (!('codec' in form)) checkDimensions(form);
        first = form;
        originS = timeS;
        yield matroskaHeader(trackOf(form));
      }
      if (JSON.stringify(form) !== JSON.stringify(first)) continue;
      if (pending) {
        lastS = timeS - pending.timeS;
        yield matroskaPicture(pending.data, pending.timeS - originS, timeS - originS);
      }
      pending = { timeS, data: data.slice() };
      onProgress?.(timeS);
    }
    if (pending) yield matroskaPicture(pending.data, pending.timeS - originS, pending.timeS - originS + lastS);
  };
  const [pipe] = running.inputs;
  await Promise.race([writeAll(pipe!, bytes()), running.ended]).catch((error) => {
    running.kill();
    throw error;
  });
  // Nothing came: the pipe was closed before a header.
  const code = await running.ended;
  if (code !== 0) throw mediaProblem.media_damaged(`None of the frames could be decoded: ${said.join(' ').trim()}`);
  const args = ['-count_packets', '-select_streams', 'v:0', '-show_entries', 'stream=start_time,nb_read_packets'];
  const { streams } = (await programs.ffprobe([...args, `file:${target}`])) as {
    streams: { start_time: string; nb_read_packets: string }[];
  };
  const written = Number(streams[0]?.nb_read_packets ?? 0);
  if (written === 0) throw mediaProblem.media_damaged();
  const startS = originS + Number(streams[0]!.start_time);
  return { frames: written, startS, video: 'encoded', left: Math.max(0, came - written) };
}
