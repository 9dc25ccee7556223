export { createEngine, type Engine } from './engine.ts';
export { DEFAULT_MIN_CONFIDENCE } from './find/index.ts';
export * from './live/index.ts';
export type { ObservationKind } from './observe/observations.ts';
export { describeSidecar } from './observe/telemetry/sidecar.ts';
export type { Depth, ObserverStatus } from './observe/types.ts';
export type { Pass } from './passes/index.ts';
export { type Plan, planSchema } from './plan/index.ts';
export type * from './types.ts';
