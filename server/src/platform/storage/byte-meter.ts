import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { problems } from './problems.ts';

/** Counts and hashes bytes. Throws `file_too_large` past `maxBytes`. */
export function createByteMeter(maxBytes = Number.POSITIVE_INFINITY) {
  const hash = createHash('sha256');
  let size = 0;
  return {
    add(bytes: Uint8Array): void {
      size += bytes.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      hash.update(bytes);
    },
    result: () => ({ size, sha256: hash.digest('hex') }),
  };
}

/** A byte meter as a pass-through stream. */
export function createByteMeterStream(maxBytes?: number) {
  const { add, result } = createByteMeter(maxBytes);
  const stream = new Transform({
    readableHighWaterMark: 1 << 20,
    transform(chunk: Buffer, _encoding, done) {
      try {
        add(chunk);
      } catch (error) {
        return done(error as Error);
      }
      done(null, chunk);
    },
  });
  return { stream, result };
}

const tooLarge = (maxBytes: number) =>
  problems.file_too_large(`The file is larger than ${maxBytes} bytes, the maximum that this service accepts.`);
