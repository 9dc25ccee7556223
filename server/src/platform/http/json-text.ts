import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Sends JSON that is text already (stored documents), without parsing it: a whole text, or pieces that together make one.
 * Pieces are streamed with back-pressure, so that a long list of documents is never in memory at once.
 */
export function sendJsonText(
  reply: FastifyReply,
  json: string | Iterable<string> | AsyncIterable<string>,
): FastifyReply {
  reply.type('application/json; charset=utf-8');
  return reply.send(typeof json === 'string' ? json : Readable.from(json, { objectMode: true }));
}
