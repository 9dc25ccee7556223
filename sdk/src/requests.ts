import { randomId, sleep } from './platform.ts';

const TRIES = 4;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Statuses of transient failures. */
const PASSING = new Set([408, 429, 502, 503, 504]);

/** True if a repeat of the request may succeed. */
export const mayPass = (status: number) => PASSING.has(status);

/** Pause after attempt `n` (from 1) in milliseconds, growing exponentially; `Retry-After` takes precedence. */
export function pauseMs(n: number, retryAfter: string | null = null): number {
  const requestedMs = Number(retryAfter) * 1000;
  return Math.min(LONGEST_PAUSE_MS, requestedMs > 0 ? requestedMs : FIRST_PAUSE_MS * 2 ** (n - 1));
}

/**
 * `fetch` with the API key and retries of transient failures: broken connections, truncated responses and busy
 * servers. All attempts of a write have one `Idempotency-Key`, so that it runs once. For small bodies only, which are
 * buffered for the next attempt.
 */
export function withRetries(fetch: typeof globalThis.fetch, apiKey?: string): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { headers, method, signal } = request;
    if (apiKey !== undefined) headers.set('x-api-key', apiKey);
    if (!READS.has(method) && !headers.has('idempotency-key')) headers.set('idempotency-key', randomId());
    return retry(() => fetch(request.clone()), signal);
  };
}

/** Calls `send` again after transient failures. It must send the same request each time. */
export async function retry(send: () => Promise<Response>, signal?: AbortSignal): Promise<Response> {
  for (let n = 1; ; n++) {
    try {
      const answer = await whole(await send());
      const retryAfter = answer.headers.get('retry-after');
      // A conflict with `Retry-After`: the first attempt of this write is still running.
      const passing = mayPass(answer.status) || (answer.status === 409 && retryAfter !== null);
      if (n === TRIES || !passing) return answer;
      await sleep(pauseMs(n, retryAfter), signal);
    } catch (error) {
      if (n === TRIES || signal?.aborted) throw error;
      await sleep(pauseMs(n), signal);
    }
  }
}

/** Buffers a JSON response, so that a truncated one is retried; streams and files are left to their reader. */
async function whole(answer: Response): Promise<Response> {
  if (!answer.headers.get('content-type')?.includes('json')) return answer;
  const { status, statusText, headers } = answer;
  return new Response(await answer.arrayBuffer(), { status, statusText, headers });
}
