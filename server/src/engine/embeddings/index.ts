/** Vectors of frames, words and images (CLIP), and the search among them. */
export { cropImage, regionAround } from './crop.ts';
export { createEmbedder, type Embedder } from './embedder.ts';
export { type ClipFiles, DIMENSIONS, openImageEncoder, openTextEncoder, type VectorEncoder } from './encoder.ts';
export { type ScaledImage, scaledSize } from './image-input.ts';
export { quantize } from './quantize.ts';
export { findResemblance, findResemblingObjects, MIN_RESEMBLANCE, OTHER_DESCRIPTIONS } from './resemblance.ts';
export { groupsOf } from './scan/scanner.ts';
export type { FrameVectors } from './scan/types.ts';
export { createVectorIndex, SCANNED_IN_MEMORY, type VectorIndex } from './scan/vector-index.ts';
export { findSimilarFrames } from './similar-frames.ts';
