import { availableParallelism } from 'node:os';
import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import type { ObservationKind, ObserveOptions, Observer } from '../index.ts';
import type { VideoFacts } from './observations.ts';
import { observeProblem } from './problems.ts';
import type { ObserveArgs, ObserveResult, TryDetectorArgs } from './process.ts';
import type { TelemetryArgs } from './telemetry/task.ts';
import type { TriageArgs } from './triage/task.ts';
import { VERSIONS } from './versions.ts';
import type { Weights, WeightsFinder } from './weights.ts';

export { isArtifact } from './artifact.ts';
export { decodeObservations } from './encoding.ts';
export { createWeights } from './weights.ts';

/**
 * Observe: turns a video into observations, one artifact per kind, in one decoding pass inside a media process. What it finds depends on the
 * video and the observers' versions and on nothing else.
 */
export type Observe = {
  observers(): Promise<Observer[]>;
  observe(
    path: string,
    kinds: readonly ObservationKind[],
    options?: ObserveOptions & { sidecar?: Uint8Array | null },
  ): Promise<Map<ObservationKind, Uint8Array>>;
};

const TASKS = new URL('./process.ts', import.meta.url);
const TELEMETRY = new URL('./telemetry/task.ts', import.meta.url);
const TRIAGE = new URL('./triage/task.ts', import.meta.url);
/** Detecting takes as long as decoding at this size; of larger pictures one thread sees all that is decoded, of smaller ones it takes two. */
const LARGE_PIXELS = 1e6;
/** What one pass over every frame observes. */
const DENSE: ReadonlySet<ObservationKind> = new Set<ObservationKind>(['signals', 'sound', 'objects']);
/** Of the time that both depths take, triage's part. */
const TRIAGE_SHARE = 0.03;
const TRY_TIMEOUT_S = 60;
/** Digits of the weights' digest that go into versions. */
const DIGEST_DIGITS = 12;

export function createObserve({ media, weights, log }: { media: Media; weights: WeightsFinder; log: Log }): Observe {
  /** Why weights do not work, or null when they do; by digest. */
  const tried = new Map<string, Promise<string | null>>();

  function tryWeights({ path, digest }: Weights): Promise<string | null> {
    const known = tried.get(digest);
    if (known) return known;
    const args: TryDetectorArgs = { weights: path };
    const outcome = media
      .run<string | null>({ module: TASKS, name: 'tryDetector', args }, { timeoutS: TRY_TIMEOUT_S })
      .catch((error: Error) => {
        // What went wrong may have been the machine's fault: the next one tries again.
        tried.delete(digest);
        log.warn({ err: error, path }, 'the detector could not be tried');
        return error.message;
      });
    tried.set(digest, outcome);
    return outcome;
  }

  async function detector(): Promise<Weights | { unavailable: string }> {
    const found = await weights.find();
    if ('unavailable' in found) return found;
    const wrong = await tryWeights(found);
    return wrong === null ? found : { unavailable: `The detector's weights ${found.path} do not work: ${wrong}` };
  }

  // The two engines scale pictures a little differently.
  const versionOf = (version: string) => (media.engine === 'node-av' ? version : `${version}.${media.engine}`);

  return {
    async observers() {
      const found = await detector();
      return [
        { kind: 'triage', version: versionOf(VERSIONS.triage) },
        { kind: 'signals', version: versionOf(VERSIONS.signals) },
        { kind: 'sound', version: versionOf(VERSIONS.sound) },
        { kind: 'telemetry', version: VERSIONS.telemetry },
        'unavailable' in found
          ? { kind: 'objects', unavailable: found.unavailable }
          : { kind: 'objects', version: versionOf(`${VERSIONS.objects}.${found.name}.${shortDigest(found)}`) },
      ];
    },

    async observe(path, kinds, { signal, onProgress, sidecar = null } = {}) {
      const found = kinds.includes('objects') ? await detector() : null;
      if (found && 'unavailable' in found) throw observeProblem.observer_unavailable(found.unavailable);
      const { video, durationS, audio } = await media.probe(path, { signal });
      const facts: VideoFacts = {
        durationS,
        width: video.width,
        height: video.height,
        timeBase: video.timeBase,
        hasAudio: audio !== null,
      };
      const args: ObserveArgs = {
        path,
        video: facts,
        signals: kinds.includes('signals'),
        sound: kinds.includes('sound'),
        objects: found && {
          weights: found.path,
          model: `${found.name} ${shortDigest(found)}`,
          threads: video.width * video.height > LARGE_PIXELS || availableParallelism() === 1 ? 1 : 2,
        },
      };
      const made: Partial<Record<ObservationKind, Uint8Array>> = {};
      if (kinds.includes('telemetry')) {
        const args: TelemetryArgs = { path, video: facts, sidecar };
        made.telemetry = await media.run({ module: TELEMETRY, name: 'telemetry', args }, { signal });
      }
      const dense = kinds.some((kind) => DENSE.has(kind));
      const triageShare = kinds.includes('triage') ? (dense ? TRIAGE_SHARE : 1) : 0;
      const part = (from: number, to: number) => ({
        signal,
        onProgress: (fraction: number) => onProgress?.(from + (to - from) * fraction),
      });
      if (triageShare > 0) {
        const args: TriageArgs = { path, video: facts };
        made.triage = await media.run({ module: TRIAGE, name: 'triage', args }, part(0, triageShare));
      }
      if (dense) {
        const task = { module: TASKS, name: 'observe', args };
        Object.assign(made, await media.run<ObserveResult>(task, part(triageShare, 1)));
      }
      return new Map(kinds.map((kind) => [kind, made[kind]!]));
    },
  };
}

const shortDigest = ({ digest }: Weights) => digest.slice(0, DIGEST_DIGITS);
