import type { Probe } from './index.ts';
import { mediaProblem } from './problems.ts';
import { isNearEnd } from './summary.ts';

/** What a header says of ends, in seconds of the file's own time; null where it says nothing. */
export type Ends = { video: number | null; file: number | null; others: readonly number[] };

/** Seconds from the first frame to the end that a header gives; 0 when it gives none. `of` says whose end it is. */
export type Claim = { seconds: number; of: 'video' | 'file' };

/**
 * The video track's own end where tracks have one, otherwise the file's, whose sound may be longer. A track's end counts decoding times and
 * may come a little early where frames are reordered at a variable rate; the file's is right then, if no other track reaches it.
 */
export function claimFrom(originS: number, { video, file, others }: Ends): Claim {
  if (video === null) return { seconds: Math.max(0, (file ?? originS) - originS), of: 'file' };
  const near = file !== null && file > video && isNearEnd(video, file);
  const videoIsLast = near && others.every((end) => end < file - 0.01);
  return { seconds: Math.max(0, (videoIsLast ? file : video) - originS), of: 'video' };
}

/** What both engines' probes check of a header's claims. */
export function checkClaims(claims: {
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

/** Throws for a file whose frames have no times: nothing in it can be found at a time. `durationS` in seconds. */
export function checkDuration(durationS: number): void {
  if (durationS > 0) return;
  throw mediaProblem.media_unreadable(
    'The file does not say when its frames are shown; put it into a container such as MP4, with a frame rate.',
  );
}

/** Throws for a file in which fewer than two pictures decode: one picture is no video, and a header that claims more lied. */
export function checkDecoded(decoded: number, claimed: number | null): void {
  if (decoded === 0) throw mediaProblem.media_damaged();
  if (decoded > 1) return;
  if (claimed !== null && claimed > 1) {
    throw mediaProblem.media_damaged(`The file is damaged: only one of its ${claimed} pictures could be decoded.`);
  }
  throw mediaProblem.media_still_image('The file holds a single picture; send a video.');
}

/** The creation time among a container's tags as ISO 8601 UTC; null when there is none or it is a clock that was never set. */
export function createdAtOf(tags: Record<string, string>): string | null {
  const text = tags.creation_time ?? tags['com.apple.quicktime.creationdate'];
  const time = text === undefined ? Number.NaN : Date.parse(text);
  // QuickTime counts from 1904 and Unix from 1970: a time in either year is a zero.
  return Number.isNaN(time) || time < Date.UTC(1971, 0, 1) ? null : new Date(time).toISOString();
}

/** Tags as they are, within reason: at most 100, of at most 1,000 characters. */
export function boundedTags(tags: Record<string, string>): Probe['tags'] {
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
