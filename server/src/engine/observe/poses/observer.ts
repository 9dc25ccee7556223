import type { FrameRequest } from '#platform/media/index';
import { decodeObservation } from '../decode-observation.ts';
import { decodeSelected } from '../decode-selected.ts';
import { objects, prepareDetector } from '../objects/observer.ts';
import {
  defineTaskObserver,
  type PrepareDeps,
  type Prepared,
  type TaskObserverContext,
  type Unavailable,
} from '../types.ts';
import type { PoseEstimator } from './estimator.ts';
import { VALUES_PER_POSE } from './joints.ts';
import type { Poses } from './observation.ts';
import { selectSamples } from './select-samples.ts';

export type PosesSettings = {
  /** Path of the model. */
  weights: string;
  /** Its name and digest, kept with the result. */
  model: string;
};

/** Longest side in pixels of the frames that people are cut from; smaller videos are not enlarged. */
const MAX_SIDE = 1280;
/** Digits of the weights' digest that go into versions. */
const DIGEST_DIGITS = 12;

/** Joints of tracked people, where a question is about what their bodies do. */
export const poses = defineTaskObserver({
  kind: 'poses',
  version: 'poses-1',
  depth: 'dense',
  onDemand: true,
  relativeDuration: 0.5,
  source: objects.kind,
  async prepare(deps: PrepareDeps): Promise<Prepared<PosesSettings> | Unavailable> {
    const [found, detector] = await Promise.all([deps.weights.find('poses'), prepareDetector(deps)]);
    if ('unavailable' in found) return found;
    if ('unavailable' in detector) return detector;
    const digest = found.digest.slice(0, DIGEST_DIGITS);
    return {
      settings: { weights: found.paths[0], model: `${found.name} ${digest}` },
      suffix: `${detector.suffix}.${found.name}-${digest}`,
    };
  },
  encode: ({ model, detector, ...arrays }: Poses) => ({ facts: { model, detector }, arrays }),
  decode: ({ facts, arrays }): Poses => ({
    ...(facts as Pick<Poses, 'model' | 'detector'>),
    ...(arrays as Pick<Poses, 'track' | 'frame' | 'points'>),
  }),
  async observe({ path, settings, source, decoder, onProgress }: TaskObserverContext<PosesSettings>) {
    const { video, observation: found } = decodeObservation(objects, source!);
    const duration = { durationS: video.durationS, ...(video.claimedS ? { claimedS: video.claimedS } : {}) };
    const samples = selectSamples(found, video);
    const frameOf = ({ track, entry }: (typeof samples)[number]) => track.frame[entry]!;
    const byStamp = Map.groupBy(samples, (sample) => found.pts[frameOf(sample)]!);
    const points = new Map<(typeof samples)[number], Float32Array>();
    const factor = Math.min(1, MAX_SIDE / Math.max(video.width, video.height));
    const size = { width: Math.round(video.width * factor), height: Math.round(video.height * factor) };
    // A video without people needs no model.
    const estimator = samples.length > 0 ? await open(settings.weights) : null;
    const onFrame: FrameRequest['onFrame'] = async ({ data, pts }) => {
      for (const sample of byStamp.get(pts) ?? []) {
        const { track, entry } = sample;
        const { x, y, width, height } = track;
        const box = { x: x[entry]!, y: y[entry]!, width: width[entry]!, height: height[entry]! };
        points.set(sample, await (estimator as PoseEstimator).estimate({ ...size, data }, box));
      }
      onProgress(points.size / samples.length);
    };
    try {
      const times = [...new Set(samples.map(frameOf))].sort((a, b) => a - b).map((frame) => found.timeS[frame]!);
      await decodeSelected(decoder, path, times, [{ ...size, format: 'rgb', onFrame }]);
    } finally {
      await estimator?.close();
    }
    // Of a damaged video, frames may be missing.
    const examined = samples.filter((sample) => points.has(sample));
    const joined = new Float32Array(examined.length * VALUES_PER_POSE);
    for (const [at, sample] of examined.entries()) joined.set(points.get(sample)!, at * VALUES_PER_POSE);
    const observation: Poses = {
      model: settings.model,
      detector: found.model,
      track: Int32Array.from(examined, ({ track }) => track.id),
      frame: Int32Array.from(examined, frameOf),
      points: joined,
    };
    return { observation, ...duration };
  },
});

/** Opens the model. Its library is loaded only where there is somebody to look at. */
async function open(weights: string): Promise<PoseEstimator> {
  const { openEstimator } = await import('./estimator.ts');
  return openEstimator(weights);
}
