import type { Rule } from '../rule.ts';
import { CARRIER } from './camera-carrier.ts';
import { DURATIONS } from './durations.ts';
import { MOTION } from './motion.ts';
import { PICTURE } from './picture.ts';

export { isOurManeuver } from './camera-carrier.ts';

/** Constructions of spoken English, in which a word has another part than in a written sentence. */
export const COLLOQUIAL: readonly Rule[] = [...DURATIONS, ...CARRIER, ...PICTURE, ...MOTION];
