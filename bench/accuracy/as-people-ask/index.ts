export { judge } from './judge.ts';
export type { TypedClip } from './label.ts';

import type { TypedClip } from './label.ts';
import { OTHER } from './other.ts';
import { ROAD_DRIVING } from './road-driving.ts';
import { ROAD_FIXED } from './road-fixed.ts';
import { ROBOTICS } from './robotics.ts';
import { SECURITY } from './security.ts';

/** All clips with prompts as people type them. */
export const AS_PEOPLE_ASK: readonly TypedClip[] = [...ROAD_DRIVING, ...ROAD_FIXED, ...SECURITY, ...ROBOTICS, ...OTHER];
