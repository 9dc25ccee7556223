import {
  createBreaker,
  createLimiter,
  createMeteredChat,
  type LanguageEndpoint,
  type ModelAccount,
} from '../chat/index.ts';
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

/** Rewritings of a prompt, or the reason why there are none. */
export type RewritingResult = { rewritings: Rewritings } | FailedRewriting;

export type FailedRewriting = {
  failure: string;
  /** It answered, but not in the requested form. */
  isNonsense?: boolean;
  /** A limit of tokens forbids the call. */
  isLimit?: boolean;
};

export interface LanguageClient {
  /** Identifies model and instructions; part of cache keys. */
  readonly version: string;
  /** Reason of the last failure; null after a success, undefined before the first call. */
  failure(): string | null | undefined;
  /** Rewrites a prompt; its tokens are charged to the account. Rejects only if aborted. */
  rewrite(prompt: string, signal: AbortSignal, account: ModelAccount | null): Promise<RewritingResult>;
}

export function createLanguageClient(
  endpoint: LanguageEndpoint,
  { timeoutMs = 20_000, pauseMs = 60_000 }: LanguageClientOptions = {},
): LanguageClient {
  const chat = createMeteredChat('language', endpoint, timeoutMs);
  const instructions = createInstructions();
  const breaker = createBreaker(FAILURES, pauseMs);
  const limited = createLimiter(MAX_ACTIVE, MAX_WAITING);
  /** Index of the format that the endpoint accepts. */
  let format: number | null = null;
  let failure: string | null | undefined;

  async function request(prompt: string, signal: AbortSignal, account: ModelAccount | null): Promise<RewritingResult> {
    const isKnown = format !== null;
    for (let at = format ?? 0; ; at++) {
      const responseFormat = FORMATS[at];
      const message = { system: instructions.text, content: JSON.stringify({ prompt }), maxTokens: MAX_TOKENS };
      const reply = await chat(
        { ...message, retries: 0, ...(responseFormat ? { responseFormat } : {}) },
        signal,
        account,
      );
      const isLast = isKnown || at === FORMATS.length - 1;
      if ('text' in reply) {
        const rewritings = readRewritings(reply.text);
        // A server that accepts a format and ignores it is read as tolerantly as one without.
        if (rewritings === null && !isLast) continue;
        if (rewritings === null) return { failure: 'its answer did not have the requested form', isNonsense: true };
        format = at;
        return { rewritings };
      }
      const isRefused = reply.status !== null && reply.status >= 400 && reply.status < 500 && reply.status !== 429;
      // The server may have been replaced by one with other formats.
      if (reply.status === 400) format = null;
      if (!isRefused || isLast) return { failure: reply.failure, isLimit: reply.isLimit === true };
    }
  }

  return {
    version: `${endpoint.url} ${endpoint.model} ${instructions.version}`,
    failure: () => failure,
    async rewrite(prompt, signal, account) {
      const paused = { failure: failure ?? 'it is paused after failures' };
      if (breaker.isOpen()) return paused;
      const result = await limited(async () => {
        signal.throwIfAborted();
        if (breaker.isOpen()) return paused;
        const answer = await request(prompt, signal, account);
        if ('rewritings' in answer) breaker.succeed();
        else if (!answer.isLimit) breaker.fail();
        if (!('failure' in answer && answer.isLimit)) failure = 'failure' in answer ? answer.failure : null;
        return answer;
      });
      return result ?? { failure: 'too many requests wait for it' };
    },
  };
}
