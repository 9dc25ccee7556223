import type { Observations } from '../observations.ts';

/** What finders read: where the pictures of a video were only glanced at, what that showed stands in for what observing every frame would. Otherwise there is no glance. */
export function withGlance(observations: Observations): Observations {
  const { glance } = observations;
  if (!glance || observations.signals || observations.objects) return { ...observations, glance: null };
  const { signals, objects, sound } = glance;
  return { ...observations, signals, objects, sound };
}
