/** A range of a video to write to a file. Times in seconds from the video's first frame. */
export type TrimRequest = {
  fromS: number;
  /** Exclusive: a frame that starts at this time is not included. */
  untilS: number;
  /**
   * `encode`: frame-accurate, as H.264, starting with the frame shown at `fromS`. Otherwise copies the packets from the
   * keyframe at `fromS` to the one at `untilS`.
   */
  video: 'encode' | CopyTiming;
  /**
   * First encoded frame: the one `shown` at `fromS` (default), or the first that is `new` from then on, so that ranges
   * in a row contain each frame once.
   */
  startWith?: 'shown' | 'new';
  /** Longest side of encoded frames in pixels. */
  maxSide?: number;
  /** `mp4`: a standalone file. `segment`: fragmented MP4 on the timeline of the stream, see `SEGMENT_TIME_OFFSET_S`. */
  output: 'mp4' | 'segment';
};

/** Decoding times are derived from presentation times, at most `delayS` earlier: not every container has them. */
export type CopyTiming = { delayS: number };

/**
 * Time of the video's first frame in its segments. Decoding times precede it, and times in fragments cannot be
 * negative. Players treat the first segment's time as zero; ten seconds is a common start of streams.
 */
export const SEGMENT_TIME_OFFSET_S = 10;

/** Sample rate in Hz, and bits per second and channel, of encoded audio. */
export const AUDIO_SAMPLE_RATE = 48_000;
export const AUDIO_BITS_PER_CHANNEL = 80_000;
