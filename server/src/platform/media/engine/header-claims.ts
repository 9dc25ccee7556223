import { mediaProblem } from '../problems.ts';
import { isNearEnd } from './decode-state.ts';
import type { Probe } from './types.ts';

/** End times from a file's headers in seconds of the file's own time; null if absent. */
export type HeaderEnds = { video: number | null; file: number | null; others: readonly number[] };

/** Seconds from the first frame to the claimed end of the video track or the file; 0 if there is none. */
export type DurationClaim = { seconds: number; of: 'video' | 'file' };

/**
 * Selects the video track's end, or else the file's, whose audio may be longer. A track's end is based on decoding
 * times and may be slightly early with reordered frames at a variable rate; then the file's end is used if no other
 * track reaches it.
 */
export function toDurationClaim(originS: number, { video, file, others }: HeaderEnds): DurationClaim {
  if (video === null) return { seconds: Math.max(0, (file ?? originS) - originS), of: 'file' };
  const near = file !== null && file > video && isNearEnd(video, file);
  const videoIsLast = near && others.every((end) => end < file - 0.01);
  return { seconds: Math.max(0, (videoIsLast ? file : video) - originS), of: 'video' };
}

/** Checks a header's claims. Throws `media_damaged` or `media_too_long`. */
export function checkHeaderClaims(claims: {
  durationS: number;
  frames: number | null;
  sizeBytes: number;
  maxSeconds: number;
}): void {
  const { durationS, frames, sizeBytes, maxSeconds } = claims;
  if (frames !== null && frames > sizeBytes) {
    throw mediaProblem.media_damaged(
      `The file says it holds ${frames.toLocaleString('en')} pictures, more than its ${sizeBytes.toLocaleString('en')} bytes could hold.`,
    );
  }
  if (durationS > maxSeconds) {
    throw mediaProblem.media_too_long(
      `The video lasts ${duration(durationS)}; this server accepts at most ${duration(maxSeconds)}.`,
    );
  }
}

/** Throws `media_unreadable` for a file whose frames have no times. */
export function checkDuration(durationS: number): void {
  if (durationS > 0) return;
  throw mediaProblem.media_unreadable(
    'The file does not say when its frames are shown; put it into a container such as MP4, with a frame rate.',
  );
}

/** Throws `media_damaged` or `media_still_image` if fewer than two frames can be decoded. */
export function checkDecodedFrames(decoded: number, claimed: number | null): void {
  if (decoded === 0) throw mediaProblem.media_damaged();
  if (decoded > 1) return;
  if (claimed !== null && claimed > 1) {
    throw mediaProblem.media_damaged(`The file is damaged: only one of its ${claimed} frames could be decoded.`);
  }
  throw mediaProblem.media_still_image('The file holds a single picture; send a video.');
}

/** Creation time from container tags, ISO 8601, UTC; null if there is none or the camera's clock was not set. */
export function parseCreatedAt(tags: Record<string, string>): string | null {
  const text = tags.creation_time ?? tags['com.apple.quicktime.creationdate'];
  const time = text === undefined ? Number.NaN : Date.parse(text);
  // QuickTime counts from 1904 and Unix from 1970. A time in these years is an unset clock.
  return Number.isNaN(time) || time < Date.UTC(1971, 0, 1) ? null : new Date(time).toISOString();
}

/** Limits tags to 100, with values of at most 1,000 characters. */
export function limitTags(tags: Record<string, string>): Probe['tags'] {
  return Object.fromEntries(
    Object.entries(tags)
      .slice(0, 100)
      .map(([name, value]) => [name.slice(0, 100), value.slice(0, 1_000)]),
  );
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} seconds`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} minutes`;
  return `${Math.round(seconds / 3_600).toLocaleString('en')} hours`;
}
