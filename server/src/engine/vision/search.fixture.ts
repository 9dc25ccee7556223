import { afterEach } from 'vitest';
import type { Adversary } from '#test/servers/vision-adversaries';
import type { Truth } from '#test/servers/vision-oracle';
import { observations, signals } from '../find/observations.fixture.ts';
import { createPlanner, type Plan } from '../plan/index.ts';
import { type Eyes, type EyesOptions, framesOf, openEyes } from './oracle.fixture.ts';

export const planner = createPlanner();
export const clip = (seconds: number) => observations(seconds, { signals: signals(seconds) });

/** Opens a search with an oracle, or an adversary. It is closed after the test, or when the test opens another. */
export function useEyes() {
  let eyes: Eyes | null = null;
  afterEach(async () => {
    await eyes?.close();
    eyes = null;
  });
  return async (adversary?: Adversary, options?: EyesOptions): Promise<Eyes> => {
    await eyes?.close();
    eyes = await openEyes(adversary, options);
    return eyes;
  };
}

const plans = new Map<string, Plan>();
/** The plan of a prompt that many models answer. */
function planOnce(prompt: string): Plan {
  const plan = plans.get(prompt) ?? planner.planQuery(prompt);
  plans.set(prompt, plan);
  return structuredClone(plan);
}

export async function look(prompt: string, seconds: number, truth: Truth, on: Eyes, more: object = {}) {
  const plan = planOnce(prompt);
  const result = await on.search.search({
    plan,
    observations: clip(seconds),
    source: framesOf(on.oracle, truth),
    ...more,
  });
  return result!;
}
