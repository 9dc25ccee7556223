import { createColumn, float64 } from '../columns.ts';
import type { FrameStep } from '../signals/collector.ts';
import { UNKNOWN_CLASS } from './classes.ts';
import { estimateExposure, measureColorShares } from './colors.ts';
import { createDetector, type FrameDetections } from './detector/detector.ts';
import { openScales } from './detector/scales.ts';
import { detectorOf } from './detectors.ts';
import type { Objects } from './observation.ts';
import { createTrackBuilder, type TrackBuilder } from './track-builder.ts';
import { accumulateMotion, type CameraTransform, IDENTITY_TRANSFORM } from './tracker/camera-transform.ts';
import { createMovingRegions } from './tracker/moving-regions.ts';
import type { FrameSample } from './tracker/tracker.ts';

/** Seconds between two frames for the detector: five frames per second are enough to follow people and cars. */
export const DETECTION_INTERVAL_S = 0.2;

/** Detects objects in a few frames per second and tracks them. */
export type ObjectsObserver = {
  /** Size of the frames it takes, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Size of the larger copy of each frame, which it takes before the frame; null if the detector sees no other. */
  readonly fine: { width: number; height: number; take(frame: TimedFrame): Promise<void> | void } | null;
  /**
   * Takes the motion between two analyzed frames. To be called for every frame, before `take` with the frame itself.
   */
  addMotion(step: FrameStep, timeS: number): void;
  /** Starts counting motion at the last frame, which was sampled by an earlier observer. */
  resetMotion(): void;
  /** Takes a frame (RGB). Awaiting the result keeps decoding from running ahead. */
  take(rgb: Uint8Array, timeS: number, pts: number): Promise<void> | void;
  finish(): Promise<Objects>;
  close(): Promise<void>;
};

type TimedFrame = { data: Uint8Array; timeS: number };

export async function createObjectsObserver({
  weights,
  model,
  displaySize,
  threads,
  trackBuilder = createTrackBuilder(),
  open = createDetector,
}: {
  /** Path of the detector weights. */
  weights: string;
  /** Name and digest of the weights, stored with the result. */
  model: string;
  /** Display size of the video, in pixels. */
  displaySize: { width: number; height: number };
  threads: number;
  /** Builds tracks from the samples. */
  trackBuilder?: TrackBuilder;
  /** Creates the detector. */
  open?: typeof createDetector;
}): Promise<ObjectsObserver> {
  const spec = detectorOf(model);
  const detector = await openScales({ weights, spec, displaySize, threads, open });
  const { size, fineSize } = detector;
  const movers = createMovingRegions();
  const times = createColumn(float64);
  const stamps = createColumn(float64);
  /** Samples without detections yet, with the colors of moving regions. */
  const pending: (Omit<FrameSample, 'detections'> & { colors: Float32Array[] })[] = [];
  let camera: CameraTransform = IDENTITY_TRANSFORM;
  let cut = false;
  let previousS = 0;

  const resetMotion = () => {
    camera = IDENTITY_TRANSFORM;
    cut = false;
  };
  const addToTracks = (found: readonly FrameDetections[]) => {
    pending.splice(0, found.length).forEach(({ colors, ...sample }, at) => {
      const { detections, colors: detected } = found[at]!;
      trackBuilder.add({ ...sample, detections }, colors.length > 0 ? flat([detected, ...colors]) : detected);
    });
  };

  return {
    ...size,
    fine: fineSize && { ...fineSize, take: ({ data, timeS }) => detector.detectFine(data, timeS) },
    addMotion({ motion, cut: score, moving }, timeS) {
      camera = accumulateMotion(camera, motion);
      cut ||= isCut(score, timeS - previousS);
      previousS = timeS;
      movers.addMotion(motion, moving, timeS);
    },
    resetMotion,
    take(rgb, timeS, pts) {
      const moving = movers.boxes(timeS);
      times.push(timeS);
      stamps.push(pts);
      const exposure = moving.length > 0 ? estimateExposure({ rgb }) : 1;
      const colors = moving.map((box) =>
        measureColorShares({ ...size, rgb }, { ...box, classIndex: UNKNOWN_CLASS }, exposure),
      );
      pending.push({ timeS, camera, cut, moving, colors });
      resetMotion();
      const room = detector.detect(rgb, timeS);
      addToTracks(detector.takeResults());
      return room;
    },
    async finish() {
      addToTracks(await detector.finish());
      return {
        model,
        classes: [...spec.classes],
        timeS: times.toArray(),
        pts: stamps.toArray(),
        tracks: trackBuilder.finish(),
      };
    },
    close: () => detector.close(),
  };
}

/**
 * Score from which a frame is a cut, and how much more it needs at one frame per second and slower, when all motion
 * causes large changes.
 */
const CUT = 50;
const CUT_SLOWLY = 30;

const isCut = (score: number, dt: number) => score >= CUT + CUT_SLOWLY * Math.min(1, Math.max(0, (dt - 0.1) / 0.4));

const flat = (parts: readonly Float32Array[]) => Float32Array.from(parts.flatMap((part) => [...part]));
