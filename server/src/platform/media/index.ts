/**
 * Media: opens, decodes, draws and writes video. All of it runs in child processes without secrets, limited in memory
 * and time, because every input byte may be hostile. A crash fails the call, never the server.
 */
export { readAccessUnit } from './bitstream/index.ts';
export type {
  CapturedPart,
  CapturedSegment,
  CaptureRequest,
  CaptureSource,
  DecodedFrame,
  DecodePosition,
  DecodeRange,
  DecodeRequest,
  Decoder,
  DecodeSummary,
  Encoder,
  FrameCodec,
  FrameFormat,
  FrameRequest,
  MetadataTrack,
  Probe,
  RawPixelFormat,
  RgbaFrame,
  SequenceFrame,
  TrimRequest,
  VideoPacket,
} from './engine/index.ts';
export { RAW_PIXEL_FORMATS } from './engine/index.ts';
export { LIMITS } from './limits.ts';
export { createMedia } from './media.ts';
export { mediaProblem } from './problems.ts';
export type { MediaTask, MediaTaskOptions, SandboxReport, TaskContext } from './process/index.ts';
export type { RtmpListener, RtmpListenerOptions, RtmpRoom, RtmpTimeouts } from './rtmp/index.ts';
export {
  type Caption,
  type CaptionFormat,
  captionsToWebVtt,
  formatCaptions,
  formatTimestamp,
  isEnglish,
  READ_SUBTITLES,
  readSubtitleFile,
  readSubtitleTrack,
  toLanguage,
} from './subtitles/index.ts';
export type { LabeledBox, SegmentPlan } from './tasks/index.ts';
export type { Media } from './types.ts';
