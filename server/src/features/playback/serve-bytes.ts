import { Readable } from 'node:stream';
import type { ServedFile } from '#platform/http/index';

/** Serves bytes that are in memory. */
export function serveBytes(bytes: Buffer, facts: Pick<ServedFile, 'etag' | 'modified' | 'contentType'>): ServedFile {
  const open: ServedFile['open'] = async ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]);
  return { ...facts, size: bytes.length, open };
}
