import {
  AV_FRAME_FLAG_INTERLACED,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_SPC_BT2020_CL,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_CHROMA_DERIVED_CL,
  AVCOL_SPC_CHROMA_DERIVED_NCL,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_UNSPECIFIED,
  type AVColorSpace,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetPixFmtName, FFmpegError, type Frame, SoftwareScaleContext } from 'node-av/lib';
import { SCALER_FLAGS } from '../../engine/index.ts';
import { mediaProblem } from '../../problems.ts';

/** Color matrices that FFmpeg's scaler does not support, with the nearest supported ones. */
const NEAREST_MATRIX = new Map<AVColorSpace, AVColorSpace>([
  [AVCOL_SPC_BT2020_CL, AVCOL_SPC_BT2020_NCL],
  [AVCOL_SPC_CHROMA_DERIVED_NCL, AVCOL_SPC_UNSPECIFIED],
  [AVCOL_SPC_CHROMA_DERIVED_CL, AVCOL_SPC_UNSPECIFIED],
]);

export type Converter = {
  /** Converts `source` to the size, pixel format and colors of `target`. Throws `media_unsupported`. */
  convert(target: Frame, source: Frame): void;
  free(): void;
};

/**
 * FFmpeg's scaler for frames of any size and format, which may change between calls. All conversions use it, so that
 * upload checks, analysis, stills, clips and live recordings accept the same videos.
 */
export function createConverter(flags: string = SCALER_FLAGS): Converter {
  let scaler: SoftwareScaleContext | null = null;
  let use = '';
  return {
    convert(target, source) {
      // The scaler does not convert interlaced to progressive frames; both fields are scaled as one frame.
      source.clearFlags(AV_FRAME_FLAG_INTERLACED);
      source.colorSpace = NEAREST_MATRIX.get(source.colorSpace) ?? source.colorSpace;
      if (!scaler) {
        use = [flags, ...propertiesOf(source), ...propertiesOf(target)].join(' ');
        scaler = takeScaler(use) ?? createScaler(flags);
      }
      let code = scaler.scaleFrameSync(target, source);
      if (code < 0) {
        // It does not support every transfer function; without one, values are not converted.
        source.colorPrimaries = AVCOL_PRI_UNSPECIFIED;
        source.colorTrc = AVCOL_TRC_UNSPECIFIED;
        code = scaler.scaleFrameSync(target, source);
      }
      if (code < 0) throw unsupported(source, code);
    },
    free() {
      if (scaler) keepScaler(use, scaler);
      scaler = null;
    },
  };
}

/**
 * Scalers that are not in use, by the conversion that they are prepared for, the least recently used first. To prepare
 * one takes seconds for HDR (a table of colors), and stills, clips and segments convert few frames each.
 */
const idle: { use: string; scaler: SoftwareScaleContext }[] = [];
const MAX_IDLE = 4;

function takeScaler(use: string): SoftwareScaleContext | null {
  const at = idle.findIndex((each) => each.use === use);
  return at < 0 ? null : idle.splice(at, 1)[0]!.scaler;
}

function keepScaler(use: string, scaler: SoftwareScaleContext): void {
  idle.push({ use, scaler });
  if (idle.length > MAX_IDLE) idle.shift()!.scaler.freeContext();
}

function createScaler(flags: string): SoftwareScaleContext {
  const scaler = new SoftwareScaleContext();
  scaler.allocContext();
  scaler.setOption('sws_flags', flags);
  return scaler;
}

const propertiesOf = ({ width, height, format, colorSpace, colorRange, colorPrimaries, colorTrc }: Frame) => [
  width,
  height,
  format,
  colorSpace,
  colorRange,
  colorPrimaries,
  colorTrc,
];

function unsupported({ format, width, height }: Frame, code: number) {
  const layout = avGetPixFmtName(format as AVPixelFormat) ?? 'an unknown pixel format';
  return mediaProblem.media_unsupported(
    `The video's frames (${layout}, ${width} × ${height}) cannot be converted here: ${FFmpegError.strerror(code)}. Re-encode the video, for instance to H.264.`,
  );
}
