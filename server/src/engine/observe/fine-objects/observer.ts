import type { FrameRequest } from '#platform/media/index';
import { decodeObservation } from '../decode-observation.ts';
import { decodeSelected } from '../decode-selected.ts';
import { COLORS } from '../objects/colors.ts';
import { createDetector, type FrameDetections } from '../objects/detector/detector.ts';
import { type DetectorSpec, detectorName, detectorOf, toDetectorSize } from '../objects/detectors.ts';
import type { Objects } from '../objects/observation.ts';
import { type ObjectsSettings, objects, prepareDetector } from '../objects/observer.ts';
import { createTrackBuilder } from '../objects/track-builder.ts';
import { IDENTITY_TRANSFORM } from '../objects/tracker/camera-transform.ts';
import { defineTaskObserver, type EncodedObservation, type TaskObserverContext } from '../types.ts';
import { boxesAt, findAgreeing } from './agreeing.ts';
import { bridgeFrames } from './bridge-frames.ts';
import type { FineObjects } from './observation.ts';
import { selectFrames } from './select-frames.ts';

/** Longest sides in pixels of the copies of a frame: an object is 1.5 and 2 times as large as in that of `objects`. */
const SIDES = [640, 832] as const;
/** Side of the detectors that this is for: those that see larger frames anyway would take minutes. */
const COARSE_SIDE = 416;

/** Objects that are too small, or too unclear, for the one size in which `objects` sees every frame. */
export const fineObjects = defineTaskObserver({
  kind: 'fine_objects',
  version: 'fine-objects-1',
  depth: 'dense',
  onDemand: true,
  usesDetector: true,
  relativeDuration: 0.5,
  source: objects.kind,
  async prepare(deps) {
    const prepared = await prepareDetector(deps);
    if ('unavailable' in prepared || detectorOf(prepared.settings.model).side === COARSE_SIDE) return prepared;
    return { unavailable: `${detectorName(prepared.settings.model)} examines larger frames anyway` };
  },
  encode({ model, timeS, tracks }: FineObjects): EncodedObservation {
    return objects.encode({ model, classes: [], timeS, pts: new Float64Array(), tracks });
  },
  decode(stored): FineObjects {
    const { model, timeS, tracks } = objects.decode(stored);
    return { model, timeS, tracks };
  },
  async observe({ path, settings, source, decoder, onProgress }: TaskObserverContext<ObjectsSettings>) {
    const { video, observation: found } = decodeObservation(objects, source!);
    const duration = { durationS: video.durationS, ...(video.claimedS ? { claimedS: video.claimedS } : {}) };
    const spec = detectorOf(settings.model);
    const frames = selectFrames(found);
    const times = frames.map((frame) => found.timeS[frame]!);
    const detectors = await Promise.all(
      SIDES.map(async (side) => {
        const fine: DetectorSpec = { ...spec, side };
        const size = toDetectorSize(video, fine);
        return { size, detector: await createDetector({ weights: settings.weights, spec: fine, ...size, threads: 1 }) };
      }),
    );
    let taken = 0;
    try {
      await decodeSelected(
        decoder,
        path,
        times,
        detectors.map(({ size, detector }): Omit<FrameRequest, 'atS'> => {
          return {
            ...{ ...size, format: 'rgb', sharp: true },
            onFrame: async ({ data }) => {
              await detector.detect(data);
              onProgress(++taken / (SIDES.length * times.length));
            },
          };
        }),
      );
      const [coarse, fine] = await Promise.all(detectors.map(({ detector }) => detector.finish()));
      return { observation: trackMissed(found, frames, coarse!, fine!), ...duration };
    } finally {
      await Promise.all(detectors.map(({ detector }) => detector.close()));
    }
  },
});

type Detected = readonly Pick<FrameDetections, 'detections'>[];

/**
 * Tracks what both scales of the examined frames show and `found` does not. These tracks have no colors: most of the
 * objects are so small that their pixels mix with those around.
 */
export function trackMissed(found: Objects, frames: readonly number[], coarse: Detected, fine: Detected): FineObjects {
  const builder = createTrackBuilder();
  for (const [at, frame] of frames.entries()) {
    const detections = findAgreeing(coarse[at]!.detections, fine[at]!.detections, boxesAt(found, frame));
    const noColors = new Float32Array(detections.length * COLORS.length);
    builder.add(
      { timeS: found.timeS[frame]!, camera: IDENTITY_TRANSFORM, cut: false, moving: [], detections },
      noColors,
    );
  }
  const lastId = found.tracks.reduce((max, { id }) => Math.max(max, id), 0);
  const tracks = builder.finish().map((track) => ({ ...bridgeFrames(track, frames), id: lastId + track.id }));
  return { model: found.model, timeS: Float64Array.from(frames, (frame) => found.timeS[frame]!), tracks };
}
