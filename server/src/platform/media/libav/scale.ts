import {
  AV_PIX_FMT_GRAY8,
  AV_PIX_FMT_RGB24,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_UNSPECIFIED,
  type AVPixelFormat,
} from 'node-av/constants';
import { FFmpegError, Frame } from 'node-av/lib';
import type { Size } from '../geometry.ts';
import { createConverter } from './convert.ts';
import { createShrinker, type Shrinker } from './shrink.ts';

/** Rows of `stride` bytes, valid until the next picture. */
type Pixels = { pixels: Uint8Array; stride: number };
type Scaler = { scale(frame: Frame): Pixels; free(): void };

/** Larger pictures than of 4K are left to FFmpeg's scaler: copies of them would take too much of a media process's memory. */
const COPIED_PIXELS = 9e6;

/** Scales frames of any size and format, which may change on the way, to pictures of luma or RGB. */
export function createScaler(size: Size, gray: boolean): Scaler {
  const converter = createPlane(size, gray ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24);
  let luma: (Scaler & { coded: Size }) | null = null;
  const lumaOf = ({ width, height }: Frame) => {
    if (luma?.coded.width === width && luma.coded.height === height) return luma;
    luma?.free();
    luma = null;
    luma = { ...createLumaScaler({ width, height }, size), coded: { width, height } };
    return luma;
  };
  return {
    scale(frame) {
      // FFmpeg's scaler would also turn HDR into SDR, at 40 ms a frame: not for analysis.
      frame.colorPrimaries = AVCOL_PRI_UNSPECIFIED;
      frame.colorTrc = AVCOL_TRC_UNSPECIFIED;
      if (!gray) return converter.scale(frame);
      const matrix = frame.colorSpace;
      // Luma stays as it is coded; told of the matrix, the scaler would convert it to another standard's.
      frame.colorSpace = AVCOL_SPC_UNSPECIFIED;
      const scaled = (isShrunk(frame, size) ? lumaOf(frame) : converter).scale(frame);
      frame.colorSpace = matrix;
      return scaled;
    },
    free() {
      converter.free();
      luma?.free();
    },
  };
}

/**
 * Whether our own kernel shrinks a frame's luma: those of the kind that nearly all videos are of, and no smaller than what they become. It takes 30 to 90 % of the time
 * that FFmpeg's scaler does, which goes through every row, across first; less still where another core has decoded the frame.
 */
function isShrunk({ format, width, height }: Frame, size: Size): boolean {
  return (
    (format === AV_PIX_FMT_YUV420P || format === AV_PIX_FMT_YUVJ420P) &&
    width * height <= COPIED_PIXELS &&
    width >= size.width &&
    height >= size.height
  );
}

function createLumaScaler(coded: Size, size: Size): Scaler {
  // The binding makes three objects for every frame whose memory is looked at, and garbage of as many bytes: FFmpeg's copying the plane is cheaper.
  const copier = createPlane(coded, AV_PIX_FMT_GRAY8);
  let shrinker: Shrinker | null = null;
  return {
    scale(frame) {
      const range = frame.colorRange;
      // As if all values were used: copied as they are.
      frame.colorRange = AVCOL_RANGE_JPEG;
      const { pixels, stride } = copier.scale(frame);
      frame.colorRange = range;
      shrinker ??= createShrinker(coded, stride, size);
      shrinker.source.set(pixels);
      shrinker.shrink(range !== AVCOL_RANGE_JPEG && frame.format !== AV_PIX_FMT_YUVJ420P);
      return { pixels: shrinker.picture, stride: shrinker.stride };
    },
    free: copier.free,
  };
}

/** FFmpeg's scaler, into one packed plane (`format`) of `size`. */
function createPlane(size: Size, format: AVPixelFormat): Scaler {
  const converter = createConverter();
  const scaled = new Frame();
  scaled.alloc();
  scaled.width = size.width;
  scaled.height = size.height;
  scaled.format = format;
  FFmpegError.throwIfError(scaled.getBuffer(0), 'allocating a picture');
  // A view on the frame's memory, valid as long as the frame; not a Buffer, whose `slice` would be a view as well.
  const { buffer, byteOffset, byteLength } = scaled.data![0]!;
  const made = { pixels: new Uint8Array(buffer, byteOffset, byteLength), stride: scaled.linesize[0]! };
  return {
    scale(frame) {
      converter.convert(scaled, frame);
      return made;
    },
    free() {
      converter.free();
      scaled.free();
    },
  };
}
