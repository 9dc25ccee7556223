export type { Death } from './death.ts';
export { type MediaProcess, type MediaProcessSettings, spawnMediaProcess } from './media-process.ts';
export { createProcessPool } from './pool.ts';
export { findSandbox } from './sandbox.ts';
export type { MediaTask, MediaTaskOptions, TaskContext } from './types.ts';
