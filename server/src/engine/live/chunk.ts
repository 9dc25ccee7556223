import { deserialize, serialize } from 'node:v8';
import type { Look } from '../observe/objects/tracker.ts';
import type { Signals, Sound, VideoFacts } from '../observe/observations.ts';
import { ENGINE_VERSION } from '../version.ts';

/**
 * What was observed in one piece of a stream. Times are seconds from its first frame; its signals may begin a little before that, with what is known better now of
 * the end of the piece before.
 */
export type Chunk = {
  video: VideoFacts;
  signals: Signals;
  sound: Sound | null;
  /** What the detector saw; null where it did not look. */
  seen: Seen | null;
};

export type Seen = { model: string; looks: SeenLook[] };
/** One look, before anything is followed from one to the next. `colors` as `Things.take` has them. */
export type SeenLook = { look: Look; pts: number; colors: Float32Array };

/** The end of a piece, for who observes the next one: what happens between two frames is seen only with both. */
export type Lead = { frames: LeadFrame[]; lookedS: number | null };
export type LeadFrame = { data: Uint8Array; timeS: number; pts: number };

/** The chunk as bytes to store; `null` for bytes of another version. */
export const encodeChunk = (chunk: Chunk): Uint8Array => serialize({ version: ENGINE_VERSION, chunk });

export function decodeChunk(bytes: Uint8Array): Chunk | null {
  const { version, chunk } = deserialize(bytes) as { version: string; chunk: Chunk };
  return version === ENGINE_VERSION ? chunk : null;
}
