import type { Probe } from './index.ts';
import { mediaProblem } from './problems.ts';

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
