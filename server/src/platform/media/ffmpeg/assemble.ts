import { resolve } from 'node:path';
import {
  type AssembleResult,
  checkDimensions,
  type FrameFormat,
  type FrameSequence,
  type RawPixelFormat,
} from '../engine/index.ts';
import { mediaProblem } from '../problems.ts';
import { writeChunks } from './encode.ts';
import { type MatroskaTrack, matroskaFrame, matroskaHeader } from './matroska.ts';
import type { FfmpegPrograms } from './program.ts';

/** Duration of a single frame in seconds. */
const LAST_S = 0.1;

/** FFmpeg's tags of raw pixel formats (libavcodec/raw.c). */
const TAGS: Record<RawPixelFormat, string> = {
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

/** Windows FourCCs of codecs. Under these, Matroska carries access units unchanged, with start codes. */
const FOURCCS = { jpeg: 'MJPG', png: 'MPNG', webp: 'WEBP', h264: 'H264', h265: 'HEVC', vp9: 'VP90', av1: 'AV01' };

const trackOf = (form: FrameFormat): MatroskaTrack =>
  'codec' in form
    ? { kind: 'coded', fourcc: FOURCCS[form.codec] }
    : { kind: 'raw', fourcc: TAGS[form.pixelFormat], width: form.width, height: form.height };

/** See `Encoder.assemble`. Always encodes. Frames of another format or size than the first are skipped. */
export async function assemble(
  programs: FfmpegPrograms,
  path: string,
  { frames, onProgress }: FrameSequence,
): Promise<AssembleResult> {
  const target = resolve(path);
  const running = programs.ffmpeg([
    '-hide_banner',
    '-loglevel',
    'error',
    '-y',
    '-err_detect',
    'explode',
    '-f',
    'matroska',
    '-i',
    'pipe:0',
    '-map',
    '0:v',
    '-vf',
    'scale=trunc(iw/2)*2:trunc(ih/2)*2:out_color_matrix=bt709:out_range=tv',
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '20',
    '-threads',
    '1',
    '-pix_fmt',
    'yuv420p',
    '-g',
    '60',
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
    '-movflags',
    '+faststart',
    '-f',
    'mp4',
    `file:${target}`,
  ]);
  const output: string[] = [];
  running.onLine((line) => output.push(line));
  let [originS, came] = [0, 0];
  let first: FrameFormat | null = null;
  const bytes = async function* () {
    let pending: { timeS: number; data: Uint8Array } | null = null;
    let lastS = LAST_S;
    for await (const { timeS, data, format: form } of frames()) {
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
        yield matroskaFrame(pending.data, pending.timeS - originS, timeS - originS);
      }
      pending = { timeS, data: data.slice() };
      onProgress?.(timeS);
    }
    if (pending) yield matroskaFrame(pending.data, pending.timeS - originS, pending.timeS - originS + lastS);
  };
  const [pipe] = running.inputs;
  await Promise.race([writeChunks(pipe!, bytes()), running.ended]).catch((error) => {
    running.kill();
    throw error;
  });
  // Fails if there was no frame: the pipe was closed before a header.
  const code = await running.ended;
  if (code !== 0) throw mediaProblem.media_damaged(`None of the frames could be decoded: ${output.join(' ').trim()}`);
  const args = ['-count_packets', '-select_streams', 'v:0', '-show_entries', 'stream=start_time,nb_read_packets'];
  const { streams } = (await programs.ffprobe([...args, `file:${target}`])) as {
    streams: { start_time: string; nb_read_packets: string }[];
  };
  const written = Number(streams[0]?.nb_read_packets ?? 0);
  if (written === 0) throw mediaProblem.media_damaged();
  const startS = originS + Number(streams[0]!.start_time);
  return { frames: written, startS, video: 'encoded', skipped: Math.max(0, came - written) };
}
