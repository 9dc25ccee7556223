export type { EndpointHealth } from './calls/index.ts';
export { estimateVision, priceOf, type VisionEstimate } from './estimate.ts';
export { mergeVisionResult } from './merge.ts';
export { isLeftToModel, isOrdered } from './plan/questions.ts';
export {
  createVisionSearch,
  type ReviewItem,
  TOKENS_PER_QUESTION,
  type VisionSearchOptions,
} from './search.ts';
export type * from './types.ts';
