/**
 * Decodes video, inside media processes only (see `Media.run`). One pass over the file serves all requested frame sizes
 * and the audio.
 */
export interface Decoder {
  decode(path: string, request: DecodeRequest): Promise<DecodeSummary>;
  /** Lists the tracks that are neither video nor audio. */
  metadataTracks(path: string): Promise<MetadataTrack[]>;
  /** Reads the packets of a metadata track without decoding. A damaged track ends early. */
  readMetadataTrack(path: string, track: MetadataTrack, onPacket: (packet: MetadataPacket) => void): Promise<void>;
}

/** A track of subtitles, or of data such as camera telemetry. */
export type MetadataTrack = {
  index: number;
  kind: 'text' | 'data';
  /** FourCC of the track in its container, trimmed: `gpmd`, `tx3g`; empty if there is none. */
  tag: string;
  /** FFmpeg's name of the codec: `subrip`, `mov_text`; empty if it is unknown. */
  codec: string;
  /** Language that the container states, often ISO 639-2; empty if it states none. */
  language: string;
};

export type MetadataPacket = {
  /** Presentation time in seconds, counted from the video's first frame. */
  timeS: number;
  /** Duration in seconds; 0 if the container does not state it. */
  durationS: number;
  /** Payload; for text, UTF-8 without container framing. Valid only during the call. */
  data: Uint8Array;
};

export type DecodeRequest = {
  /** Scaled copies of the frames. Each frame is decoded once for all of them. */
  frames: readonly FrameRequest[];
  /**
   * Only the frames from `fromS` to before `untilS`, in seconds from the video's first frame: the file is read from
   * the keyframe before them. Their times are those of a whole pass. Not together with `audio` or `onPacket`. The state
   * of a range depends on failed packets only.
   */
  range?: DecodeRange;
  audio?: {
    /** Samples per second after resampling to mono float. */
    sampleRate: number;
    /**
     * Receives consecutive samples. `timeS` is the presentation time of the first. `samples` is valid only during the
     * call. Decoding waits for a returned promise.
     */
    onSamples: (samples: Float32Array, timeS: number) => void | Promise<void>;
  };
  /** Receives every packet of the video track in file order, for bitrate statistics. */
  onPacket?: (packet: VideoPacket) => void;
  /**
   * Frames to skip before decoding: none, non-reference frames, or all but keyframes. With `non-key`, keyframes that no
   * `minIntervalS` needs may be missing in the summary's count.
   */
  skip?: 'none' | 'non-reference' | 'non-key';
  /**
   * Frames decoded without the deblocking filter. `all`: up to 28 % faster, pixels differ by less than 0.5 %.
   * `non-reference`: up to 10 % faster without error propagation, pixels differ by less than 0.03 % on average.
   */
  skipDeblocking?: 'none' | 'non-reference' | 'all';
  /**
   * Number of threads for H.264, 1 by default. With more, frames around damage would be nondeterministic, so the pass
   * ends at the first sign of damage with the state `stopped`.
   */
  threads?: number;
  onProgress?: (fraction: number) => void;
  /**
   * Called some times a second, between two frames. Decoding waits for it. `position` returns the position after the
   * last frame; null while the pass has not reached that where it resumes, or cannot be resumed.
   */
  onTurn?: (position: () => DecodePosition | null) => Promise<void>;
  /**
   * Continues an earlier pass of the same request after this position: its frames are delivered from there on, and its
   * audio and the summary are those of the whole pass. Frames that are decoded again go to `onRepeated`.
   */
  resume?: DecodePosition;
};

/** Where a pass stands, to continue it in another process. */
export type DecodePosition = {
  /** Time that the pass began to read at, in seconds. */
  seekS: number;
  /** Number of the packet to decode from, a keyframe: 0 if no later one is certain to give the same frames. */
  packet: number;
  /** Packets that were read. */
  read: number;
  /** Timestamp of the last frame, and the end of all frames and packets. */
  pts: number;
  end: number;
  frames: number;
  errors: number;
  /** State of the intervals of each frame request. */
  due: number[];
};

export type DecodeRange = { fromS: number; untilS: number };

export type FrameRequest = {
  width: number;
  height: number;
  format: 'gray' | 'rgb';
  /** Preserves the aspect ratio and fills the rest with this gray level (0 to 255). Without it frames are stretched. */
  letterbox?: number;
  /** Minimum interval between frames in seconds of presentation time; 0 or absent: every frame. */
  minIntervalS?: number;
  /** Only the frames at these times, in seconds, ascending; instead of `minIntervalS`. */
  atS?: readonly number[];
  /** Scales with sharp edges, which matter in enlarged frames. Otherwise pixels are averaged. */
  sharp?: boolean;
  /**
   * Called in presentation order. `data` is valid until it returns, or until its promise settles; decoding waits for
   * it.
   */
  onFrame: (frame: DecodedFrame) => void | Promise<void>;
  /** Receives every frame that a resumed pass decodes again, whatever the interval. */
  onRepeated?: (frame: DecodedFrame) => void;
};

export type VideoPacket = {
  /** Presentation time in seconds from the first frame; decoding time if the file has no presentation times. */
  timeS: number;
  bytes: number;
  /** True if decoding can start here. */
  keyframe: boolean;
};

export type DecodedFrame = {
  /** Presentation time in seconds, counted from the video's first frame. */
  timeS: number;
  /** Exact presentation timestamp in the stream's time base. */
  pts: number;
  keyframe: boolean;
  /** `height × width` bytes of luma, or `height × width × 3` of RGB, without row padding. */
  data: Uint8Array;
};

export type DecodeSummary = {
  frames: number;
  /** Packets that could not be decoded. */
  errors: number;
  /** Presentation time of the last frame plus its duration. */
  endS: number;
  /**
   * `damaged`: many packets failed, or the file ends well before its claimed duration. `stopped`: the pass must be
   * repeated on one thread and its results discarded, see `DecodeRequest.threads`.
   */
  state: 'whole' | 'damaged' | 'stopped';
};
