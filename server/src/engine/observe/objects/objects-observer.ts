import { type Column, createColumn, float64 } from '../columns.ts';
import type { SavedPass, SavedRange } from '../resume.ts';
import type { FrameStep } from '../signals/collector.ts';
import { UNKNOWN_CLASS } from './classes.ts';
import { estimateExposure, measureColorShares } from './colors.ts';
import { createDetector } from './detector/detector.ts';
import { openScales, type ScaledDetections, type ScalesState } from './detector/scales.ts';
import { detectorOf } from './detectors.ts';
import type { Objects } from './observation.ts';
import { createTrackBuilder, type TrackBuilder } from './track-builder.ts';
import { accumulateMotion, type CameraTransform, IDENTITY_TRANSFORM } from './tracker/camera-transform.ts';
import { createMovingRegions, type MovingState } from './tracker/moving-regions.ts';
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
  /** The samples since the last call, once they are detected, and what later ones depend on now. */
  save(): Promise<SavedRange<SavedSample[], ObjectsState>>;
  /** Time of the last detected sample in seconds. */
  untilS(): number;
  /** The tracks until then; more samples may follow. */
  copy(): Objects;
  finish(): Promise<Objects>;
  close(): Promise<void>;
};

type TimedFrame = { data: Uint8Array; timeS: number };

/** A sample as it is given to the track builder, which is cheap to repeat. */
export type SavedSample = { sample: FrameSample; colors: Float32Array; pts: number };
export type ObjectsState = {
  camera: CameraTransform;
  cut: boolean;
  previousS: number;
  moving: MovingState;
  scales: ScalesState;
  /** The detections in the last sample. */
  result: ScaledDetections | null;
};

export async function createObjectsObserver({
  weights,
  model,
  displaySize,
  threads,
  trackBuilder = createTrackBuilder(),
  open = createDetector,
  savesRanges = false,
  saved = null,
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
  /** True if `save` is called after ranges. */
  savesRanges?: boolean;
  /** Saved by an earlier observer, to continue after its last sample. */
  saved?: SavedPass<SavedSample[], ObjectsState> | null;
}): Promise<ObjectsObserver> {
  const spec = detectorOf(model);
  const scales = saved && { states: saved.state.scales, result: saved.state.result };
  const detector = await openScales({ weights, spec, displaySize, threads, open, saved: scales });
  const { size, fineSize } = detector;
  const movers = createMovingRegions(saved?.state.moving);
  const times = createColumn(float64);
  const stamps = createColumn(float64);
  /** Samples without detections yet, with the colors of moving regions. */
  const pending: (Omit<FrameSample, 'detections'> & { colors: Float32Array[]; pts: number })[] = [];
  let camera: CameraTransform = saved?.state.camera ?? IDENTITY_TRANSFORM;
  let cut = saved?.state.cut ?? false;
  let previousS = saved?.state.previousS ?? 0;
  /** Samples that were detected and not saved, and the result of the last one. */
  let unsaved: SavedSample[] = [];
  let result = saved?.state.result ?? null;
  /** Saves that wait for the detection of the samples before them. */
  const saves: { after: number; resolve: () => void }[] = [];
  let taken = 0;
  let detectedCount = 0;
  for (const { sample, colors, pts } of saved?.added.flat() ?? []) {
    times.push(sample.timeS);
    stamps.push(pts);
    trackBuilder.add(sample, colors);
  }

  const resetMotion = () => {
    camera = IDENTITY_TRANSFORM;
    cut = false;
  };
  const detected = () => times.length - pending.length;
  const toObjects = (read: (column: Column<Float64Array>) => Float64Array): Objects => ({
    model,
    classes: [...spec.classes],
    timeS: read(times),
    pts: read(stamps),
    tracks: trackBuilder.finish(),
  });
  const addToTracks = (found: readonly ScaledDetections[]) => {
    pending.splice(0, found.length).forEach(({ colors: ofMoving, pts, ...rest }, at) => {
      result = found[at]!;
      const sample = { ...rest, detections: result.detections };
      const colors = ofMoving.length > 0 ? flat([result.colors, ...ofMoving]) : result.colors;
      trackBuilder.add(sample, colors);
      if (savesRanges) unsaved.push({ sample, colors, pts });
      detectedCount++;
      while (saves[0]?.after === detectedCount) saves.shift()!.resolve();
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
      pending.push({ timeS, camera, cut, moving, colors, pts });
      taken++;
      resetMotion();
      const room = detector.detect(rgb, timeS);
      addToTracks(detector.takeResults());
      return room;
    },
    save() {
      const state = { camera, cut, previousS, moving: movers.save(), scales: detector.save() };
      const { promise, resolve } = Promise.withResolvers<SavedRange<SavedSample[], ObjectsState>>();
      const save = () => {
        resolve({ added: unsaved, state: { ...state, result } });
        unsaved = [];
      };
      if (detectedCount === taken) save();
      else saves.push({ after: taken, resolve: save });
      return promise;
    },
    untilS: () => (detected() > 0 ? times.at(detected() - 1) : 0),
    copy: () => toObjects((column) => column.from(0).subarray(0, detected())),
    async finish() {
      addToTracks(await detector.finish());
      return toObjects((column) => column.toArray());
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
