import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * What a handler returns to send JSON that is text already (stored documents), without parsing it: a whole text, or pieces that together make
 * one. Pieces are streamed with back-pressure, so that a long list of documents is never in memory at once. Its type is the `Answer` that
 * the route's schema promises: nobody reads the text to check it.
 *
 * It is returned instead of being sent here because a handler that returns its reply has the reply's end waited for, which costs as much as a
 * small answer does.
 */
export function jsonText<Answer>(reply: FastifyReply, json: string | Iterable<string> | AsyncIterable<string>): Answer {
  reply.type('application/json; charset=utf-8');
  return (typeof json === 'string' ? json : Readable.from(json, { objectMode: true })) as Answer;
}
