import type { IncomingHttpHeaders } from 'node:http';
import { requireText } from '#platform/http/index';
import { problems } from '../problems.ts';
import type { UploadFields } from '../upload-fields.ts';

/** Headers of the tus resumable upload protocol, https://tus.io/protocols/resumable-upload */
export const TUS_VERSION = '1.0.0';
const ALGORITHMS = ['sha1', 'sha256', 'md5'];

export const tusCapabilities = (maxBytes: number) => ({
  'tus-version': TUS_VERSION,
  'tus-extension': 'creation,expiration,checksum,termination',
  'tus-checksum-algorithm': ALGORITHMS.join(','),
  'tus-max-size': String(maxBytes),
});

/** `digest` is in base64. */
export type UploadChecksum = { algorithm: string; digest: string };

/** Throws `upload_version_unsupported` (412). */
export function requireVersion(headers: IncomingHttpHeaders): void {
  if (headers['tus-resumable'] === TUS_VERSION) return;
  throw problems.upload_version_unsupported(undefined, { headers: { 'tus-version': TUS_VERSION } });
}

/** Parses a header that is a number of bytes. Throws `upload_header_invalid` (400). */
export function parseByteCount(headers: IncomingHttpHeaders, name: string, min: number): number {
  const text = headers[name];
  const value = Number(text);
  if (typeof text === 'string' && /^\d+$/.test(text) && Number.isSafeInteger(value) && value >= min) return value;
  throw problems.upload_header_invalid(`The header \`${name}\` must be a whole number of at least ${min}.`);
}

/** Parses `Upload-Metadata`: names with values in base64. Throws `upload_header_invalid` (400). */
export function parseUploadMetadata(header: string | string[] | undefined): UploadFields {
  const fields: UploadFields = new Map();
  for (const pair of String(header ?? '').split(',')) {
    const [name, value = '', more] = pair.trim().split(' ');
    if (!name) continue;
    if (more !== undefined || !/^[A-Za-z0-9+/]*={0,2}$/.test(value) || fields.has(name)) {
      throw problems.upload_header_invalid(
        'The header `Upload-Metadata` must consist of unique names with base64 values.',
      );
    }
    const text = Buffer.from(value, 'base64').toString('utf8');
    requireText(text, 'headers', name);
    fields.set(name, text);
  }
  return fields;
}

/** Parses `Upload-Checksum`: an algorithm and a digest in base64. Throws `upload_header_invalid` (400). */
export function parseUploadChecksum(header: string | string[] | undefined): UploadChecksum | null {
  if (header === undefined) return null;
  const [algorithm, digest, more] = String(header).split(' ');
  if (algorithm && digest && more === undefined && ALGORITHMS.includes(algorithm)) return { algorithm, digest };
  throw problems.upload_header_invalid(
    `The header \`Upload-Checksum\` must be one of ${ALGORITHMS.join(', ')}, followed by a digest in base64.`,
  );
}
