import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { problems } from './problems.ts';

/** Counts and digests bytes, and stops them at `maxBytes` by throwing `file_too_large`. */
export function createMeter(maxBytes = Number.POSITIVE_INFINITY) {
  const hash = createHash('sha256');
  let size = 0;
  return {
    take(bytes: Uint8Array): void {
      size += bytes.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      hash.update(bytes);
    },
    result: () => ({ size, sha256: hash.digest('hex') }),
  };
}

/** A meter that bytes pass through. */
export function createMeterStream(maxBytes?: number) {
  const { take, result } = createMeter(maxBytes);
  const stream = new Transform({
    readableHighWaterMark: 1 << 20,
    transform(chunk: Buffer, _encoding, done) {
      try {
        take(chunk);
      } catch (error) {
        return done(error as Error);
      }
      done(null, chunk);
    },
  });
  return { stream, result };
}

const tooLarge = (maxBytes: number) =>
  problems.file_too_large(`The file is larger than the ${maxBytes} bytes that this service accepts.`);
