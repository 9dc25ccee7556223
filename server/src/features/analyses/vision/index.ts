export type * from './types.ts';
export { createVisionCalls, type VisionCalls } from './vision-calls.ts';
