import {
  type FrameCodec,
  type FrameFormat,
  LIMITS,
  RAW_PIXEL_FORMATS,
  type RawPixelFormat,
} from '#platform/media/index';
import type { MessageFields } from '../messages/index.ts';
import { toBytes, toNumber, toTimestampNs } from '../messages/index.ts';

/** One frame of a channel: the camera's timestamp, if it has one, and the data. */
export type ChannelImage = { stampNs: bigint | null; format: FrameFormat; data: Uint8Array };
export type ReadImage = (message: MessageFields) => ChannelImage;

/** Readers of message types with images, by package and type. */
const READERS: Record<string, ReadImage> = {
  'sensor_msgs Image': raw,
  'sensor_msgs CompressedImage': compressed,
  'foxglove RawImage': raw,
  'foxglove CompressedImage': compressed,
  'foxglove CompressedVideo': video,
  'ffmpeg_image_transport_msgs FFMPEGPacket': video,
};

/**
 * Creates a reader for a message type, or null for types without images. Names are `pkg/msg/Type`, `pkg.Type` or
 * `pkg::Type`.
 */
export function createImageReader(schemaName: string): ReadImage | null {
  const parts = schemaName.split(/[/.:]+/);
  const home = parts[0]!.replace(/^foxglove_msgs$/, 'foxglove');
  return READERS[`${home} ${parts.at(-1)!.replace(/_$/, '')}`] ?? null;
}

/** Pixel layouts by the encoding names of ROS and OpenCV. */
const ENCODINGS: Record<string, RawPixelFormat> = {
  rgb8: 'rgb24',
  bgr8: 'bgr24',
  '8uc3': 'bgr24',
  rgba8: 'rgba',
  bgra8: 'bgra',
  '8uc4': 'bgra',
  mono8: 'gray',
  '8uc1': 'gray',
  mono16: 'gray16le',
  rgb16: 'rgb48le',
  rgba16: 'rgba64le',
  yuv422: 'uyvy422',
  uyvy: 'uyvy422',
  yuv422_yuy2: 'yuyv422',
  yuyv: 'yuyv422',
  yuy2: 'yuyv422',
  nv12: 'nv12',
  nv21: 'nv21',
  ...Object.fromEntries(
    ['rggb', 'bggr', 'gbrg', 'grbg'].flatMap((order) => [
      [`bayer_${order}8`, `bayer_${order}8` as RawPixelFormat],
      [`bayer_${order}16`, `bayer_${order}16le` as RawPixelFormat],
    ]),
  ),
};

/** Depth encodings with the meters per value. Rendered in gray, from black at 0 to white at `DEPTH_M` and beyond. */
const DEPTHS: Record<
  string,
  { bytes: number; meters: number; read: (view: DataView, at: number, le: boolean) => number }
> = {
  '16uc1': { bytes: 2, meters: 0.001, read: (view, at, le) => view.getUint16(at, le) },
  '32fc1': { bytes: 4, meters: 1, read: (view, at, le) => view.getFloat32(at, le) },
};
const DEPTH_M = 10;

function raw(message: MessageFields): ChannelImage {
  const [width, height] = [toNumber(message.width), toNumber(message.height)];
  const encoding = String(message.encoding);
  const depth = DEPTHS[encoding.toLowerCase()];
  const swapped = Boolean(message.is_bigendian) && encoding.toLowerCase() === 'mono16';
  const layout = swapped ? 'gray16be' : ENCODINGS[encoding.toLowerCase()];
  if (!layout && !depth) throw new Error(`its encoding "${encoding.slice(0, 40)}" is not understood`);
  checkSize(width, height);
  const rowBytes =
    layout === 'nv12' || layout === 'nv21' ? width : width * (depth?.bytes ?? RAW_PIXEL_FORMATS[layout!]);
  const rows = layout === 'nv12' || layout === 'nv21' ? height * 1.5 : height;
  const data = withoutPadding(toBytes(message.data), toNumber(message.step) || rowBytes, rowBytes, rows);
  const stampNs = toTimestampNs(message);
  if (!depth) return { stampNs, format: { pixelFormat: layout!, width, height }, data };
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const gray = new Uint8Array(width * height);
  for (let i = 0; i < gray.length; i++) {
    const meters = depth.read(view, i * depth.bytes, !message.is_bigendian) * depth.meters;
    gray[i] = Math.min(255, Math.max(0, (meters / DEPTH_M) * 255)) || 0;
  }
  return { stampNs, format: { pixelFormat: 'gray', width, height }, data: gray };
}

function checkSize(width: number, height: number): void {
  const { longestSide, shortestSide, pixels } = LIMITS;
  const sides = [width, height];
  const fits = sides.every((side) => Number.isInteger(side) && side >= shortestSide && side <= longestSide);
  if (!fits || width * height > pixels) throw new Error(`its images claim ${width} × ${height} pixels`);
}

function withoutPadding(data: Uint8Array, step: number, rowBytes: number, rows: number): Uint8Array {
  if (step < rowBytes || data.length < step * (rows - 1) + rowBytes) {
    throw new Error(`its images have ${data.length} bytes, too few for ${rows} rows of ${rowBytes}`);
  }
  if (step === rowBytes) return data.subarray(0, rowBytes * rows);
  const packed = new Uint8Array(rowBytes * rows);
  for (let row = 0; row < rows; row++) packed.set(data.subarray(row * step, row * step + rowBytes), row * rowBytes);
  return packed;
}

/** Image codecs by their first bytes, because the formats in messages have many spellings. */
const STILLS: readonly [magic: string, codec: FrameCodec][] = [
  ['\xff\xd8\xff', 'jpeg'],
  ['\x89PNG', 'png'],
  ['RIFF', 'webp'],
];
/** Header of `compressed_depth_image_transport` before the PNG. */
const DEPTH_HEADER_BYTES = 12;

function compressed(message: MessageFields): ChannelImage {
  const all = toBytes(message.data);
  const data = /compressedDepth/i.test(String(message.format)) ? all.subarray(DEPTH_HEADER_BYTES) : all;
  const begins = Buffer.from(data.buffer, data.byteOffset, Math.min(4, data.length)).toString('latin1');
  const codec = STILLS.find(([magic]) => begins.startsWith(magic))?.[1];
  if (!codec) throw new Error(`its images ("${String(message.format).slice(0, 40)}") are neither JPEG, PNG nor WebP`);
  return { stampNs: toTimestampNs(message), format: { codec }, data };
}

const VIDEO_CODECS: Record<string, FrameCodec> = {
  h264: 'h264',
  libx264: 'h264',
  h264_nvenc: 'h264',
  h265: 'h265',
  hevc: 'h265',
  libx265: 'h265',
  hevc_nvenc: 'h265',
  vp9: 'vp9',
  av1: 'av1',
};

function video(message: MessageFields): ChannelImage {
  const format = String(message.format ?? message.encoding).split(';')[0]!;
  const codec = VIDEO_CODECS[format.toLowerCase()];
  if (!codec) throw new Error(`its video is "${format.slice(0, 40)}", not H.264, H.265, VP9 or AV1`);
  return { stampNs: toTimestampNs(message), format: { codec }, data: toBytes(message.data) };
}
