import { judge } from './judge.ts';
import type { Judged } from './mover.ts';
import type { Track } from './observation.ts';
import { findRidden } from './ridden.ts';
import { type Ended, type Finished, judgeTogether } from './together.ts';
import { createTracker, type Look, type RawTrack } from './tracker.ts';
import { finishTrack } from './tracks.ts';

/**
 * From looks to tracks, look by look: each thing is judged when its track ends, and what was seen is forgotten as soon as no track needs it, so that memory follows what
 * is in the picture and not how long the video is.
 */
export type Things = {
  /** Takes the next look; `colors` holds the shares of the colour names for each detection and, after them, for what moves. */
  take(look: Look, colors: Float32Array): void;
  /** The tracks as they are when nothing more comes. More may come all the same. */
  finish(): Track[];
};

/** What is left of a look that no track needs. */
const FORGOTTEN = { moving: [], detections: [] };
const NO_COLORS = new Float32Array();

export function createThings(): Things {
  const tracker = createTracker();
  const looks: Look[] = [];
  const colors: Float32Array[] = [];
  const ended: Ended[] = [];
  let forgotten = 0;

  const finished = (judged: Judged): Finished => {
    const bike = findRidden(judged, looks);
    return { thing: finishTrack(judged, looks, colors), bike: bike && finishTrack(bike, looks, colors) };
  };
  const endOf = (track: RawTrack): Ended[] => {
    const judged = judge(track, looks);
    if (!judged) return [];
    const [alone, amongAlike] = 'alone' in judged ? [judged.alone, judged.amongAlike] : [judged, null];
    return [{ order: track.order, ...finished(alone), amongAlike: amongAlike && finished(amongAlike) }];
  };

  return {
    take(look, ofLook) {
      looks.push(look);
      colors.push(ofLook);
      ended.push(...tracker.take(look).flatMap(endOf));
      for (const since = tracker.since(); forgotten < since; forgotten++) {
        // Times and the camera's motion stay: tracks that go on are measured over both.
        looks[forgotten] = { ...looks[forgotten]!, ...FORGOTTEN };
        colors[forgotten] = NO_COLORS;
      }
    },
    finish: () => judgeTogether([...ended, ...tracker.finish().flatMap(endOf)]),
  };
}
