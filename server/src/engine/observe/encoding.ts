import { pack, unpack } from './artifact.ts';
import type { ObservationKind, Observations, VideoFacts } from './observations.ts';
import type { Stored } from './observer.ts';
import { OBSERVERS } from './observers.ts';

/** Observations as artifacts and back: one artifact per kind, each with the facts about its video, so that any of them can be read alone. */
export function encode<Observation>(
  { kind, encode }: { kind: string; encode(observation: Observation): Stored },
  video: VideoFacts,
  observation: Observation,
): Uint8Array {
  const { facts, arrays } = encode(observation);
  return pack({ kind, facts: { video, ...facts }, arrays });
}

export function decode<Observation>(
  { kind, decode }: { kind: string; decode(stored: Stored): Observation },
  bytes: Uint8Array,
): { video: VideoFacts; observation: Observation } {
  const { facts, arrays } = unpack(bytes, kind);
  const { video, ...own } = facts as { video: VideoFacts };
  return { video, observation: decode({ facts: own, arrays }) };
}

/** Puts together what is there. At least one artifact has to be. */
export function decodeObservations(artifacts: ReadonlyMap<ObservationKind | string, Uint8Array>): Observations {
  let facts: VideoFacts | null = null;
  const observations = OBSERVERS.map((observer) => {
    const bytes = artifacts.get(observer.kind);
    if (!bytes) return [observer.kind, null];
    const { video, observation } = decode<unknown>(observer, bytes);
    facts ??= video;
    return [observer.kind, observation];
  });
  if (!facts) throw new Error('There are no observations to put together.');
  return { video: facts, ...Object.fromEntries(observations) };
}
