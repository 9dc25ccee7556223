export { askJson } from './ask-json.ts';
export { type ChatUsage, createChat, type ModelEndpoint } from './client.ts';
export { findJsonObjects } from './json.ts';
export type { Allowance, StoredReply, UsageLedger } from './ledger.ts';
export { createBreaker, createLimiter } from './limiter.ts';
export {
  createMeteredChat,
  type LanguageEndpoint,
  type LanguageModelUsage,
  type ModelAccount,
  openAccount,
  usageOf,
} from './metered-chat.ts';
export { type Prices, priceOf } from './price.ts';
export { textTokens } from './tokens.ts';
