export { isArtifact } from './artifact.ts';
export { decodeObservation } from './decode-observation.ts';
export { decodeObservations } from './encoding.ts';
export {
  createObserve,
  detectorIn,
  familyOf,
  isFinerVersion,
  type ObserveVideoOptions,
  type RangeStore,
} from './observe.ts';
export { OBSERVERS } from './observers.ts';
export {
  type ArtifactName,
  type Artifacts,
  decodeRange,
  listRanges,
  type PartialArtifacts,
  rangeIn,
  rangeSuffix,
} from './ranges.ts';
export { mergeSparsePass } from './sparse-pass/merge.ts';
export { createTestedWeights, tryWeights } from './tested-weights.ts';
export { createWeights, ownerOf } from './weights.ts';
