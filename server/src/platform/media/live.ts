/** Where a live stream comes from, as its media process gets it. */
export type LiveSource =
  /** Bytes that we hand it, opened as the container that they are themselves, or as `format`. The process reaches no network. */
  | {
      kind: 'bytes';
      body: AsyncIterable<Uint8Array>;
      format?: string;
      options?: Record<string, string>;
      /** Sound that comes apart from the pictures, by the same clock. What is wrong with it is no reason to miss the pictures. */
      sound?: AsyncIterable<Uint8Array>;
    }
  /** An address that it connects to itself: one that was checked, or a relay of ours. */
  | { kind: 'address'; url: string; format: string; protocols: string; options: Record<string, string> };

export type LiveRequest = {
  source: LiveSource;
  /** Place of its first picture in the recording, in seconds: where what is there ends. */
  startS: number;
  /** What the recording ends with; null of a new one. */
  before: Pick<LiveEpoch, 'init' | 'leadS'> | null;
  /** How long segments should be, in seconds: each ends before the first keyframe after that. */
  segmentS: number;
  /** When its first picture was taken, in milliseconds of the epoch, where the source says so; null: when it comes. */
  clockMs: number | null;
  /** Seconds without anything after which an address has stalled; twice as long, sound alone is a stall of any source. */
  stallS: number;
};

/** A piece of a recording: a fragment of MP4, whose times go on from those before it. */
export type LiveSegment = {
  /** Present on the first segment, and where something is missing before it or its tracks are others than those before. */
  epoch: LiveEpoch | null;
  /** Place in the recording, in seconds. */
  startS: number;
  durationS: number;
  /** When its first picture was taken, in milliseconds of the epoch. */
  capturedMs: number;
  data: Uint8Array;
};

/** What holds for segments that follow on each other. */
export type LiveEpoch = {
  /** The initialisation section. */
  init: Buffer;
  /** As RFC 6381 has them. */
  codecs: string;
  width: number;
  height: number;
  /**
   * What its files count more than places in the recording, in seconds: tracks that are described alike are one file, which begins at 0 with
   * what has to be decoded before it is shown.
   */
  leadS: number;
};

/** What a media process is told of a source: bytes come by its standard input. */
export type CaptureArgs = Omit<LiveRequest, 'source'> & {
  url: string;
  /** Demuxers that may open it, as FFmpeg's `format_whitelist`. */
  formats: string;
  protocols: string;
  options: Record<string, string>;
  /** Whether it is an address, which can be given up by itself. */
  address: boolean;
  /** Where sound comes from that comes apart. */
  soundUrl?: string;
};

/** How a capture tells its parent of what it has. */
export type Capturing = { handOver: (segment: LiveSegment) => Promise<void>; stopping: AbortSignal };
