import { describe } from './describe/index.ts';
import { createScene, find, type Scene } from './find/index.ts';
import type { Answer } from './index.ts';
import type { Observations } from './observe/observations.ts';
import type { Plan } from './plan/index.ts';

/**
 * Answers a plan from observations: pure and quick (a ten-minute video takes tens of milliseconds), and deterministic to the byte: the same
 * plan over the same observations gives the same answer on any machine.
 */
export function answer(plan: Plan, observations: Observations): Answer {
  return answerScene(plan, createScene(observations));
}

/** The same from what earlier answers have worked out already. */
export function answerScene(plan: Plan, scene: Scene): Answer {
  return describe(plan, find(plan, scene), scene.observations);
}
