import type { Quantity } from '../terms.ts';
import type { Dimension } from './senses.ts';

/** Dimensions of the units of each quantity; null for one that a prompt cannot limit. */
export const DIMENSIONS: Readonly<Record<Quantity, Dimension | null>> = {
  speed: 'speed',
  acceleration: 'acceleration',
  deceleration: 'acceleration',
  lateral_acceleration: 'acceleration',
  yaw_rate: 'angular_rate',
  loudness: null,
  channel: 'beyond',
};
