import { ANIMALS as NAMES } from '../../../english/objects.ts';

/** Detector classes of what moves by itself. */
export const ANIMALS: ReadonlySet<string> = new Set(NAMES.split(', '));
export const VEHICLES: ReadonlySet<string> = new Set(['bicycle', 'car', 'motorcycle', 'bus', 'train', 'truck']);
