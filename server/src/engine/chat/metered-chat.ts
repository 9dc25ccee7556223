import { type ChatRequest, type ChatResult, type ChatUsage, createChat, type ModelEndpoint } from './client.ts';
import type { UsageLedger } from './ledger.ts';
import { type Prices, priceOf } from './price.ts';
import { textTokens } from './tokens.ts';

/** Endpoint of a language model; 0 without prices. */
export type LanguageEndpoint = ModelEndpoint & Partial<Prices>;

/** Calls of a language model, with their tokens and cost. Replies from the cache take no tokens. */
export type LanguageModelUsage = ChatUsage & {
  model: string;
  calls: number;
  cachedCalls: number;
  /** In the currency of the configured prices. */
  cost: number;
};

/** An account that pays for calls, and its use of the model so far. */
export type ModelAccount = { ledger: UsageLedger; usage: Omit<LanguageModelUsage, 'model'> };

/** An account whose calls are charged to a ledger. */
export const openAccount = (ledger: UsageLedger): ModelAccount => ({
  ledger,
  usage: { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, cost: 0 },
});

/** Use of a model by an account; null without any. */
export const usageOf = ({ usage }: ModelAccount, model: string | undefined): LanguageModelUsage | null =>
  model === undefined || usage.calls + usage.cachedCalls === 0 ? null : { model, ...usage };

/** Sends one request whose tokens are charged to an account, if there is one. Rejects only if the signal is aborted. */
export type MeteredChat = (
  request: ChatRequest & { content: string },
  signal: AbortSignal,
  account: ModelAccount | null,
) => Promise<ChatResult & { isLimit?: boolean }>;

/**
 * A client of an endpoint that refuses calls beyond the limits of their account and counts all others, as the client of
 * vision-language models does.
 */
export function createMeteredChat(name: string, endpoint: LanguageEndpoint, timeoutMs: number): MeteredChat {
  const chat = createChat(name, endpoint, timeoutMs);
  const prices = { inputPrice: endpoint.inputPrice ?? 0, outputPrice: endpoint.outputPrice ?? 0 };

  return async (request, signal, account) => {
    if (account === null) return chat(request, signal);
    const most = textTokens(`${request.system ?? ''}${request.content}`) + request.maxTokens;
    const { ledger } = account;
    const allowance = await ledger.allowance(Math.max(prices.inputPrice, prices.outputPrice));
    if (allowance !== null && most + (allowance.held ?? 0) > allowance.tokens)
      return { failure: `${allowance.limit} is reached`, status: null, isLimit: true };
    ledger.hold?.(most);
    const reply = await chat(request, signal).finally(() => ledger.hold?.(-most));
    // An endpoint that does not count is charged by estimate.
    const counted = reply.usage && reply.usage.inputTokens > 0 ? reply.usage : null;
    const used = counted ?? ('text' in reply ? { inputTokens: most, outputTokens: 0 } : null);
    if (used !== null) {
      const cost = priceOf(prices, used);
      const { usage } = account;
      usage.calls++;
      usage.inputTokens += used.inputTokens;
      usage.outputTokens += used.outputTokens;
      usage.cost += cost;
      await account.ledger.record(null, { text: '', ...used }, cost);
    }
    return reply;
  };
}
