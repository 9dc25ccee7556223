import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect } from 'vitest';
import { hasFootage } from '#test/footage';
import type { DecodeClipArgs, DecodedClip } from '#test/media/media-tasks';
import type { Media } from './index.ts';

export const TASKS = new URL('../../../test/media/media-tasks.ts', import.meta.url);
export const GRAY = { width: 32, height: 24, format: 'gray' } as const;
/** With several threads, frames are decoded ahead of the consumer. */
export const THREADS = [1, 3];

export const see = (media: Media, args: DecodeClipArgs) =>
  media.run<DecodedClip>({ module: TASKS, name: 'decodeClip', args });
export const mean = (data: ArrayLike<number>) => Array.from(data).reduce((sum, value) => sum + value, 0) / data.length;
export const difference = (a: Uint8Array, b: Uint8Array) => mean(a.map((value, i) => Math.abs(value - b[i]!)));

/** Real files with their known properties, and the number of decodable frames. */
const KNOWN: [file: string, facts: object, frames: number][] = [
  [
    'tricky/pyscenedetect_counter.mp4',
    { container: 'mp4', codec: 'h264', width: 1920, height: 1080, durationS: 3 },
    30,
  ],
  ['tricky/mediabunny_cursed-vfr.mp4', { codec: 'h264', width: 3026, height: 1386, durationS: 8.7255 }, 63],
  ['tricky/androidx_mp4_bbb_800x640_768kbps_30fps_avc_pyramid_3b.mp4', { codec: 'h264', durationS: 4 }, 120],
  ['tricky/androidx_mp4_bbb_800x640_768kbps_30fps_avc_2b_firstpts_10_sec.mp4', { startS: 10, durationS: 4 }, 120],
  ['tricky/androidx_mp4_edit_list_positive_shift.mp4', { startS: 1, durationS: 9, sound: 'aac' }, 270],
  ['tricky/androidx_mp4_sample_portrait.mp4', { width: 720, height: 1080, rotation: 0, sound: 'aac' }, 30],
  ['tricky/androidx_mp4_h265_with_metadata_track.mp4', { codec: 'hevc', width: 1080, height: 1920, rotation: 90 }, 3],
  ['tricky/androidx_mp4_sample_fragmented_seekable_multiple_sidx.mp4', { frames: null, durationS: 20 }, 600],
  ['tricky/androidx_mp4_trim_optimization_failure.mp4', { width: 518, height: 488, sound: 'aac' }, 167],
  ['tricky/androidx_avi_sample.avi', { container: 'avi', codec: 'mpeg4', sound: 'mp3' }, 96],
  ['tricky/androidx_flv_sample.flv', { container: 'flv', codec: 'h264', sound: 'aac' }, 30],
  ['tricky/androidx_mkv_sample.mkv', { container: 'matroska', codec: 'h264', sound: 'ac3' }, 30],
  ['tricky/androidx_ts_sample_h264.ts', { container: 'mpegts', codec: 'h264', sound: null }, 30],
  ['tricky/androidx_ts_sample_h262_mpeg_audio.ts', { codec: 'mpeg2video', sound: 'mp2' }, 3],
  ['tricky/androidx_ts_sample_with_junk', { container: 'mpegts', codec: 'mpeg2video' }, 3],
  ['tricky/mediabunny_frames.webm', { container: 'webm', codec: 'vp9', width: 1080, height: 1080 }, 100],
  ['tricky/mediabunny_sar_2x1.mp4', { width: 1280, height: 360 }, 150],
  ['tricky/mpf_h265_aac.mp4', { codec: 'hevc', sound: 'aac' }, 31],
  ['tricky/mpf_xvid_aac.avi', { codec: 'mpeg4', sound: 'mp3' }, 31],
  ['tricky/torchcodec_h264_10bits.mp4', { pixelFormat: 'yuv420p10le', width: 200, height: 200 }, 30],
  [
    'tricky/androidx_vp9_roadtrip-vp92-10bit.webm',
    { codec: 'vp9', pixelFormat: 'yuv420p10le', width: 426, height: 240 },
    72,
  ],
  ['tricky/androidx_mp4_hdr10-av1.mp4', { codec: 'av1', width: 720, height: 1280, hdr: 'PQ' }, 127],
  ['security/intel_people_detection.gif', { container: 'gif', codec: 'gif', sound: null, durationS: 1.91 }, 23],
  ['road/udacity_night_rural_5s.mp4', { codec: 'mpeg4', width: 1920, height: 1080 }, 157],
];
export const SCENE_ROW: [file: string, facts: object, frames: number] = ['the drawn scene', {}, 400];
export const present = hasFootage ? KNOWN : [];

export async function pixels(jpeg: Buffer): Promise<{ width: number; height: number; data: Uint8Array }> {
  expect([...jpeg.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  const image = await loadImage(jpeg);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return { width: image.width, height: image.height, data: new Uint8Array(data) };
}

export function brightCorner(data: Uint8Array, width: number, height: number, channels: number): string {
  const at = (x: number, y: number) => data[(y * width + x) * channels]!;
  const corners = {
    'top left': at(1, 1),
    'top right': at(width - 2, 1),
    'bottom right': at(width - 2, height - 2),
    'bottom left': at(1, height - 2),
  };
  return Object.entries(corners).reduce((best, corner) => (corner[1] > best[1] ? corner : best))[0];
}
