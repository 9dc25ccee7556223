import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * The return value of a handler that responds with stored JSON text, without parsing it: one text, or chunks that form
 * one. Chunks are streamed with back-pressure, so long lists are never in memory at once. Typed as the `Answer` of the
 * route's schema, which is not checked.
 * Returned instead of sent here, because Fastify awaits the end of a returned reply, which costs as much as a small
 * response.
 */
export function jsonText<Answer>(reply: FastifyReply, json: string | Iterable<string> | AsyncIterable<string>): Answer {
  reply.type('application/json; charset=utf-8');
  return (typeof json === 'string' ? json : Readable.from(json, { objectMode: true })) as Answer;
}
