export { isArtifact } from './artifact.ts';
export { decodeObservations } from './encoding.ts';
export { createTestedWeights, tryWeights } from './objects/detector/weights-selftest.ts';
export { createObserve } from './observe.ts';
export { OBSERVERS } from './observers.ts';
export { type ArtifactName, type Artifacts, decodeRange, listRanges, rangeIn, rangeSuffix } from './ranges.ts';
export { mergeSparsePass } from './sparse-pass/merge.ts';
export { createWeights } from './weights.ts';
