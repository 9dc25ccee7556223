import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient } from '../../server/test/http.ts';
import { pick } from '../../server/test/random.ts';
import { KEY } from '../harness/service.ts';

export type Reply = { status: number; json: Record<string, unknown>; headers: Headers; text: string };
/** A request; the body is created again for every attempt. */
type Request = {
  json?: unknown;
  form?: () => FormData | URLSearchParams;
  body?: Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
};

const PAUSE_MS = 250;
const ATTEMPT_MS = 45_000;

/** A well-behaved client: repeats a request, on any node, under one `Idempotency-Key` until it is acknowledged. */
export function createClient(urls: readonly string[], random: () => number, timeoutMs = 180_000, key = KEY) {
  const attempts = { sent: 0, repeated: 0 };

  async function once(method: string, path: string, { json, form, body, headers }: Request): Promise<Reply> {
    attempts.sent++;
    const signal = AbortSignal.timeout(ATTEMPT_MS);
    return createApiClient(pick(random, urls)).call(method, path, {
      key,
      json,
      body: form?.() ?? body,
      headers,
      signal,
    });
  }

  /** Repeats the request after lost connections, 429, 409 for an attempt in progress, and server errors. */
  async function acknowledged(method: string, path: string, request: Request = {}): Promise<Reply> {
    const headers = {
      ...(method === 'GET' || method === 'HEAD' ? {} : { 'idempotency-key': randomUUID() }),
      ...request.headers,
    };
    const end = performance.now() + timeoutMs;
    for (let last = 'nothing'; ; attempts.repeated++) {
      try {
        const reply = await once(method, path, { ...request, headers });
        if (reply.status < 300) return reply;
        last = `${reply.status} ${reply.text}`;
        const passing = reply.status >= 500 || reply.status === 429 || reply.json.error === 'idempotency_in_progress';
        if (!passing) throw new Refused(`${method} ${path}: ${last}`);
        if (reply.status === 500) throw new Refused(`${method} ${path}: a fault of the service: ${last}`);
      } catch (error) {
        if (error instanceof Refused) throw error;
        last = String((error as Error).cause ?? error);
      }
      if (performance.now() > end) throw new Error(`${method} ${path} was not acknowledged; last: ${last}`);
      await sleep(PAUSE_MS);
    }
  }

  return { once, acknowledged, attempts };
}

export type Client = ReturnType<typeof createClient>;

class Refused extends Error {}
