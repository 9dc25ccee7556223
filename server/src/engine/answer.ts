import { describe } from './describe/index.ts';
import {
  createScene,
  DEFAULT_MIN_CONFIDENCE,
  find,
  type ReviseMatch,
  type Scene,
  type SearchMatches,
} from './find/index.ts';
import type { Observations } from './observe/observations.ts';
import type { Plan } from './plan/index.ts';
import type { Answer } from './types.ts';

/**
 * Answers a plan from observations. Pure, fast (a ten-minute video takes tens of milliseconds) and deterministic to the
 * byte: the same plan and observations give the same answer on any machine.
 */
export function answer(plan: Plan, observations: Observations, minConfidence?: number): Answer {
  return answerScene(plan, createScene(observations), minConfidence);
}

/**
 * Like `answer`, with the cached results of earlier answers. `revise` changes matches that were verified, and
 * `reviseResults` what is stated about them all.
 */
export function answerScene(
  plan: Plan,
  scene: Scene,
  minConfidence = DEFAULT_MIN_CONFIDENCE,
  { revise, reviseResults = (results) => results }: Revision = {},
): Answer {
  return describe(plan, reviseResults(find(plan, scene, minConfidence, revise)), scene, minConfidence);
}

export type Revision = {
  revise?: ReviseMatch;
  reviseResults?: (results: SearchMatches[]) => SearchMatches[];
};
