import { glance } from './glance/observer.ts';
import { objects } from './objects/observer.ts';
import type { AnyObserver } from './observer.ts';
import { signals } from './signals/observer.ts';
import { sound } from './sound/observer.ts';
import { telemetry } from './telemetry/observer.ts';
import { triage } from './triage/observer.ts';

/** Everything that observes. */
export const OBSERVERS = [signals, sound, objects, triage, glance, telemetry] as const satisfies readonly AnyObserver[];

/** Observations in which nothing was observed: null for every kind. */
export const NOTHING_OBSERVED = Object.fromEntries(OBSERVERS.map(({ kind }) => [kind, null])) as Record<
  (typeof OBSERVERS)[number]['kind'],
  null
>;
