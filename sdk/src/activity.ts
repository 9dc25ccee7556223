import { EventSourceParserStream } from 'eventsource-parser/stream';
import { errorOf, SightlineError } from './errors.ts';
import { sleep } from './platform.ts';
import { mayPass, pauseMs } from './requests.ts';

export type ActivityResource =
  | 'video'
  | 'upload'
  | 'analysis'
  | 'batch'
  | 'import_job'
  | 'mcap_ingest'
  | 'live_session';

/**
 * A change. `eventId` is the position to resume after. `ready` and `reset` concern no resource: after them, fetch
 * again what you show.
 */
export type ActivityEvent = { eventId: number } & (
  | { type: 'ready' | 'reset' }
  | {
      type: ActivityResource;
      /** `removed`: the resource is no longer yours to see. */
      change:
        | 'created'
        | 'status'
        | 'progress'
        | 'changed'
        | 'moved'
        | 'trashed'
        | 'restored'
        | 'done'
        | 'reviewed'
        | 'deleted'
        | 'removed';
      id: string;
      /** ISO 8601. */
      changed_at: string;
      status?: string;
      folder_id?: string | null;
      /** Of an analysis. */
      video_id?: string;
      batch_id?: string | null;
      stage?: string | null;
      /** 0 to 100. */
      progress?: number;
      /** Of batches and imports. */
      total?: number;
      completed?: number;
      uploaded?: number;
      failed?: number;
      skipped?: number;
      /** Of a live session. */
      stream_id?: string;
      connected?: boolean;
      duration_s?: number;
      event_count?: number;
    }
);

export type ActivityOptions = {
  /** Resume after this event; 0 (default) starts with the next change. */
  lastId?: number;
  signal?: AbortSignal;
  /** Called when the connection is established, and with the reason when it is lost and tried again. */
  onConnection?: (lost: Error | null) => void;
  /** Longest pause between two attempts in milliseconds. Default 30,000. */
  maxPauseMs?: number;
};

/** The service sends something at least every 15 seconds; a connection without is dead. */
const SILENCE_MS = 45_000;

/**
 * Yields what changes until the signal aborts. Reconnects as often as needed, with growing pauses, and resumes after
 * the last event without gaps or duplicates. Throws a `SightlineError` if the key or session is refused.
 */
export async function* followActivity(
  open: (lastId: number, signal: AbortSignal) => Promise<Response>,
  { lastId: from = 0, signal, onConnection, maxPauseMs = 30_000 }: ActivityOptions = {},
): AsyncGenerator<ActivityEvent> {
  let lastId = from;
  for (let failures = 1; ; failures++) {
    const connection = new AbortController();
    const abort = () => connection.abort();
    signal?.addEventListener('abort', abort);
    let timer = setTimeout(abort, SILENCE_MS);
    let reason = new Error('The event stream was disconnected.');
    try {
      signal?.throwIfAborted();
      const response = await open(lastId, connection.signal);
      if (!response.ok || !response.body) throw await errorOf(response);
      failures = 0;
      onConnection?.(null);
      const alive = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(bytes, output) {
          clearTimeout(timer);
          timer = setTimeout(abort, SILENCE_MS);
          output.enqueue(bytes);
        },
      });
      const messages = response.body
        .pipeThrough(alive)
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream());
      for await (const message of messages) {
        const data = JSON.parse(message.data) as Record<string, unknown>;
        if (message.event === 'error') throw toError(data);
        lastId = Number(message.id);
        yield { ...data, eventId: lastId } as ActivityEvent;
      }
    } catch (error) {
      // A refusal is final; a broken connection is retried.
      const refused = error instanceof SightlineError && error.status < 500 && !mayPass(error.status);
      if (signal?.aborted || refused) throw error;
      reason = error as Error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      // A caller that stops reading ends the connection.
      connection.abort();
    }
    onConnection?.(reason);
    await sleep(Math.min(maxPauseMs, pauseMs(Math.max(1, failures))), signal);
  }
}

/** An open stream ends with its key or session; other errors pass. */
const toError = ({ code, message }: Record<string, unknown>) =>
  new SightlineError(code === 'internal_error' ? 500 : 401, { error: code, message });
