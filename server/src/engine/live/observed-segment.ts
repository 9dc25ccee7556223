import { deserialize, serialize } from 'node:v8';
import type { FrameSample } from '../observe/objects/tracker/tracker.ts';
import type { AudioLevels, Signals, VideoFacts } from '../observe/observations.ts';
import { ENGINE_VERSION } from '../version.ts';
import type { StreamSighting } from './sightings.ts';

/**
 * Observations of one segment of a stream. Times are seconds from its first frame. Signals may start a little
 * earlier: they replace the end of the previous segment, which is known better with the following frames.
 */
export type ObservedSegment = {
  video: VideoFacts;
  signals: Signals;
  sound: AudioLevels | null;
  /** Detections; null if the detector was not used. */
  detections: SegmentDetections | null;
  /** Sightings of a vision-language model that were known when this segment was observed; absent without a model. */
  sightings?: StreamSighting[];
};

export type SegmentDetections = { model: string; samples: DetectedSample[] };
/** Detections of one frame, before tracking. `colors` as in `TrackBuilder.add`. */
export type DetectedSample = { sample: FrameSample; pts: number; colors: Float32Array };

/**
 * Seconds of a segment that the next one starts with. The first half only warms up the filters, the second half is
 * observed again.
 */
export const TAIL_S = 1;

/** The end of a segment, for the observation of the next one: changes between two frames need both. */
export type SegmentTail = { frames: TailFrame[]; lastDetectionS: number | null };
export type TailFrame = { data: Uint8Array; timeS: number; pts: number };

/** Encodes a segment for storage. Decoding returns null for bytes of another engine version. */
export const encodeObservedSegment = (chunk: ObservedSegment): Uint8Array =>
  serialize({ version: ENGINE_VERSION, chunk });

export function decodeObservedSegment(bytes: Uint8Array): ObservedSegment | null {
  const { version, chunk } = deserialize(bytes) as { version: string; chunk: ObservedSegment };
  return version === ENGINE_VERSION ? chunk : null;
}
