import type { Objects } from '../observations.ts';
import type { GlobalMotion } from '../signals/motion.ts';
import { type CameraStep, followCamera, NO_STEP } from './camera.ts';
import { CLASSES } from './classes.ts';
import { createDetector } from './detector.ts';
import { trackThings } from './tracker.ts';
import { finishTracks } from './tracks.ts';
import { pictureSize } from './yolox.ts';

/** Seconds between two pictures that the detector looks at: five a second follow what people and cars do. */
export const LOOK_EVERY_S = 0.2;

/** The objects observer: things found by the detector in a few pictures a second, followed from one to the next. */
export type ObjectsObserver = {
  /** Size of the pictures it takes, in pixels. */
  readonly width: number;
  readonly height: number;
  /** How the picture moved from the frame before to this one; to be told for every frame, before the frame itself is taken. */
  moved(motion: GlobalMotion): void;
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
  const detector = await createDetector({ weights, ...size, threads });
  const times: number[] = [];
  const stamps: number[] = [];
  const cameras: CameraStep[] = [];
  let camera = NO_STEP;
  return {
    ...size,
    moved(motion) {
      camera = followCamera(camera, motion);
    },
    take(rgb, timeS, pts) {
      times.push(timeS);
      stamps.push(pts);
      cameras.push(camera);
      camera = NO_STEP;
      return detector.look(rgb);
    },
    async finish() {
      const found = await detector.finish();
      const looks = found.map(({ detections }, look) => {
        return { timeS: times[look]!, camera: cameras[look]!, detections };
      });
      const colors = found.map((look) => look.colors);
      return {
        model,
        classes: [...CLASSES],
        timeS: Float64Array.from(times),
        pts: Float64Array.from(stamps),
        tracks: finishTracks(trackThings(looks), looks, colors),
      };
    },
    close: () => detector.close(),
  };
}
