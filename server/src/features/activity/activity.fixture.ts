import { readEvents, type SseEvent } from '#features/batches/sse.fixture';
import type { ApiClient } from '#test/http';

/** A connection to the stream, and what it received so far. A new reader has its position. */
export async function connect(api: ApiClient, credential: string | { cookie: string }, lastId?: number) {
  const leaving = new AbortController();
  const response = await fetch(`${api.base}/api/activity${lastId === undefined ? '' : `?last_id=${lastId}`}`, {
    headers: typeof credential === 'string' ? { 'x-api-key': credential } : credential,
    signal: leaving.signal,
  });
  const seen: SseEvent[] = [];
  const started = Promise.withResolvers<void>();
  const ended = readEvents(response, (event) => {
    seen.push(event);
    started.resolve();
  });
  // A test that fails leaves its connections to the end of the service.
  ended.catch(() => {});
  if (lastId === undefined) await started.promise;
  return {
    seen,
    ended,
    /** Breaks the connection. */
    leave(): Promise<unknown> {
      leaving.abort();
      return ended;
    },
  };
}

export type Connection = Awaited<ReturnType<typeof connect>>;
