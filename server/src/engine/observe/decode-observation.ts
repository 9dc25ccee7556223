import { unpackArtifact } from './artifact.ts';
import type { EncodedObservation, VideoFacts } from './types.ts';

/** Decodes an artifact. Throws `observation_damaged` (500) if it is damaged or of another kind. */
export function decodeObservation<Observation>(
  { kind, decode }: { kind: string; decode(stored: EncodedObservation): Observation },
  bytes: Uint8Array,
): { video: VideoFacts; observation: Observation } {
  const { facts, arrays } = unpackArtifact(bytes, kind);
  const { video, ...own } = facts as { video: VideoFacts };
  return { video, observation: decode({ facts: own, arrays }) };
}
