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
import type { Size } from '../../engine/index.ts';
import { createConverter } from '../core/index.ts';
import { createLumaDownscaler, type LumaDownscaler } from './luma-downscale.ts';

/** Rows of `stride` bytes, valid until the next frame. */
type Pixels = { pixels: Uint8Array; stride: number };
type Scaler = { scale(frame: Frame): Pixels; free(): void };

/** Maximum pixels for the luma kernel, about 4K. Copies of larger frames would need too much memory. */
const COPIED_PIXELS = 9e6;

/** Scales frames of any size and format, which may change within a video, to luma or RGB. */
export function createScaler(size: Size, gray: boolean, flags?: string): Scaler {
  const converter = createPlane(size, gray ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24, flags);
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
      // Without color properties FFmpeg's scaler skips the HDR conversion, which takes 40 ms per frame.
      frame.colorPrimaries = AVCOL_PRI_UNSPECIFIED;
      frame.colorTrc = AVCOL_TRC_UNSPECIFIED;
      if (!gray) return converter.scale(frame);
      const matrix = frame.colorSpace;
      // With a matrix set, the scaler would convert luma to another standard.
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
 * True if the luma kernel can downscale a frame: 4:2:0, the most common format, and not smaller than the target. The
 * kernel takes 30 to 90 % of the time of FFmpeg's scaler, and less if another core decoded the frame.
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
  // Copying the plane with FFmpeg is cheaper than accessing frame memory through the binding, which creates garbage.
  const copier = createPlane(coded, AV_PIX_FMT_GRAY8);
  let shrinker: LumaDownscaler | null = null;
  return {
    scale(frame) {
      const range = frame.colorRange;
      // Full range prevents a conversion of values.
      frame.colorRange = AVCOL_RANGE_JPEG;
      const { pixels, stride } = copier.scale(frame);
      frame.colorRange = range;
      shrinker ??= createLumaDownscaler(coded, stride, size);
      shrinker.source.set(pixels);
      shrinker.downscale(range !== AVCOL_RANGE_JPEG && frame.format !== AV_PIX_FMT_YUVJ420P);
      return { pixels: shrinker.pixels, stride: shrinker.stride };
    },
    free: copier.free,
  };
}

/** FFmpeg's scaler, into one packed plane (`format`) of `size`. */
function createPlane(size: Size, format: AVPixelFormat, flags?: string): Scaler {
  const converter = createConverter(flags);
  const scaled = new Frame();
  scaled.alloc();
  scaled.width = size.width;
  scaled.height = size.height;
  scaled.format = format;
  FFmpegError.throwIfError(scaled.getBuffer(0), 'allocating a picture');
  // A view of the frame's memory. Not a Buffer, whose `slice` would not copy.
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
