import type { Observations } from '../observations.ts';

/**
 * Uses the observations of the sparse pass as signals, objects and sound if neither signals nor objects of the dense
 * pass exist. Otherwise removes the sparse pass.
 */
export function mergeSparsePass(observations: Observations): Observations {
  const { sparsePass } = observations;
  if (!sparsePass || observations.signals || observations.objects) return { ...observations, sparsePass: null };
  const { signals, objects, sound } = sparsePass;
  return { ...observations, signals, objects, sound };
}
