export { COMPILER, type ProcessAccount } from './account.ts';
export { listCode } from './readable-files.ts';
export { openRoom, type PreparedTask, type TaskFiles } from './room.ts';
export {
  findSandboxes,
  type Sandbox,
  type SandboxLevel,
  type SandboxReport,
  type SandboxSettings,
} from './sandbox.ts';
