export type { ActionWorkflow } from './action-segments.ts';
export { answerEmptyLibrary, answerLibrary, type FootageClock } from './calendar/index.ts';
export type { Passage, PassageKind } from './captions/passages.ts';
export { PASSAGE_KINDS } from './captions/passages.ts';
export { readTranscript } from './captions/transcript.ts';
export {
  type Allowance,
  type LanguageModelUsage,
  openAccount,
  type StoredReply,
  type UsageLedger,
  usageOf,
} from './chat/index.ts';
export {
  createVectorIndex,
  DIMENSIONS,
  type FrameVectors,
  groupsOf,
  quantize,
  SCANNED_IN_MEMORY,
  type VectorIndex,
} from './embeddings/index.ts';
export { createEngine } from './engine.ts';
export type { Engine } from './engine-types.ts';
export { DEFAULT_MIN_CONFIDENCE } from './find/index.ts';
export * from './live/index.ts';
export * from './models/index.ts';
export {
  type ArtifactName,
  type Artifacts,
  detectorIn,
  familyOf,
  isFinerVersion,
  type PartialArtifacts,
  type RangeStore,
  rangeIn,
  rangeSuffix,
} from './observe/index.ts';
export type { ObjectEmbeddings, ObservationKind, TimeRange } from './observe/observations.ts';
export { INSPECT_SIDECAR } from './observe/telemetry/inspect-sidecar.ts';
export type { Depth, ObserverStatus } from './observe/types.ts';
export type { Pass } from './passes/index.ts';
export { isBlocked, namesZone, type Plan, planSchema, type Zone, type ZonePoint } from './plan/index.ts';
export { isWorthAnswering, type PreliminaryEvent, resolvePreliminary, updatePreliminary } from './preliminary/index.ts';
export * from './series/index.ts';
export { type OutputSchema, outputSchemaSchema, type StructuredOutput } from './structured/index.ts';
export type * from './types.ts';
export {
  CAPTION_MODES,
  type CallLedger,
  type CaptionMode,
  CLIP_STEP_S,
  type ProbeReport,
  probeProfile,
  type VerifyMode,
} from './vision/index.ts';
