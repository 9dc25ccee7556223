import { resolve } from 'node:path';
import { Dictionary, FormatContext } from 'node-av/lib';
import type { AssembleResult, FrameSequence } from '../../engine/index.ts';
import { mediaProblem } from '../../problems.ts';
import { check, TICKS_PER_SECOND } from '../core/index.ts';
import { createCopiedTrack, NotCopyable } from './copied-track.ts';
import { createEncodedTrack } from './encoded-track.ts';
import type { SequenceTrack } from './types.ts';

/** See `Encoder.assemble`. */
export async function assemble(path: string, sequence: FrameSequence): Promise<AssembleResult> {
  try {
    return await write(path, sequence, true);
  } catch (error) {
    if (error instanceof NotCopyable) return write(path, sequence, false);
    throw error;
  }
}

/** Upper bound of the size of the index: tables per frame, and constant parts. */
const INDEX_BYTES = { perFrame: 64, rest: 16_384 };

async function write(
  path: string,
  { frames, maxFrames: most, onProgress }: FrameSequence,
  copying: boolean,
): Promise<AssembleResult> {
  const format = new FormatContext();
  check(format.allocOutputContext2(null, 'mp4', `file:${resolve(path)}`), 'creating the file');
  const begin = () => {
    check(format.openOutputSync(), 'opening the file');
    const room = most === undefined ? null : INDEX_BYTES.rest + INDEX_BYTES.perFrame * most;
    const options: Record<string, string> = room === null ? { movflags: 'faststart' } : { moov_size: String(room) };
    check(format.writeHeaderSync(Dictionary.fromObject(options)), 'writing the header');
  };
  let track: SequenceTrack | null = null;
  let [originS, came, useless] = [0, 0, 0];
  try {
    for await (const frame of frames()) {
      if (track === null) {
        originS = frame.timeS;
        const copied = copying && 'codec' in frame.format && frame.format.codec === 'h264';
        track = copied ? createCopiedTrack({ format, begin }) : createEncodedTrack({ format, begin }, frame.format);
      }
      came++;
      if (!track.add(frame, Math.round((frame.timeS - originS) * TICKS_PER_SECOND))) useless++;
      onProgress?.(frame.timeS);
    }
    const written = track?.finish();
    if (!written || written.frames === 0) throw mediaProblem.media_damaged();
    check(format.writeTrailerSync(), 'writing the index');
    const startS = originS + written.firstTicks / TICKS_PER_SECOND;
    return { frames: written.frames, startS, video: track!.video, skipped: Math.max(useless, came - written.frames) };
  } finally {
    track?.free();
    format.closeOutputSync();
    format.freeContext();
  }
}
