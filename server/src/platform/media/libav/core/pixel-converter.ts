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
  const scaler = new SoftwareScaleContext();
  scaler.allocContext();
  scaler.setOption('sws_flags', flags);
  return {
    convert(target, source) {
      // The scaler does not convert interlaced to progressive frames; both fields are scaled as one frame.
      source.clearFlags(AV_FRAME_FLAG_INTERLACED);
      source.colorSpace = NEAREST_MATRIX.get(source.colorSpace) ?? source.colorSpace;
      let code = scaler.scaleFrameSync(target, source);
      if (code < 0) {
        // It does not support every transfer function; without one, values are not converted.
        source.colorPrimaries = AVCOL_PRI_UNSPECIFIED;
        source.colorTrc = AVCOL_TRC_UNSPECIFIED;
        code = scaler.scaleFrameSync(target, source);
      }
      if (code < 0) throw unsupported(source, code);
    },
    free: () => scaler.freeContext(),
  };
}

function unsupported({ format, width, height }: Frame, code: number) {
  const layout = avGetPixFmtName(format as AVPixelFormat) ?? 'an unknown pixel format';
  return mediaProblem.media_unsupported(
    `The video's frames (${layout}, ${width} × ${height}) cannot be converted here: ${FFmpegError.strerror(code)}. Re-encode the video, for instance to H.264.`,
  );
}
