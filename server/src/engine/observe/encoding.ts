import { packArtifact } from './artifact.ts';
import { decodeObservation } from './decode-observation.ts';
import type { Observations, VideoFacts } from './observations.ts';
import { OBSERVERS } from './observers.ts';
import type { EncodedObservation } from './types.ts';

/** Encodes an observation as an artifact, together with the facts about its video. */
export function encodeObservation<Observation>(
  { kind, encode }: { kind: string; encode(observation: Observation): EncodedObservation },
  video: VideoFacts,
  observation: Observation,
): Uint8Array {
  const { facts, arrays } = encode(observation);
  return packArtifact({ kind, facts: { video, ...facts }, arrays });
}

/** Decodes the artifacts of a video, by kind. At least one is required. */
export function decodeObservations(artifacts: ReadonlyMap<string, Uint8Array>): Observations {
  let facts: VideoFacts | null = null;
  const observations = Object.entries(OBSERVERS).map(([name, observer]) => {
    const bytes = artifacts.get(observer.kind);
    if (!bytes) return [name, null];
    const { video, observation } = decodeObservation<unknown>(observer, bytes);
    facts ??= video;
    return [name, observation];
  });
  if (!facts) throw new Error('No artifacts to decode.');
  return { video: facts, ...Object.fromEntries(observations) };
}
