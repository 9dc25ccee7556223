import { open } from 'node:fs/promises';
import type { Problem } from '../../problem.ts';
import type { Container } from '../bitstream/index.ts';
import { LIMITS } from '../limits.ts';
import { mediaProblem } from '../problems.ts';
import type { Size } from './geometry.ts';

/** Throws `media_dimensions` for a frame that is too large or too small. */
export function checkDimensions(size: Size): void {
  checkMaxDimensions(size);
  const { shortestSide } = LIMITS;
  if (Math.min(size.width, size.height) >= shortestSide) return;
  if (size.width === 0 || size.height === 0) {
    throw mediaProblem.media_dimensions("The picture's width and height are missing, or too large to be true.");
  }
  throw mediaProblem.media_dimensions(
    `The picture is ${size.width} × ${size.height} pixels; it must be at least ${shortestSide} on each side.`,
  );
}

/** Throws `media_dimensions` for a frame that needs more memory than a media process has. */
export function checkMaxDimensions({ width, height }: Size): void {
  const { longestSide, pixels } = LIMITS;
  if (Math.max(width, height) <= longestSide && width * height <= pixels) return;
  throw mediaProblem.media_dimensions(
    `The picture is ${width} × ${height} pixels; at most ${longestSide} on a side and ${Math.floor(pixels / 1e6)} million in all can be analyzed.`,
  );
}

/** Color matrices that are not converted to RGB: code in ITU-T H.273, and name. */
const UNKNOWN_MATRICES = new Map([
  [8, 'YCgCo'],
  [11, "Y'D'zD'x"],
  [14, 'ICtCp'],
  [15, 'IPT-PQ-C2'],
  [16, 'YCgCo-Re'],
  [17, 'YCgCo-Ro'],
]);

/** Throws `media_unsupported` if colors would be converted wrongly. `matrix` is an H.273 code. */
export function checkColorMatrix(matrix: number): void {
  const unknown = UNKNOWN_MATRICES.get(matrix);
  if (unknown === undefined) return;
  throw mediaProblem.media_unsupported(
    `The video's colors are coded as ${unknown}, which cannot be converted here. Re-encode it with BT.709 colors.`,
  );
}

/** Problem for a file of a known container that could not be opened. `reason` is FFmpeg's message. */
export async function toOpenProblem(path: string, container: Container, reason: string): Promise<Problem> {
  if (container.demuxers.startsWith('mov')) {
    const missing = await missingIndex(path);
    if (missing) return mediaProblem.media_damaged(missing);
  }
  return mediaProblem.media_unreadable(
    `The file looks like ${container.name} but could not be opened: ${reason}. It is probably damaged or incomplete.`,
  );
}

/** Walks the top-level boxes of an ISO media file. Returns a message if the index (`moov`) is incomplete, else null. */
async function missingIndex(path: string): Promise<string | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const header = Buffer.alloc(16);
    // Files have few top-level boxes before the index; fragmented ones start with the index.
    for (let at = 0, boxes = 0; at + 8 <= size && boxes < 1_000; boxes++) {
      await file.read(header, 0, 16, at);
      const short = header.readUInt32BE(0);
      const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? size - at : short;
      const type = header.toString('latin1', 4, 8);
      const whole = at + length <= size;
      if (type === 'moov' && whole) return null;
      if (length < 8) return null;
      if (!whole) break;
      at += length;
    }
    return "The file ends before the video's index (the `moov` box): it was cut off while it was being recorded, copied or uploaded.";
  } finally {
    await file.close();
  }
}
