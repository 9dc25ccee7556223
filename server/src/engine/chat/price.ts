/** Prices of a million tokens, in any currency; 0 for own hardware. */
export type Prices = { inputPrice: number; outputPrice: number };

/** Price of tokens, in the currency of the prices. */
export const priceOf = (
  { inputPrice, outputPrice }: Prices,
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
) => (inputTokens * inputPrice + outputTokens * outputPrice) / 1e6;
