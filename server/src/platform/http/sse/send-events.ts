import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem, sentenceOf } from '../../problem.ts';
import { problems } from '../problems.ts';

/**
 * A server-sent event. `data` is JSON text without line breaks, as `JSON.stringify` and PostgreSQL's compact `json`
 * write it.
 */
export type ServerSentEvent = { id: number | string; kind: string; data: string };

/** Longest text in characters that is buffered before it is written. */
const FLUSH_LENGTH = 32_768;

/**
 * The id of the last event that a client has received: the greater of the query parameter and the header, since a
 * browser that reconnects repeats the old URL with a new header. Throws `last_id_invalid` (400).
 */
export function lastEventId(request: FastifyRequest, query: string | null | undefined): number {
  const ids = [query || '0', request.headers['last-event-id'] || '0'].map((text) => {
    if (!/^\d{1,15}$/.test(String(text))) throw problems.last_id_invalid();
    return Number(text);
  });
  return Math.max(...ids);
}

/**
 * Responds with `text/event-stream`. Headers are sent at once; a comment every `keepAliveS` seconds keeps proxies from
 * closing the connection; a slow reader slows the source down. Ends with the source, or when the client disconnects or
 * the server closes: `request.disconnected` then aborts, and the source, which should use that signal, has to
 * return. Reject invalid requests before this call: a later failure of the source, or the end of the key or session, is
 * sent as a final `error` event.
 */
export async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  events: AsyncIterable<ServerSentEvent>,
  keepAliveS = 15,
): Promise<FastifyReply> {
  const { raw } = reply;
  const { disconnected } = request;
  reply.hijack();
  // A reader may disconnect between two writes.
  raw.on('error', () => {});
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  raw.socket?.setNoDelay(true);
  raw.write(': stream\n\n');

  // Events that are already available are sent in one write.
  let pending = '';
  let scheduled = false;
  const flush = () => {
    scheduled = false;
    if (pending !== '' && !raw.destroyed) raw.write(pending);
    pending = '';
  };
  const write = (text: string) => {
    pending += text;
    if (pending.length > FLUSH_LENGTH) flush();
    else if (!scheduled) {
      scheduled = true;
      setImmediate(flush);
    }
  };
  /** Ends the wait for a slow reader. */
  let wake = () => {};
  const drained = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        raw.off('drain', done);
        disconnected.removeEventListener('abort', done);
        resolve();
      };
      raw.once('drain', done);
      disconnected.addEventListener('abort', done);
      wake = done;
    });
  let leave = () => {};
  let refused: Problem | null = null;
  let refuse = (_error: Problem) => {};
  const unwatch = request.server.streams.watch(request, (error) => {
    refused = error;
    refuse(error);
    wake();
  });
  disconnected.addEventListener('abort', () => leave(), { once: true });
  // `Promise.race` with a long-lived promise would retain every event of a long stream in memory.
  const nextUnlessDisconnected = () =>
    new Promise<IteratorResult<ServerSentEvent>>((resolve, reject) => {
      leave = () => resolve({ done: true, value: undefined });
      refuse = reject;
      if (refused) reject(refused);
      else if (disconnected.aborted) leave();
      else iterator.next().then(resolve, reject);
    });
  const keepAlive = setInterval(() => {
    if (raw.writableLength === 0) write(': keep-alive\n\n');
  }, keepAliveS * 1000);

  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await nextUnlessDisconnected();
      if (next.done) break;
      const { id, kind, data } = next.value;
      write(`id: ${id}\nevent: ${kind}\ndata: ${data}\n\n`);
      if (raw.writableNeedDrain) await drained();
    }
  } catch (error) {
    if (!disconnected.aborted) {
      if (!(error instanceof Problem)) request.log.error({ reqId: request.id, err: error }, 'an event stream failed');
      const code = error instanceof Problem ? error.code : 'internal_error';
      const message = sentenceOf(error);
      write(
        `event: error\ndata: ${JSON.stringify({ event: 'error', type: 'error', error: message, message, code })}\n\n`,
      );
    }
  } finally {
    clearInterval(keepAlive);
    unwatch();
    // Not awaited: the source returns when its signal aborts.
    iterator.return?.().then(undefined, () => {});
    flush();
    raw.end();
  }
  return reply;
}
