export type { Death } from './death.ts';
export { type MediaProcess, type MediaProcessSettings, spawnMediaProcess } from './media-process.ts';
export { createProcessPool, type PoolLoad, type ProcessPool } from './pool.ts';
export {
  findSandboxes,
  listCode,
  type Sandbox,
  type SandboxReport,
  type SandboxSettings,
} from './sandbox/index.ts';
export { compilerFor, openBest } from './start.ts';
export type { MediaTask, MediaTaskOptions, TaskContext, TaskPriority } from './types.ts';
