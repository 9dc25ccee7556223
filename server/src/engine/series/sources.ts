import { partOf, type StoredArrays } from './stored-arrays.ts';
import type { StoredObservations, UnavailableReason } from './types.ts';

/** The arrays of one part of the observations, of the dense pass if there is one. */
export type PassArrays = { arrays: StoredArrays; pass: 'dense' | 'sparse' };

/** The arrays of a part from the dense pass, or from the sparse pass; null if there are none. */
export function selectPass(stored: StoredObservations, part: 'signals' | 'objects' | 'sound'): PassArrays | null {
  const dense = stored.get(part);
  if (dense) return { arrays: dense, pass: 'dense' };
  const sparse = stored.get('glance');
  const arrays = sparse ? partOf(sparse, part) : null;
  return arrays && { arrays, pass: 'sparse' };
}

/** Sentences for fields without values. */
export const SENTENCES: Record<Exclude<UnavailableReason, 'none_found'>, string> = {
  not_observed: 'This video was not observed yet. The first question about it observes it.',
  needs_every_frame:
    'Only some frames of this video were observed. A question in `thinking` mode observes every frame.',
  no_detector: 'The object detector was not available when this video was processed.',
  no_audio: 'This video has no audio.',
  no_telemetry: 'This video has no telemetry.',
  not_measured: 'The telemetry of this video does not contain this measurement.',
};
