/** Source of a live stream for its media process. */
export type CaptureSource =
  /** Bytes passed to the process, which has no network access. Opened as `format`, or as their detected container. */
  | {
      kind: 'bytes';
      body: AsyncIterable<Uint8Array>;
      format?: string;
      options?: Record<string, string>;
      /** Separate audio on the same clock as the video. Its failure does not stop the video. */
      sound?: AsyncIterable<Uint8Array>;
    }
  /** A URL that the process connects to: a checked one, or a local relay. */
  | { kind: 'address'; url: string; format: string; protocols: string; options: Record<string, string> };

export type CaptureRequest = {
  source: CaptureSource;
  /** Position of its first frame in the recording in seconds: the end of the recording so far. */
  startS: number;
  /** Epoch at the end of the recording so far; null for a new recording. */
  previous: Pick<CaptureEpoch, 'init' | 'leadS'> | null;
  /** Target segment duration in seconds. A segment ends at the first keyframe after it. */
  segmentS: number;
  /** Capture time of the first frame in milliseconds since 1970, if the source reports it; null: time of arrival. */
  clockMs: number | null;
  /** Seconds without data after which a URL has stalled. Twice as long with audio only is a stall of any source. */
  stallS: number;
};

/** A segment of a recording: an MP4 fragment that continues the previous one. */
export type CapturedSegment = {
  /** Set on the first segment, after a gap, and when the tracks change. */
  epoch: CaptureEpoch | null;
  /** Position in the recording in seconds. */
  startS: number;
  durationS: number;
  /** Capture time of its first frame in milliseconds since 1970. */
  capturedMs: number;
  data: Uint8Array;
};

/** A part of the segment that is being recorded: an MP4 fragment. Parts of a segment follow each other. */
export type CapturedPart = {
  /** Counts from 0 in each segment. */
  part: number;
  durationS: number;
  /** True if it starts with a keyframe. */
  independent: boolean;
  data: Uint8Array;
};

/** Reply to what a capture emits: true if somebody watches and parts are needed. */
export type CaptureReply = { parts: boolean };

/** Properties of consecutive segments without a gap. */
export type CaptureEpoch = {
  /** The initialization section. */
  init: Buffer;
  /** Codecs string (RFC 6381). */
  codecs: string;
  width: number;
  height: number;
  /**
   * Offset of the fragments' times from positions in the recording, in seconds. Epochs with equal tracks form one file,
   * which starts at 0 with the decoding lead of its first frame.
   */
  leadS: number;
};

/** Arguments of a capture task. Bytes arrive on its standard input. */
export type CaptureArgs = Omit<CaptureRequest, 'source'> & {
  url: string;
  /** Demuxers that may open it, as FFmpeg's `format_whitelist`. */
  formats: string;
  protocols: string;
  options: Record<string, string>;
  /** True if the process connects to `url` itself, and must detect stalls. */
  isUrl: boolean;
  /** URL of separate audio. */
  audioUrl?: string;
};

/** Context of a capture task. */
export type CaptureContext = {
  emit: (captured: CapturedSegment | CapturedPart) => Promise<CaptureReply>;
  stopSignal: AbortSignal;
};
