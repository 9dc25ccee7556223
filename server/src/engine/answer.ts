import { describe } from './describe/index.ts';
import { find } from './find/index.ts';
import type { Answer } from './index.ts';
import type { Observations } from './observe/observations.ts';
import type { Plan } from './plan/index.ts';

/**
 * Answers a plan from observations: pure and quick (a ten-minute video takes tens of milliseconds), and deterministic to the byte: the same
 * plan over the same observations gives the same answer on any machine.
 */
export function answer(plan: Plan, observations: Observations): Answer {
  return describe(plan, find(plan, observations), observations);
}
