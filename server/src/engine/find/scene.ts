import type { Observations } from '../observe/observations.ts';
import type { Domain, Moment } from './hit.ts';
import { indexAt } from './intervals.ts';
import { type TrackView, viewTracks } from './views.ts';

/** Observations with what several finders derive from them, each made once and only when needed. */
export type Scene = {
  readonly observations: Observations;
  /** Every frame with a known presentation time: edges are snapped to these. */
  readonly frames: Domain;
  readonly views: () => TrackView[];
  /** The frame shown at a time: the last one at or before it (the first one, when earlier than that). */
  momentAt(timeS: number): Moment;
  /** The first frame at or after a time (the last one, when later than that). */
  momentAfter(timeS: number): Moment;
};

export function createScene(observations: Observations): Scene {
  const { signals, objects, sound, video } = observations;
  const frames: Domain = signals ?? objects ?? soundFrames();
  let views: TrackView[] | null = null;
  const moment = (i: number): Moment => {
    const k = Math.max(0, Math.min(frames.timeS.length - 1, i));
    return { timeS: frames.timeS[k] ?? 0, pts: frames.pts[k] ?? 0 };
  };
  return {
    observations,
    frames,
    views: () => {
      views ??= viewTracks(observations);
      return views;
    },
    momentAt: (timeS) => moment(indexAt(frames.timeS, timeS)),
    momentAfter: (timeS) => {
      const i = indexAt(frames.timeS, timeS);
      return moment(i >= 0 && Math.abs(frames.timeS[i]! - timeS) < 1e-9 ? i : i + 1);
    },
  };

  /** Sound without a picture: the windows stand for frames. */
  function soundFrames(): Domain {
    const n = sound ? sound.levelDb.length + 1 : 0;
    const timeS = Float64Array.from({ length: n }, (_, i) =>
      Math.min(sound!.startS + i * sound!.stepS, video.durationS),
    );
    const [num, den] = video.timeBase;
    return { timeS, pts: timeS.map((t) => Math.round((t * den) / num)) };
  }
}
