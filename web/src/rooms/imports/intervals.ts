import { msg } from '@lingui/core/macro';

/** Intervals of scheduled imports that the console offers. */
export const INTERVALS = [
  { minutes: 15, name: msg`15 minutes` },
  { minutes: 60, name: msg`Hour` },
  { minutes: 360, name: msg`6 hours` },
  { minutes: 1_440, name: msg`Day` },
  { minutes: 10_080, name: msg`Week` },
] as const;
