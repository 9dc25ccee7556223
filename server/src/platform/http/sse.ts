import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem, sentenceOf } from '../problem.ts';
import { problems } from './problems.ts';

/** One server-sent event. `data` is JSON text without line breaks (as `JSON.stringify` and PostgreSQL's compact `json` give it). */
export type SentEvent = { id: number | string; kind: string; data: string };

/** Characters of events that are gathered before they are written, at most. */
const FLUSH_LENGTH = 32_768;

/** The id of the last event that a reader has, by the later of two ways to say it: a browser that reconnects repeats the old URL and sends the new header. Throws `last_id_invalid` (400). */
export function lastEventId(request: FastifyRequest, query: string | null | undefined): number {
  const ids = [query || '0', request.headers['last-event-id'] || '0'].map((text) => {
    if (!/^\d{1,15}$/.test(String(text))) throw problems.last_id_invalid();
    return Number(text);
  });
  return Math.max(...ids);
}

/**
 * Answers with `text/event-stream`. Headers go out at once; a comment every `keepAliveS` seconds keeps proxies from closing the connection;
 * a slow reader slows the source down. Ends with the source, or when the client leaves or the server closes; then `request.gone` has aborted
 * and the source, which should be given that signal, is told to return. Check everything that can be refused before calling this: a source
 * that fails later is reported as one last `error` event, and so is the end of the reader's key or session.
 */
export async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  events: AsyncIterable<SentEvent>,
  keepAliveS = 15,
): Promise<FastifyReply> {
  const { raw } = reply;
  const { gone } = request;
  reply.hijack();
  // A reader that leaves between two writes is no surprise.
  raw.on('error', () => {});
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  raw.socket?.setNoDelay(true);
  raw.write(': stream\n\n');

  // Events that are there already leave together, in one write.
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
        gone.removeEventListener('abort', done);
        resolve();
      };
      raw.once('drain', done);
      gone.addEventListener('abort', done);
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
  gone.addEventListener('abort', () => leave(), { once: true });
  // Not Promise.race against one lasting promise: that would keep every event of a long stream in memory.
  const nextUnlessGone = () =>
    new Promise<IteratorResult<SentEvent>>((resolve, reject) => {
      leave = () => resolve({ done: true, value: undefined });
      refuse = reject;
      if (refused) reject(refused);
      else if (gone.aborted) leave();
      else iterator.next().then(resolve, reject);
    });
  const keepAlive = setInterval(() => {
    if (raw.writableLength === 0) write(': keep-alive\n\n');
  }, keepAliveS * 1000);

  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await nextUnlessGone();
      if (next.done) break;
      const { id, kind, data } = next.value;
      write(`id: ${id}\nevent: ${kind}\ndata: ${data}\n\n`);
      if (raw.writableNeedDrain) await drained();
    }
  } catch (error) {
    if (!gone.aborted) {
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
    // Not awaited: a source that waits for its next event returns when the signal it was given aborts.
    iterator.return?.().then(undefined, () => {});
    flush();
    raw.end();
  }
  return reply;
}
