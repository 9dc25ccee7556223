import type { Objects } from '../observations.ts';
import type { FrameStep } from '../signals/index.ts';
import { type CameraStep, followCamera, NO_STEP } from './camera.ts';
import { CLASSES, UNKNOWN } from './classes.ts';
import { countColors, exposureOf } from './colors.ts';
import { createDetector } from './detector.ts';
import { createMovers } from './movers.ts';
import { sparing } from './sparing.ts';
import { type Look, trackThings } from './tracker.ts';
import { finishTracks } from './tracks.ts';
import { pictureSize } from './yolox.ts';

/** Seconds between two pictures that the detector looks at: five a second follow what people and cars do. */
export const LOOK_EVERY_S = 0.2;

/** The objects observer: things found by the detector in a few pictures a second, followed from one to the next. */
export type ObjectsObserver = {
  /** Size of the pictures it takes, in pixels. */
  readonly width: number;
  readonly height: number;
  /** What happened from the frame before to this one; to be told for every frame, before the frame itself is taken. */
  stepped(step: FrameStep, timeS: number): void;
  /** Takes a picture (RGB). Await what it returns: it keeps decoding from running ahead. */
  take(rgb: Uint8Array, timeS: number, pts: number): Promise<void> | void;
  finish(): Promise<Objects>;
  close(): Promise<void>;
};

export type ObjectsSettings = {
  /** Path of the detector's weights. */
  weights: string;
  /** Its name and digest, kept with the result. */
  model: string;
  /** The video's size as shown, in pixels. */
  shown: { width: number; height: number };
  threads: number;
};

export async function createObjectsObserver({
  weights,
  model,
  shown,
  threads,
}: ObjectsSettings): Promise<ObjectsObserver> {
  const size = pictureSize(shown);
  const detector = sparing(await createDetector({ weights, ...size, threads }), size.width, size.height);
  const movers = createMovers();
  const stamps: number[] = [];
  const seen: Omit<Look, 'detections'>[] = [];
  /** Of what moves, per look. */
  const colors: Float32Array[][] = [];
  let camera: CameraStep = NO_STEP;
  let cut = false;
  let beforeS = 0;
  return {
    ...size,
    stepped({ motion, cut: score, moving }, timeS) {
      camera = followCamera(camera, motion);
      cut ||= isCut(score, timeS - beforeS);
      beforeS = timeS;
      movers.stepped(motion, moving, timeS);
    },
    take(rgb, timeS, pts) {
      const moving = movers.boxes(timeS);
      stamps.push(pts);
      seen.push({ timeS, camera, cut, moving });
      const exposure = moving.length > 0 ? exposureOf({ rgb }) : 1;
      colors.push(moving.map((box) => countColors({ ...size, rgb }, { ...box, classIndex: UNKNOWN }, exposure)));
      camera = NO_STEP;
      cut = false;
      return detector.look(rgb, timeS);
    },
    async finish() {
      const found = await detector.finish();
      const looks = found.map(({ detections }, look) => ({ ...seen[look]!, detections }));
      return {
        model,
        classes: [...CLASSES],
        timeS: Float64Array.from(looks, ({ timeS }) => timeS),
        pts: Float64Array.from(stamps),
        tracks: finishTracks(
          trackThings(looks),
          looks,
          looks.map((_, look) => flat([found[look]!.colors, ...colors[look]!])),
        ),
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
