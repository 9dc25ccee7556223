import { EventSourceParserStream } from 'eventsource-parser/stream';
import { errorOf, SightlineError } from './errors.ts';
import { sleep } from './platform.ts';
import { mayPass, pauseMs } from './requests.ts';

/** One event of a stream; `id` is the position to resume after. */
export type StreamEvent = { id: number; kind: string; data: Record<string, unknown> };

/** The `preliminary` of a stream event of that kind: an event in the part of a video that was seen so far. */
export type PreliminaryEvent = {
  /** Stays the same when the event is sent again with changes, and names it when it is confirmed or withdrawn. */
  preliminary_id: string;
  label: string;
  type: string;
  confidence: number;
  start_s: number;
  end_s: number;
  /** True if it may continue in the part that was not seen yet. */
  ongoing: boolean;
};

export type FollowOptions = {
  /** Resume after this event; 0 starts at the beginning. */
  lastId?: number;
  signal?: AbortSignal;
  /** Largest number of consecutive reconnects. Default 10. */
  maxReconnects?: number;
};

/**
 * Follows a stream to its end. After a disconnect it reconnects with growing pauses and resumes after the last event,
 * without gaps or duplicates.
 */
export async function* follow(
  open: (lastId: number, signal: AbortSignal | undefined) => Promise<Response>,
  options: FollowOptions = {},
): AsyncGenerator<StreamEvent> {
  let lastId = options.lastId ?? 0;
  const allowed = options.maxReconnects ?? 10;
  let failed = false;
  for (let breaks = 0; ; ) {
    try {
      const response = await open(lastId, options.signal);
      if (!response.ok || !response.body) throw await errorOf(response);
      const messages = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const message of messages) {
        const id = Number(message.id ?? lastId);
        // An ended stream sends `done` to every client that resumes it, also at or past its end.
        if (id <= lastId && message.event !== 'done') continue;
        lastId = id;
        breaks = 0;
        const event = {
          id,
          kind: message.event ?? 'message',
          data: JSON.parse(message.data) as Record<string, unknown>,
        };
        yield event;
        if (event.kind === 'done') return;
        failed = event.kind === 'error';
      }
      if (failed) return;
    } catch (error) {
      // A refusal is final; a broken connection is retried.
      if (options.signal?.aborted || (error instanceof SightlineError && error.status < 500 && !mayPass(error.status)))
        throw error;
      if (breaks >= allowed) throw error;
    }
    breaks++;
    if (breaks > allowed) throw new SightlineError(0, 'The event stream was disconnected too often.');
    await sleep(pauseMs(breaks), options.signal);
  }
}
