import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { LanguageEndpoint, ModelAccount } from '../chat/index.ts';
import { isBlocked, type Plan, type Zone } from '../plan/index.ts';
import {
  createLanguageClient,
  type FailedRewriting,
  type LanguageClientOptions,
  type RewritingResult,
} from './client.ts';
import { planRewritings, type RewritingPlanner } from './plan-rewritings.ts';
import { createTrust, type TrustOptions } from './reliability/trust.ts';
import type { Rewritings } from './response.ts';

/** Reads prompts with the help of a language model where the rules cannot. */
export interface LanguageReader {
  /**
   * Reads a prompt into a plan. Asks the model only for what the rules do not read, and returns the plan of the rules
   * if the model is unavailable or not believed, or if its answer is not valid. Rejects only if the signal is aborted.
   */
  read(query: string, options?: ReadOptions): Promise<Plan>;
  /** Checks the endpoint with control prompts, which are charged to the account; never rejects. */
  probe(account?: ModelAccount): Promise<void>;
  health(): ReaderHealth;
}

/** State of the endpoint and its model, as this process knows them. */
export type ReaderHealth = {
  /** `doubted`: it fails control prompts and is not used. */
  state: 'unknown' | 'ok' | 'failing' | 'doubted';
  /** Reason why it fails or is doubted; null otherwise. */
  reason: string | null;
};

export type ReadOptions = {
  signal?: AbortSignal;
  /** Longest wait for the model in milliseconds; its answer is then cached for the next call. */
  waitMs?: number;
  /** Zones that the prompt may name. */
  zones?: readonly Zone[];
  /** Account that the calls of the model are charged to. */
  account?: ModelAccount;
};

/** Longer prompts are left to the rules. */
const MAX_PROMPT = 2000;
const MAX_CACHED = 1000;
/** `planner` is that of the rules. */
export function createLanguageReader(
  endpoint: LanguageEndpoint,
  planner: RewritingPlanner,
  options: LanguageClientOptions & TrustOptions = {},
): LanguageReader {
  const client = createLanguageClient(endpoint, options);
  const name = `language model (${endpoint.model})`;
  /** Answers by digest of prompt and client version, the least recently used first. */
  const cache = new Map<string, Rewritings>();
  const running = new Map<string, Promise<RewritingResult>>();
  const trust = createTrust(client.rewrite, planner, () => cache.clear(), options);

  /** The rewritings of a prompt, if the model is believed; or a sentence that explains why there are none. */
  async function requestRewritings(
    query: string,
    account: ModelAccount | null,
  ): Promise<{ rewritings: Rewritings } | { note: string | null }> {
    const unchecked = await trust.ensure(account);
    const verdict = trust.verdict();
    if (verdict === null) return noteOf(unchecked);
    if (verdict.doubt !== null) return { note: `the ${name} is not believed: ${verdict.doubt}` };
    const key = createHash('sha256').update(`${client.version}\n${query}`).digest('hex');
    const cached = cache.get(key);
    if (cached !== undefined) {
      cache.delete(key);
      cache.set(key, cached);
    }
    // Analyses of one batch ask at the same time. The request outlives the caller that started it: others wait for it.
    const shared = cached === undefined ? running.get(key) : { rewritings: cached };
    const result = await (shared ?? start(key, query, account));
    if ('rewritings' in result) {
      if (shared !== undefined && account !== null) account.usage.cachedCalls++;
      return result;
    }
    // The limit of another account.
    return shared !== undefined && result.isLimit ? requestRewritings(query, account) : noteOf(result);
  }

  /** Limits are stated to users; an endpoint that fails is on the page of the system. */
  const noteOf = (failed: FailedRewriting | null) => ({
    note: failed?.isLimit ? `the ${name} was not queried: ${failed.failure}` : null,
  });

  function start(key: string, query: string, account: ModelAccount | null): Promise<RewritingResult> {
    const request = client
      .rewrite(query, new AbortController().signal, account)
      .then((result) => {
        if ('rewritings' in result) cache.set(key, result.rewritings);
        if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
        return result;
      })
      .finally(() => running.delete(key));
    running.set(key, request);
    return request;
  }

  return {
    async probe(account) {
      await trust.ensure(account ?? null).catch(() => {});
    },

    health() {
      const [verdict, failure] = [trust.verdict(), client.failure()];
      if (verdict?.doubt) return { state: 'doubted', reason: verdict.doubt };
      if (failure) return { state: 'failing', reason: failure };
      return { state: verdict === null ? 'unknown' : 'ok', reason: null };
    },

    async read(query, { signal, waitMs, zones, account } = {}) {
      signal?.throwIfAborted();
      const rules = planner.planQuery(query, zones);
      const isRead = !rules.searches.some(isBlocked);
      if (isRead || query.trim() === '' || query.length > MAX_PROMPT) return rules;
      const result = await limited(requestRewritings(query, account ?? null), signal, waitMs);
      if (result === null) return rules;
      if ('note' in result) return result.note === null ? rules : withNote(rules, result.note);
      const { rewritings } = result;
      return planRewritings({ query, rewritings, rules, zones }, planner);
    },
  };
}

/** Adds the reason why no model read it to each part that the rules do not understand. */
const withNote = (plan: Plan, note: string): Plan => ({
  ...plan,
  searches: plan.searches.map((search) => ({
    ...search,
    steps: search.steps.map((step) => ({
      ...step,
      unchecked: step.unchecked.map((each) =>
        each.blocks ? { ...each, reason: `${each.reason}; ${note}`.slice(0, 1000) } : each,
      ),
    })),
  })),
});

/** The result, or null after `waitMs`. Rejects if the signal is aborted; the request itself continues for others. */
async function limited<T>(result: Promise<T>, signal?: AbortSignal, waitMs?: number): Promise<T | null> {
  const done = new AbortController();
  const { signal: isDone } = done;
  try {
    return await Promise.race([
      result,
      ...(waitMs === undefined ? [] : [setTimeout(waitMs, null, { signal: isDone }).catch(() => null)]),
      ...(signal === undefined
        ? []
        : [
            new Promise<never>((_, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: isDone });
            }),
          ]),
    ]);
  } finally {
    done.abort();
  }
}
