import { createColumn, float64 } from '../columns.ts';
import type { FrameStep } from '../signals/index.ts';
import { type CameraStep, followCamera, NO_STEP } from './camera.ts';
import { CLASSES, UNKNOWN } from './classes.ts';
import { countColors, exposureOf } from './colors.ts';
import { createDetector, type Found } from './detector.ts';
import { createMovers } from './movers.ts';
import type { Objects } from './observation.ts';
import { sparing } from './sparing.ts';
import { createThings, type Things } from './things.ts';
import type { Look } from './tracker.ts';
import { pictureSize } from './yolox.ts';

/** Seconds between two pictures that the detector looks at: five a second follow what people and cars do. */
export const LOOK_EVERY_S = 0.2;

/** The objects observer: things found by the detector in a few pictures a second, followed from one to the next. */
export type ObjectsObserver = {
  /** Size of the pictures it takes, in pixels. */
  readonly width: number;
  readonly height: number;
  /** What happened from the frame before to this one; to be told of all frames that are compared, before the one itself is taken. */
  stepped(step: FrameStep, timeS: number): void;
  /** The frame that was told of last was looked at elsewhere, before this began: what happens counts from there. */
  looked(): void;
  /** Takes a picture (RGB). Await what it returns: it keeps decoding from running ahead. */
  take(rgb: Uint8Array, timeS: number, pts: number): Promise<void> | void;
  finish(): Promise<Objects>;
  close(): Promise<void>;
};

export async function createObjectsObserver({
  weights,
  model,
  shown,
  threads,
  things = createThings(),
  open = createDetector,
}: {
  /** Path of the detector's weights. */
  weights: string;
  /** Its name and digest, kept with the result. */
  model: string;
  /** The video's size as shown, in pixels. */
  shown: { width: number; height: number };
  threads: number;
  /** What makes tracks of what is seen. */
  things?: Things;
  /** Where the detector comes from. */
  open?: typeof createDetector;
}): Promise<ObjectsObserver> {
  const size = pictureSize(shown);
  const detector = sparing(await open({ weights, ...size, threads }), size.width, size.height);
  const movers = createMovers();
  const times = createColumn(float64);
  const stamps = createColumn(float64);
  /** Looks that the detector has not told of yet, with the colours of what moves. */
  const seen: (Omit<Look, 'detections'> & { colors: Float32Array[] })[] = [];
  let camera: CameraStep = NO_STEP;
  let cut = false;
  let beforeS = 0;

  const looked = () => {
    camera = NO_STEP;
    cut = false;
  };
  const follow = (found: readonly Found[]) => {
    seen.splice(0, found.length).forEach(({ colors, ...look }, at) => {
      const { detections, colors: detected } = found[at]!;
      things.take({ ...look, detections }, colors.length > 0 ? flat([detected, ...colors]) : detected);
    });
  };

  return {
    ...size,
    stepped({ motion, cut: score, moving }, timeS) {
      camera = followCamera(camera, motion);
      cut ||= isCut(score, timeS - beforeS);
      beforeS = timeS;
      movers.stepped(motion, moving, timeS);
    },
    looked,
    take(rgb, timeS, pts) {
      const moving = movers.boxes(timeS);
      times.push(timeS);
      stamps.push(pts);
      const exposure = moving.length > 0 ? exposureOf({ rgb }) : 1;
      const colors = moving.map((box) => countColors({ ...size, rgb }, { ...box, classIndex: UNKNOWN }, exposure));
      seen.push({ timeS, camera, cut, moving, colors });
      looked();
      const room = detector.look(rgb, timeS);
      follow(detector.ready());
      return room;
    },
    async finish() {
      follow(await detector.finish());
      return {
        model,
        classes: [...CLASSES],
        timeS: times.done(),
        pts: stamps.done(),
        tracks: things.finish(),
      };
    },
    close: () => detector.close(),
  };
}

/** A score that is a cut, and by how much more it has to be at one frame a second and slower, when all that moves changes much. */
const CUT = 50;
const CUT_SLOWLY = 30;

const isCut = (score: number, dt: number) => score >= CUT + CUT_SLOWLY * Math.min(1, Math.max(0, (dt - 0.1) / 0.4));

const flat = (parts: readonly Float32Array[]) => Float32Array.from(parts.flatMap((part) => [...part]));
