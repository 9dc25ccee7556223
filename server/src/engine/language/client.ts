import { createBreaker, createChat, createLimiter, type ModelEndpoint } from '../chat/index.ts';
import { RESPONSE_SCHEMA, type Rewritings, readRewritings } from './response.ts';
import { createInstructions } from './vocabulary.ts';

/** Ways to request JSON, the strictest first. Servers refuse those that they do not have. */
const FORMATS: readonly (Record<string, unknown> | undefined)[] = [
  {
    type: 'json_schema',
    json_schema: { name: 'rewriting', strict: true, schema: RESPONSE_SCHEMA },
  },
  { type: 'json_object' },
  undefined,
];
const PROBE = 'a red car stops';
const MAX_TOKENS = 1500;
const MAX_ACTIVE = 2;
const MAX_WAITING = 20;
const FAILURES = 3;

export type LanguageClientOptions = {
  /** Limit for one request. */
  timeoutMs?: number;
  /** Pause after failures in a row. */
  pauseMs?: number;
};

export interface LanguageClient {
  /** Identifies model and instructions; part of cache keys. */
  readonly version: string;
  /** Finds out how the endpoint returns JSON. Never rejects; an endpoint that is down is probed again later. */
  probe(): Promise<void>;
  /** Rewrites a prompt, or null if the model is unavailable, busy or talks nonsense. Rejects only if aborted. */
  rewrite(prompt: string, signal: AbortSignal): Promise<Rewritings | null>;
}

export function createLanguageClient(
  endpoint: ModelEndpoint,
  { timeoutMs = 20_000, pauseMs = 60_000 }: LanguageClientOptions = {},
): LanguageClient {
  const chat = createChat('language', endpoint, timeoutMs);
  const instructions = createInstructions();
  const breaker = createBreaker(FAILURES, pauseMs);
  const limited = createLimiter(MAX_ACTIVE, MAX_WAITING);
  /** Index of the format that the endpoint accepts. */
  let format: number | null = null;
  let probing: Promise<void> | null = null;

  async function send(prompt: string, formatAt: number, signal: AbortSignal) {
    const responseFormat = FORMATS[formatAt];
    return chat(
      {
        system: instructions.text,
        content: JSON.stringify({ prompt }),
        maxTokens: MAX_TOKENS,
        retries: 0,
        ...(responseFormat === undefined ? {} : { responseFormat }),
      },
      signal,
    );
  }

  async function probeFormats(): Promise<void> {
    for (const at of FORMATS.keys()) {
      const reply = await send(PROBE, at, new AbortController().signal);
      if ('text' in reply) {
        // A server that accepts a format and ignores it is read as tolerantly as one without.
        if (readRewritings(reply.text) === null && at < FORMATS.length - 1) continue;
        format = at;
        breaker.succeed();
        return;
      }
      const isRefused = reply.status !== null && reply.status >= 400 && reply.status < 500 && reply.status !== 429;
      if (!isRefused) break;
    }
    breaker.fail();
  }

  function probe(): Promise<void> {
    probing ??= probeFormats().finally(() => {
      probing = null;
    });
    return probing;
  }

  return {
    version: `${endpoint.url} ${endpoint.model} ${instructions.version}`,
    probe,
    async rewrite(prompt, signal) {
      if (breaker.isOpen()) return null;
      return limited(async () => {
        signal.throwIfAborted();
        if (breaker.isOpen()) return null;
        if (format === null) await Promise.race([probe(), aborted(signal)]);
        signal.throwIfAborted();
        if (format === null) return null;
        const reply = await send(prompt, format, signal);
        const rewritings = 'text' in reply ? readRewritings(reply.text) : null;
        if (rewritings === null) breaker.fail();
        else breaker.succeed();
        // The server may have been replaced by one with other formats.
        if ('status' in reply && reply.status === 400) format = null;
        return rewritings;
      });
    },
  };
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
