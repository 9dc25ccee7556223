import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** Location of a recording: a local file, or a URL that supports range requests. */
export type RecordingLocation = { path: string } | { url: string };

/** Random access to a recording. A read past the end throws. */
export interface RecordingSource extends AsyncDisposable {
  readonly size: number;
  read(at: number, length: number): Promise<Uint8Array>;
  stream(from: number): AsyncIterable<Uint8Array>;
}

const STREAM_BYTES = 1 << 20;

export const openSource = (place: RecordingLocation): Promise<RecordingSource> =>
  'path' in place ? openFile(place.path) : openUrl(place.url);

async function openFile(path: string): Promise<RecordingSource> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  return {
    size,
    async read(at, length) {
      checkRange(at, length, size);
      const bytes = Buffer.allocUnsafeSlow(length);
      const { bytesRead } = await file.read(bytes, 0, length, at);
      if (bytesRead < length) throw new Error('the file became shorter while it was read');
      return bytes;
    },
    stream: (start) => createReadStream(path, { start, highWaterMark: STREAM_BYTES }) as Readable,
    [Symbol.asyncDispose]: () => file.close(),
  };
}

async function openUrl(url: string): Promise<RecordingSource> {
  const get = async (range: string): Promise<Response> => {
    const response = await fetch(url, { headers: { range: `bytes=${range}` } });
    if (response.status !== 206 && response.status !== 416) {
      await response.body?.cancel();
      throw new Error(`the server of the recording answered ${response.status} to a range request`);
    }
    return response;
  };
  const first = await get('0-0');
  await first.body?.cancel();
  const size = Number(/\/(\d+)$/.exec(first.headers.get('content-range') ?? '')?.[1]);
  if (!Number.isSafeInteger(size)) throw new Error('the server of the recording does not say how large it is');
  return {
    size,
    async read(at, length) {
      checkRange(at, length, size);
      if (length === 0) return new Uint8Array();
      const bytes = new Uint8Array(await (await get(`${at}-${at + length - 1}`)).arrayBuffer());
      if (bytes.length !== length) throw new Error('the server of the recording sent fewer bytes than requested');
      return bytes;
    },
    async *stream(from) {
      if (from < size) yield* (await get(`${from}-`)).body as unknown as AsyncIterable<Uint8Array>;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function checkRange(at: number, length: number, size: number): void {
  if (at >= 0 && length >= 0 && at + length <= size) return;
  throw new Error(`it points to bytes ${at} to ${at + length}, and the file has ${size}`);
}
