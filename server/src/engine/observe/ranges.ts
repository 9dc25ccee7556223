import { decodeObservation } from './decode-observation.ts';
import { objects } from './objects/observer.ts';
import type { ObservationKind, Observations } from './observations.ts';
import { signals } from './signals/observer.ts';
import type { TimeRange } from './types.ts';

/** Name of an artifact of a video: its kind, and for a part of the video the range. */
export type ArtifactName = ObservationKind | `${ObservationKind}@${string}`;

/** Artifacts of a video by name. */
export type Artifacts = ReadonlyMap<ArtifactName, Uint8Array>;

/** Artifacts of a video of which the first `untilS` seconds were seen; null: all of it. */
export type PartialArtifacts = { artifacts: Artifacts; untilS: number | null };

/** The part of a name or version that states a range: "@120-180". */
export const rangeSuffix = ({ fromS, untilS }: TimeRange) => `@${fromS}-${untilS}` as const;

/** The range in a name or version; null if it is that of a whole video. */
export function rangeIn(name: string): TimeRange | null {
  const match = /@([\d.]+)-([\d.]+)$/.exec(name);
  return match && { fromS: Number(match[1]), untilS: Number(match[2]) };
}

/**
 * The ranges of which every frame was observed, ascending. Of ranges that overlap, the first one counts. With
 * `withObjects` only those that a detector observed.
 */
export function listRanges(artifacts: Artifacts, { withObjects }: { withObjects: boolean }): TimeRange[] {
  const ranges = [...artifacts.keys()]
    .filter((name) => name.startsWith(`${signals.kind}@`))
    .map((name) => rangeIn(name)!)
    .filter((range) => !withObjects || artifacts.has(`${objects.kind}${rangeSuffix(range)}`))
    .sort((a, b) => a.fromS - b.fromS || a.untilS - b.untilS);
  let untilS = 0;
  return ranges.filter((range) => {
    const isFree = range.fromS >= untilS;
    if (isFree) untilS = range.untilS;
    return isFree;
  });
}

/**
 * The observations of every frame in a range, with everything else from those of the whole video. `objects` is null if
 * no detector observed the range.
 */
export function decodeRange(artifacts: Artifacts, range: TimeRange, whole: Observations): Observations {
  const read = <Observation>(observer: Parameters<typeof decodeObservation<Observation>>[0]) => {
    const bytes = artifacts.get(`${observer.kind as ObservationKind}${rangeSuffix(range)}`);
    return bytes ? decodeObservation(observer, bytes).observation : null;
  };
  return {
    ...whole,
    video: { ...whole.video, range },
    sparsePass: null,
    signals: read(signals),
    objects: read(objects),
  };
}
