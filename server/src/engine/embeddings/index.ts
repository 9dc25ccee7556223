/** Vectors of frames, words and pictures (CLIP), and the search among them. */
export { createEmbedder, type Embedder } from './embedder.ts';
export { type ClipFiles, DIMENSIONS, openImageEncoder, openTextEncoder } from './encoder.ts';
export { type ScaledImage, scaledSize } from './image-input.ts';
export { quantize } from './quantize.ts';
export { findResemblance, MIN_RESEMBLANCE, OTHER_DESCRIPTIONS } from './resemblance.ts';
export type { FrameVectors } from './scan/types.ts';
export { createVectorIndex, type VectorIndex } from './scan/vector-index.ts';
export { findSimilarFrames } from './similar-frames.ts';
