type Numbers = Float64Array | Float32Array | Int32Array | Int8Array;

/** The bytes of numbers, in the order of memory. */
export const toBytes = ({ buffer, byteOffset, byteLength }: Numbers) => Buffer.from(buffer, byteOffset, byteLength);

/** The bytes of several buffers, in memory of their own. */
export function joined(parts: readonly Buffer[]): ArrayBuffer {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes.buffer;
}
