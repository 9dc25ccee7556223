import type { FrameRequest } from '#platform/media/index';
import { decodeObservation } from '../decode-observation.ts';
import { decodeSelected } from '../decode-selected.ts';
import { COLORS } from '../objects/colors.ts';
import { createDetector, type Detector, type FrameDetections } from '../objects/detector/detector.ts';
import { detectorName, detectorOf, toDetectorSize } from '../objects/detectors.ts';
import { isRare } from '../objects/frequent-classes.ts';
import type { Objects, Track } from '../objects/observation.ts';
import { type ObjectsSettings, objects, prepareDetector } from '../objects/observer.ts';
import { createTrackBuilder } from '../objects/track-builder.ts';
import { IDENTITY_TRANSFORM } from '../objects/tracker/camera-transform.ts';
import { defineTaskObserver, type EncodedObservation, type TaskObserverContext, type VideoFacts } from '../types.ts';
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
  version: 'fine-objects-2',
  depth: 'dense',
  onDemand: true,
  usesDetector: true,
  relativeDuration: 0.5,
  source: objects.kind,
  async prepare(deps) {
    const prepared = await prepareDetector(deps);
    if ('unavailable' in prepared) return prepared;
    const { side, fineSide, contract } = detectorOf(prepared.settings.model);
    const name = detectorName(prepared.settings.model);
    if (contract === 'ssd') return { unavailable: `${name} sees every frame at the same small size` };
    return side === COARSE_SIDE && fineSide === undefined
      ? prepared
      : { unavailable: `${name} examines larger frames anyway` };
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
    const frames = selectFrames(found);
    const times = frames.map((frame) => found.timeS[frame]!);
    const scales = await openScales(settings, video);
    if (!scales) return { observation: trackMissed(found, [], [], []), ...duration };
    const byStamp = new Map(frames.map((frame) => [found.pts[frame]!, frame]));
    /** Frames that were decoded for each scale: of a damaged video, some may be missing. */
    const examined = scales.map((): number[] => []);
    const toRequest = ({ size, detector }: Scale, scale: number): Omit<FrameRequest, 'atS'> => ({
      ...size,
      format: 'rgb',
      sharp: true,
      onFrame: async ({ data, pts }) => {
        const frame = byStamp.get(pts);
        if (frame === undefined) return;
        const count = examined[scale]!.push(frame);
        await detector.detect(data);
        onProgress(count / times.length);
      },
    });
    try {
      await decodeSelected(decoder, path, times, scales.map(toRequest));
      const [coarse, fine] = await Promise.all(scales.map(({ detector }) => detector.finish()));
      return { observation: trackMissed(found, examined.at(-1)!, coarse!, fine!), ...duration };
    } finally {
      await Promise.all(scales.map(({ detector }) => detector.close()));
    }
  },
});

type Scale = { size: { width: number; height: number }; detector: Detector };

/** Detectors for the enlarged copies; null if the model cannot see them, such as one that was exported for one size. */
async function openScales({ weights, model }: ObjectsSettings, video: VideoFacts): Promise<Scale[] | null> {
  const scales: Scale[] = [];
  try {
    for (const side of SIDES) {
      const spec = { ...detectorOf(model), side };
      const size = toDetectorSize(video, spec);
      const detector = await createDetector({ weights, spec, ...size, threads: 1 });
      scales.push({ size, detector });
      await detector.detect(new Uint8Array(3 * size.width * size.height));
      await detector.finish();
    }
    return scales;
  } catch {
    await Promise.all(scales.map(({ detector }) => detector.close()));
    return null;
  }
}

type Detected = readonly Pick<FrameDetections, 'detections'>[];

/**
 * Tracks what both scales of the examined frames show and `found` does not. These tracks have no colors: most of the
 * objects are so small that their pixels mix with those around. Rare classes are left out: of those in the labeled
 * clips, most are something else.
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
  const tracks = builder
    .finish()
    .filter((track) => !isRare(track.className) && isFollowed(track))
    .map((track) => ({ ...bridgeFrames(track, frames), id: lastId + track.id }));
  return { model: found.model, timeS: Float64Array.from(frames, (frame) => found.timeS[frame]!), tracks };
}

/** Distance of the boxes of one object in two examined frames, in its sizes. */
const MAX_STEP = 1.5;

/** True if a track moves little from each examined frame to the next: what is farther away may be another object. */
function isFollowed({ x, y, width, height }: Track): boolean {
  return x.every((_, k) => {
    const next = Math.min(k + 1, x.length - 1);
    return (
      Math.abs(x[next]! - x[k]!) < (MAX_STEP * (width[k]! + width[next]!)) / 2 &&
      Math.abs(y[next]! - y[k]!) < (MAX_STEP * (height[k]! + height[next]!)) / 2
    );
  });
}
