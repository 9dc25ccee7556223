import {
  type ArrayEntry,
  arraysStart,
  HEADER_AT,
  headerLength,
  type NumericArray,
  toValues,
  valueBytes,
} from '../observe/artifact.ts';

/** A stored artifact of which ranges can be read; `start` and `end` are byte positions, `end` excluded. */
export type ByteSource = { size: number; read(start: number, end: number): Promise<Uint8Array> };

/** Larger headers are refused: they are JSON in memory. A day of busy traffic has some megabytes. */
const MAX_HEADER_BYTES = 32 * 2 ** 20;
/** Values per read while searching a position. */
const SEARCH_LENGTH = 4_096;

/** The arrays of an artifact, read in ranges: a video of a day has hundreds of megabytes. */
export type StoredArrays = {
  facts: Record<string, unknown>;
  headerBytes: number;
  /** Number of values; 0 if there is no such array. */
  length(name: string): number;
  /** The values from index `from` to `to`, excluded. */
  read(name: string, from: number, to: number): Promise<NumericArray>;
  /** Index of the first value of an ascending array that is at least `value`. */
  findIndex(name: string, value: number): Promise<number>;
};

/** Opens an artifact of this kind; null if it is damaged. Its checksum is not verified: that needs all bytes. */
export async function openArrays(source: ByteSource, kind: string): Promise<StoredArrays | null> {
  const start = await source.read(0, Math.min(HEADER_AT, source.size));
  const headerBytes = headerLength(start, source.size);
  if (headerBytes === null || headerBytes > MAX_HEADER_BYTES) return null;
  const text = await source.read(HEADER_AT, HEADER_AT + headerBytes);
  let header: { kind: string; facts: Record<string, unknown>; arrays: ArrayEntry[] };
  try {
    header = JSON.parse(Buffer.from(text).toString());
  } catch {
    return null;
  }
  if (header.kind !== kind) return null;
  const arraysAt = arraysStart(headerBytes);
  const entries = new Map(header.arrays.map((entry) => [entry.name, entry]));

  async function read(name: string, from: number, to: number): Promise<NumericArray> {
    const entry = entries.get(name);
    if (!entry) throw new Error(`The artifact ${kind} has no array ${name}.`);
    const bytes = valueBytes(entry.type);
    const at = arraysAt + entry.offset;
    const last = Math.max(from, Math.min(to, entry.length));
    return toValues(entry.type, await source.read(at + from * bytes, at + last * bytes));
  }

  return {
    facts: header.facts,
    headerBytes,
    length: (name) => entries.get(name)?.length ?? 0,
    read,
    async findIndex(name, value) {
      let low = 0;
      let high = entries.get(name)?.length ?? 0;
      while (high - low > SEARCH_LENGTH) {
        const middle = (low + high) >> 1;
        const [found] = await read(name, middle, middle + 1);
        if (found! < value) low = middle + 1;
        else high = middle;
      }
      const rest = await read(name, low, high);
      const offset = rest.findIndex((each) => each >= value);
      return offset < 0 ? high : low + offset;
    },
  };
}

/** The arrays of one part of an artifact: those whose name starts with `prefix`. */
export function partOf(stored: StoredArrays, part: string): StoredArrays | null {
  const facts = stored.facts[part];
  if (typeof facts !== 'object' || facts === null) return null;
  return {
    facts: facts as Record<string, unknown>,
    headerBytes: stored.headerBytes,
    length: (name) => stored.length(`${part}.${name}`),
    read: (name, from, to) => stored.read(`${part}.${name}`, from, to),
    findIndex: (name, value) => stored.findIndex(`${part}.${name}`, value),
  };
}
