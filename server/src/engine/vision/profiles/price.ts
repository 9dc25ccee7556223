import type { VisionProfile } from '../types.ts';

/** Price of tokens with a profile, in the currency of its prices. */
export const priceOf = (
  { inputPrice, outputPrice }: Pick<VisionProfile, 'inputPrice' | 'outputPrice'>,
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
) => (inputTokens * inputPrice + outputTokens * outputPrice) / 1e6;
