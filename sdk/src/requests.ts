import { setTimeout as sleep } from 'node:timers/promises';

const TRIES = 4;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** What may be otherwise a moment later. */
const PASSING = new Set([408, 429, 502, 503, 504]);

/** Whether the same request may succeed a little later. */
export const mayPass = (status: number) => PASSING.has(status);

/** The growing pause before try `n` (from 1) is repeated, in milliseconds; what the server asks for in `Retry-After` wins. */
export function pauseMs(n: number, retryAfter: string | null = null): number {
  const asked = Number(retryAfter) * 1000;
  return Math.min(LONGEST_PAUSE_MS, asked > 0 ? asked : FIRST_PAUSE_MS * 2 ** (n - 1));
}

/**
 * `fetch` with the key, which repeats what may pass: broken connections, answers that break off, and busy servers. Each write carries one
 * `Idempotency-Key` through all its tries, so that it happens once. For requests with small bodies: they are kept for the next try.
 */
export function persistent(fetch: typeof globalThis.fetch, apiKey: string): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { headers, method, signal } = request;
    headers.set('x-api-key', apiKey);
    if (!READS.has(method) && !headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID());
    return patiently(() => fetch(request.clone()), signal);
  };
}

/** What `send` gets, after it was tried again where that may pass. What it sends must be the same request each time. */
export async function patiently(send: () => Promise<Response>, signal?: AbortSignal): Promise<Response> {
  for (let n = 1; ; n++) {
    try {
      const answer = await whole(await send());
      const retryAfter = answer.headers.get('retry-after');
      // A conflict that ends by itself: the first try of this write is still under way.
      const passing = mayPass(answer.status) || (answer.status === 409 && retryAfter !== null);
      if (n === TRIES || !passing) return answer;
      await sleep(pauseMs(n, retryAfter), undefined, { signal });
    } catch (error) {
      if (n === TRIES || signal?.aborted) throw error;
      await sleep(pauseMs(n), undefined, { signal });
    }
  }
}

/** An answer that is all here, so that one that breaks off is asked for again; a stream, or a file, is left to its reader. */
async function whole(answer: Response): Promise<Response> {
  if (!answer.headers.get('content-type')?.includes('json')) return answer;
  const { status, statusText, headers } = answer;
  return new Response(await answer.arrayBuffer(), { status, statusText, headers });
}
