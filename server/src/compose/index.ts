/**
 * The composition root. Every part is created here once and receives only what it uses. Nothing listens and no job runs
 * before `start`.
 */
export { compose, type SightlineService } from './compose.ts';
export type { Overrides, Roles } from './types.ts';
