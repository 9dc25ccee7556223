import type { Observations } from '../observe/observations.ts';
import { createTrackViews } from './actions/index.ts';
import { isVehicleFootage } from './camera/index.ts';
import { indexAt } from './time/intervals.ts';
import type { FrameTime, FrameTimes, Scene, TrackView } from './types.ts';

/** Wraps observations for `find`. A scene can serve any number of plans. */
export function createScene(observations: Observations): Scene {
  const { signals, objects, sound, video } = observations;
  const frames: FrameTimes = signals ?? objects ?? audioFrames();
  let trackViews: TrackView[] | null = null;
  let vehicleFootage: boolean | null = null;
  const frameTime = (index: number): FrameTime => {
    const clamped = Math.max(0, Math.min(frames.timeS.length - 1, index));
    return { timeS: frames.timeS[clamped] ?? 0, pts: frames.pts[clamped] ?? 0 };
  };
  return {
    observations,
    frames,
    trackViews: () => {
      trackViews ??= createTrackViews(observations);
      return trackViews;
    },
    isVehicleFootage: () => {
      vehicleFootage ??= isVehicleFootage(observations);
      return vehicleFootage;
    },
    frameTimeAt: (timeS) => frameTime(indexAt(frames.timeS, timeS)),
    frameTimeAfter: (timeS) => {
      const i = indexAt(frames.timeS, timeS);
      return frameTime(i >= 0 && Math.abs(frames.timeS[i]! - timeS) < 1e-9 ? i : i + 1);
    },
  };

  /** Without video frames, the windows of the audio analysis take their place. */
  function audioFrames(): FrameTimes {
    const n = sound ? sound.levelDb.length + 1 : 0;
    const timeS = Float64Array.from({ length: n }, (_, i) =>
      Math.min(sound!.startS + i * sound!.stepS, video.durationS),
    );
    const [num, den] = video.timeBase;
    return { timeS, pts: timeS.map((t) => Math.round((t * den) / num)) };
  }
}
