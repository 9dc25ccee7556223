import type { Depth, ObservationKind, PartialArtifacts, Pass, TimeRange } from '#engine/index';
import type { Transaction } from '#platform/db/index';

export type AvailableObserver = {
  kind: ObservationKind;
  depth: Depth;
  ranged?: boolean;
  onDemand?: boolean;
  /** Kind of the observation that it is made from. */
  source?: ObservationKind;
  version: string;
  /** Reason why it uses a weaker model, if it does. */
  fallback?: string;
};

/** `name`: the detector that a query chose; null for that of the service. `isNeeded`: its answer depends on objects. */
export type DetectorChoice = { name: string | null; isNeeded: boolean };

/** The organization of a request, and how urgent it is. */
export type Requester = { orgId: string; priority: 'interactive' | 'batch' | 'background' };

export type ObtainOptions = {
  videoId: string;
  /** Detector for new observations. If none is needed, stored observations by another one serve. */
  detector: DetectorChoice;
  /** Lease holder of one attempt of one job: `<job id>:<attempt>`. */
  holder: string;
  /** The request that waits for the observations. */
  requester: Requester;
  /** The pass that is needed. Instead of a sparse pass, an existing dense one is used. */
  pass: Pass;
  /** Kinds to observe of those that are only observed on demand. */
  onDemand: readonly ObservationKind[];
  /** Kinds to observe instead of all that the pass has. */
  only?: readonly ObservationKind[];
  /** Returns a local path of the video. Called only if the video has to be decoded. */
  path: () => Promise<string>;
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
  /** Receives the observations of the video so far, while they are made. */
  onPartial?: (partial: PartialArtifacts) => void;
  /** Runs in the transaction that stores new observations. */
  onReady: (trx: Transaction) => Promise<void>;
};

/** Options of observing a video under a lease, for any observers. */
export type LeasedOptions = Omit<ObtainOptions, 'pass' | 'onDemand' | 'only'>;

/** Options of observing every frame in ranges of a video, which gives no partial observations. */
export type ObtainRangesOptions = LeasedOptions & { ranges: readonly TimeRange[] };
