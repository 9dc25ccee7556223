export { createTokenBudget } from './budget.ts';
export { createMemoryLedger } from './memory-ledger.ts';
export {
  type CallContext,
  type CallResult,
  createModelClient,
  type EndpointHealth,
  type LabeledImage,
  type ModelCall,
  type ModelClient,
  PROMPT_VERSION,
} from './model-client.ts';
export * from './reply-reader.ts';
export { FRAME_SIDE, imageTokens, scaledSize } from './tokens.ts';
export * from './wire-schemas.ts';
