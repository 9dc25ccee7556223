export type * from './capture.ts';
export { toDecodeState } from './decode-state.ts';
export type * from './decoder.ts';
export type * from './encoder.ts';
export {
  type AssembleResult,
  type FrameCodec,
  type FrameFormat,
  type FrameSequence,
  RAW_PIXEL_FORMATS,
  type RawPixelFormat,
  type SequenceFrame,
} from './frame-sequence.ts';
export { createFrameSink, ROUNDING_S, SCALER_FLAGS } from './frame-sink.ts';
export {
  copyUpright,
  displaySize,
  limitSize,
  type Orientation,
  type Size,
  toOrientation,
  UPRIGHT,
} from './geometry.ts';
export {
  checkDecodedFrames,
  checkDuration,
  checkHeaderClaims,
  type DurationClaim,
  limitTags,
  parseCreatedAt,
  toDurationClaim,
} from './header-claims.ts';
export { checkColorMatrix, checkDimensions, checkMaxDimensions, toOpenProblem } from './input-checks.ts';
export { SEEK_BACK_S, seekTimestamp } from './seek.ts';
export {
  AUDIO_BITS_PER_CHANNEL,
  AUDIO_SAMPLE_RATE,
  type CopyTiming,
  SEGMENT_TIME_OFFSET_S,
  type TrimRequest,
} from './trim.ts';
export type { MediaEngine, Probe, StillFrame } from './types.ts';
export { UPLOAD_CHECK_FRAMES, UPLOAD_CHECK_REQUESTS, UPLOAD_CHECK_SIDE } from './upload-check.ts';
