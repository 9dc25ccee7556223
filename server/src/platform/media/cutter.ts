/** A stretch of a video as a file of its own. Times in seconds from the video's first frame. */
export type Cut = {
  fromS: number;
  /** The frame that begins at this time is not in it any more. */
  untilS: number;
  /**
   * `encode`: begins and ends exactly there, with the frame on screen at `fromS`, as H.264. Otherwise the packets as they are, from the keyframe at
   * `fromS` to the one at `untilS`; the ffmpeg engine encodes all the same.
   */
  video: 'encode' | Copying;
  /** Longest side of an encoded picture in pixels. */
  maxSide?: number;
  /** `film`: an MP4 that plays on its own. `segment`: MP4 fragments whose times follow those of the segment before, see `SEGMENTS_START_S`. */
  as: 'film' | 'segment';
};

/** Not every container says when packets are to be decoded, so that is worked out from when they are shown: at most `delayS` seconds before. */
export type Copying = { delayS: number };

/**
 * Time that a video's first frame has in its segments. Frames that are decoded before the first one is shown need room before it, and time in a fragment
 * cannot be negative; players take the first segment's time for their zero, and ten seconds is what streams usually begin at.
 */
export const SEGMENTS_START_S = 10;

/** Samples per second and bits per second and channel of sound that is encoded. */
export const SOUND_RATE = 48_000;
export const SOUND_BITS = 80_000;
