/**
 * Decoding, inside a media process only (see `Media.run`). One pass over the file feeds every picture size and the sound that were asked for.
 * Implemented twice (node-av, ffmpeg command line) with one contract test.
 */
export interface Decoder {
  decode(path: string, request: DecodeRequest): Promise<DecodeSummary>;
  /** The tracks that are neither picture nor sound, from the headers. */
  sideTracks(path: string): Promise<SideTrack[]>;
  /** Reads one of them packet by packet, without decoding. A track that is damaged ends early. */
  readSideTrack(path: string, track: SideTrack, onPacket: (packet: SidePacket) => void): Promise<void>;
}

/** Subtitles, or data such as a camera's telemetry. */
export type SideTrack = {
  index: number;
  kind: 'text' | 'data';
  /** The container's own four letters for what is in it, trimmed: `gpmd`, `tx3g`; empty where it has none. */
  tag: string;
};

export type SidePacket = {
  /** Presentation time in seconds, counted from the video's first frame. */
  timeS: number;
  /** Of text: the text in UTF-8, without what the container puts around it. Valid only during the call. */
  data: Uint8Array;
};

export type DecodeRequest = {
  /** Scaled copies of the frames; each frame is decoded once, however many there are. */
  pictures: readonly PictureRequest[];
  sound?: {
    /** Samples per second after resampling to mono float. */
    sampleRate: number;
    /** Called with consecutive samples; `timeS` is the presentation time of the first one. `samples` is valid only during the call. */
    onSamples: (samples: Float32Array, timeS: number) => void;
  };
  /** Told of every packet of the video track in the file's order, without decoding it: how much a stretch took to code. */
  onPacket?: (packet: VideoPacket) => void;
  /**
   * Frames to leave out before decoding: none, those nothing refers to, or all but keyframes. With `non-key`, a keyframe that no picture's
   * `minIntervalS` wants may be left out of the summary's count as well.
   */
  skip?: 'none' | 'non-reference' | 'non-key';
  /**
   * Frames that are left without the deblocking filter. All: up to 28 % faster, pixels differ by less than half a percent. Those nothing refers to: up to 10 % faster, and
   * no error is handed on to the next frame; pixels differ by less than 0.03 % in the mean.
   */
  skipDeblocking?: 'none' | 'non-reference' | 'all';
  /**
   * Threads that decode H.264, one unless said. With more, what is seen around damage would depend on which was quicker: the pass ends at the first sign of
   * damage, and its state is `stopped`. An engine may always take one.
   */
  threads?: number;
  onProgress?: (fraction: number) => void;
};

export type PictureRequest = {
  width: number;
  height: number;
  format: 'gray' | 'rgb';
  /** Keeps the aspect ratio and fills the rest with this grey level (0 to 255); without it the picture is stretched. */
  letterbox?: number;
  /** Least distance between two pictures in seconds of presentation time; 0 or absent: every frame. */
  minIntervalS?: number;
  /** Called in presentation order. The frame's data is valid only until it returns (or its promise settles, which also holds back the decoder). */
  onFrame: (frame: DecodedFrame) => void | Promise<void>;
};

export type VideoPacket = {
  /** Presentation time in seconds from the video's first frame; of a file that gives none, the time of decoding. */
  timeS: number;
  bytes: number;
  /** Whether decoding can begin with it. */
  keyframe: boolean;
};

export type DecodedFrame = {
  /** Presentation time in seconds, counted from the video's first frame. */
  timeS: number;
  /** The exact presentation time stamp, in the stream's time base. */
  pts: number;
  keyframe: boolean;
  /** `height × width` bytes of luma, or × 3 of RGB; rows are contiguous. */
  data: Uint8Array;
};

export type DecodeSummary = {
  frames: number;
  /** Packets that could not be decoded. */
  errors: number;
  /** Presentation time of the last frame plus its duration. */
  endS: number;
  /** `damaged` when many packets failed or the file ends well before it says it does; `stopped`: nothing that was seen may be kept, see `DecodeRequest.threads`. */
  state: 'whole' | 'damaged' | 'stopped';
};
