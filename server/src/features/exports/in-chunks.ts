/** Pieces are written in groups of about this many bytes. */
const CHUNK_BYTES = 65_536;

/** Joins small pieces, so that a file is written in few steps. Throws when `signal` aborts. */
export async function* inChunks(
  pieces: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    const buffer = typeof piece === 'string' ? Buffer.from(piece) : viewOf(piece);
    waiting.push(buffer);
    bytes += buffer.length;
    if (bytes < CHUNK_BYTES) continue;
    signal.throwIfAborted();
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

/** The same bytes as a buffer, not a copy. */
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength);
