import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { problems } from './problems.ts';

/** Counts and digests the bytes that pass, and stops them at `maxBytes` with `file_too_large`. */
export function createMeter(maxBytes = Number.POSITIVE_INFINITY) {
  const hash = createHash('sha256');
  let size = 0;
  const stream = new Transform({
    readableHighWaterMark: 1 << 20,
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) return done(tooLarge(maxBytes));
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ size, sha256: hash.digest('hex') }) };
}

const tooLarge = (maxBytes: number) =>
  problems.file_too_large(`The file is larger than the ${maxBytes} bytes that this service accepts.`);
