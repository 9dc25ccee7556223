import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ModelEndpoint } from '../chat/index.ts';
import {
  isBlocked,
  type LeftPart,
  type Plan,
  type Planner,
  planRewritten,
  type Rewriting,
  type Zone,
} from '../plan/index.ts';
import { alignParts } from './align.ts';
import { createLanguageClient, type LanguageClientOptions } from './client.ts';
import { contradicts } from './conflict.ts';
import type { Rewritings } from './response.ts';

/** Reads prompts with the help of a language model where the rules cannot. */
export interface LanguageReader {
  /**
   * Reads a prompt into a plan. Asks the model only for what the rules do not read, and returns the plan of the rules
   * if the model is unavailable or its answer is not valid. Rejects only if the signal is aborted.
   */
  read(query: string, options?: ReadOptions): Promise<Plan>;
  /** Finds out how the endpoint returns JSON; never rejects. */
  probe(): Promise<void>;
}

export type ReadOptions = {
  signal?: AbortSignal;
  /** Longest wait for the model in milliseconds; its answer is then cached for the next call. */
  waitMs?: number;
  /** Zones that the prompt may name. */
  zones?: readonly Zone[];
};

/** Longer prompts are left to the rules. */
const MAX_PROMPT = 2000;
const MAX_CACHED = 1000;
const LEFT = 'a language model could not express it in terms that can be searched';

/** `planner` is that of the rules. */
export function createLanguageReader(
  endpoint: ModelEndpoint,
  planner: Pick<Planner, 'planQuery' | 'planEnglish' | 'isFunctionWord'>,
  options: LanguageClientOptions = {},
): LanguageReader {
  const client = createLanguageClient(endpoint, options);
  /** Answers by digest of prompt and client version, the least recently used first. */
  const cache = new Map<string, Rewritings>();
  const running = new Map<string, Promise<Rewritings | null>>();

  async function requestRewritings(query: string): Promise<Rewritings | null> {
    const key = createHash('sha256').update(`${client.version}\n${query}`).digest('hex');
    const cached = cache.get(key);
    if (cached !== undefined) {
      cache.delete(key);
      cache.set(key, cached);
      return cached;
    }
    // Analyses of one batch ask at the same time. The request outlives the caller that started it: others wait for it.
    return running.get(key) ?? start(key, query);
  }

  function start(key: string, query: string): Promise<Rewritings | null> {
    const request = client
      .rewrite(query, new AbortController().signal)
      .then((rewritings) => {
        if (rewritings !== null) cache.set(key, rewritings);
        if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
        return rewritings;
      })
      .finally(() => running.delete(key));
    running.set(key, request);
    return request;
  }

  return {
    probe: client.probe,
    async read(query, { signal, waitMs, zones } = {}) {
      signal?.throwIfAborted();
      const rules = planner.planQuery(query, zones);
      const isRead = !rules.searches.some(isBlocked);
      if (isRead || query.trim() === '' || query.length > MAX_PROMPT) return rules;
      const rewritings = await limited(requestRewritings(query), signal, waitMs);
      return rewritings === null ? rules : planOf(query, rewritings, rules, zones);
    },
  };

  function planOf(query: string, rewritings: Rewritings, rules: Plan, zones?: readonly Zone[]): Plan {
    const planEnglish = (text: string) => planner.planEnglish(text, zones);
    const aligned = alignParts(query, rewritings, planner.isFunctionWord);
    const language = rewritings.language ?? rules.language ?? 'English';
    const parts = aligned.map(({ from, to }) =>
      to !== null && isReadable(planEnglish(to), query, from) ? { from, to } : leftPart(from, language, planEnglish),
    );
    const rewritten = parts.filter((part): part is Rewriting => 'to' in part);
    if (rewritten.length === 0) return rules;
    const plan = planRewritten({ query, language, reader: 'model', parts }, planEnglish);
    if (!contradicts(plan, rules)) return plan;
    // The cautious reading is searched: the rules report what they do not understand.
    return { ...rules, alternative: rewritten };
  }

  /** Controlled English that the rules read without gaps; an open question only instead of the whole prompt. */
  function isReadable({ searches, corrected }: Plan, query: string, from: string): boolean {
    const isOpen = searches.some(({ steps }) => steps.some(({ what }) => what.kind === 'notable'));
    const isWhole = from.length * 2 > query.trim().length;
    return corrected.length === 0 && !searches.some(isBlocked) && (!isOpen || isWhole);
  }

  /** The reason of the rules says more, where they have one for English words. */
  function leftPart(from: string, language: string, planEnglish: (text: string) => Plan): LeftPart {
    const searches = language === 'English' ? planEnglish(from).searches.filter(isBlocked) : [];
    const step = searches[0]?.steps[0];
    const known = step?.what.kind === 'unknown' ? undefined : step?.unchecked.find(({ blocks }) => blocks);
    return { from, words: known?.text ?? from, reason: known?.reason ?? LEFT };
  }
}

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
