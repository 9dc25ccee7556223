import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import { type TSchema, Type } from 'typebox';
import { problems } from '../problems.ts';
import { publicFailures } from '../schema/failures.ts';

/** A file to serve. `open` streams the bytes `start` to `end`, both included. */
export type ServedFile = {
  size: number;
  modified: Date;
  /** Strong validator without quotes: equal exactly for equal bytes. */
  etag: string;
  contentType: string;
  /** Seconds for which clients may cache it; default: an hour. */
  keptS?: number;
  open(range: { start: number; end: number; signal: AbortSignal }): Promise<Readable>;
};

/** Response schemas of a public route that uses `sendFile`. `what` describes the file; text has an `example`. */
export function fileResponses({ type, what, example }: { type: string; what: string; example?: string | undefined }) {
  const form = example === undefined ? { format: 'binary' } : { examples: [example] };
  const schema = Type.Unsafe<Readable>({ type: 'string', description: what, ...form });
  return {
    200: { description: what, content: { [type]: { schema } } },
    206: { description: 'The part that `Range` asks for.', content: { [type]: { schema } } },
    304: Type.Null({ description: 'What the client has is still the same.' }) as TSchema,
    ...publicFailures(400, 403, 404, 416, 429, 500, 503),
  };
}

/**
 * Responds to GET and HEAD with a whole file, one range (206), 304, or 416 (RFC 9110, sections 13 and 14). Several
 * ranges in one request get the whole file, as the RFC allows; no player requests them.
 */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: ServedFile): Promise<FastifyReply> {
  const etag = `"${file.etag}"`;
  reply.headers({
    'accept-ranges': 'bytes',
    etag,
    'last-modified': file.modified.toUTCString(),
    'cache-control': file.keptS === 0 ? 'no-cache' : `private, max-age=${file.keptS ?? 3600}`,
  });
  if (isFresh(request, etag, file.modified)) return reply.code(304).send();

  const range = rangeOf(request, etag, file);
  if (range === 'outside') {
    throw problems.range_outside(`The file has ${file.size} bytes; the requested range lies outside of them.`, {
      headers: { 'content-range': `bytes */${file.size}` },
    });
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  reply.type(file.contentType).header('content-length', Math.max(0, end - start + 1));
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${file.size}`);
  if (request.method === 'HEAD' || file.size === 0) return reply.send();
  return reply.send(await file.open({ start, end, signal: request.disconnected }));
}

function isFresh({ headers }: FastifyRequest, etag: string, modified: Date): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined)
    return known === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return Math.floor(modified.getTime() / 1000) * 1000 <= since;
}

function rangeOf(
  { headers }: FastifyRequest,
  etag: string,
  file: ServedFile,
): { start: number; end: number } | 'outside' | null {
  const header = headers.range;
  const condition = headers['if-range'];
  // A client with a part of another version must get the whole file.
  if (!header || (condition && condition !== etag && condition !== file.modified.toUTCString())) return null;
  const ranges = parseRange(file.size, clampSuffix(header, file.size));
  // A header that is not a byte range is ignored (RFC 9110, 14.2).
  if (ranges === -2 || (ranges !== -1 && ranges.type !== 'bytes')) return null;
  if (ranges === -1) return 'outside';
  return ranges.length === 1 ? ranges[0]! : null;
}

/** A suffix longer than the file means the whole file (RFC 9110, 14.1.2); the parser reports it as unsatisfiable. */
function clampSuffix(header: string, size: number): string {
  const suffix = /^bytes=-(\d+)$/.exec(header);
  return suffix && size > 0 && Number(suffix[1]) > size ? 'bytes=0-' : header;
}
