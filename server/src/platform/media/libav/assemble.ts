import { resolve } from 'node:path';
import { Dictionary, FFmpegError, FormatContext } from 'node-av/lib';
import { mediaProblem } from '../problems.ts';
import type { Assembled, Reel, ReelFrame } from '../reel.ts';
import { createCopiedTrack, NotCopiable } from './assemble-copied.ts';
import { createEncodedTrack } from './assemble-encoded.ts';
import { CLOCK } from './encode.ts';

const check = (code: number, doing: string) => FFmpegError.throwIfError(code, doing);

/** A track that the frames of a reel go into; it begins the file once it knows what to write into its header. */
export type ReelTrack = {
  readonly video: Assembled['video'];
  /** False for a frame that is of no use. `ticks` count 1/90,000 s from the reel's first frame. */
  add(frame: ReelFrame, ticks: number): boolean;
  /** Writes what is held back. Returns how many frames there are, and the ticks of the first. */
  finish(): { frames: number; firstTicks: number };
  free(): void;
};

export type Output = { format: FormatContext; begin(): void };

/** See `Encoder.assemble`. */
export async function assemble(path: string, reel: Reel): Promise<Assembled> {
  try {
    return await write(path, reel, true);
  } catch (error) {
    if (error instanceof NotCopiable) return write(path, reel, false);
    throw error;
  }
}

/** What the index takes, at most: tables of times, sizes, places and keyframes, and what does not grow. */
const INDEX_BYTES = { perFrame: 64, rest: 16_384 };

async function write(path: string, { frames, most, onProgress }: Reel, copying: boolean): Promise<Assembled> {
  const format = new FormatContext();
  check(format.allocOutputContext2(null, 'mp4', `file:${resolve(path)}`), 'creating the file');
  const begin = () => {
    check(format.openOutputSync(), 'opening the file');
    const room = most === undefined ? null : INDEX_BYTES.rest + INDEX_BYTES.perFrame * most;
    const options: Record<string, string> = room === null ? { movflags: 'faststart' } : { moov_size: String(room) };
    check(format.writeHeaderSync(Dictionary.fromObject(options)), 'writing the header');
  };
  let track: ReelTrack | null = null;
  let [originS, came, useless] = [0, 0, 0];
  try {
    for await (const frame of frames()) {
      if (track === null) {
        originS = frame.timeS;
        const copied = copying && 'codec' in frame.form && frame.form.codec === 'h264';
        track = copied ? createCopiedTrack({ format, begin }) : createEncodedTrack({ format, begin }, frame.form);
      }
      came++;
      if (!track.add(frame, Math.round((frame.timeS - originS) * CLOCK))) useless++;
      onProgress?.(frame.timeS);
    }
    const written = track?.finish();
    if (!written || written.frames === 0) throw mediaProblem.media_damaged();
    check(format.writeTrailerSync(), 'writing the index');
    const startS = originS + written.firstTicks / CLOCK;
    return { frames: written.frames, startS, video: track!.video, left: Math.max(useless, came - written.frames) };
  } finally {
    track?.free();
    format.closeOutputSync();
    format.freeContext();
  }
}
