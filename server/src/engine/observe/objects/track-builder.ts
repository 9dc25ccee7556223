import type { ClassifiedTrack } from './attributes/classify-mover.ts';
import { classifyTrack } from './attributes/classify-track.ts';
import { finishTrack } from './attributes/finish-track.ts';
import { type EndedTrack, type FinishedTrack, resolveTracks } from './attributes/resolve-tracks.ts';
import { findRiddenBike } from './attributes/ridden-bike.ts';
import type { Track } from './observation.ts';
import { createTracker, type FrameSample, type RawTrack } from './tracker/tracker.ts';

/**
 * Builds tracks sample by sample. An object is classified when its track ends, and samples are dropped as soon as no
 * track needs them, so that memory depends on the objects in view and not on the length of the video.
 */
export type TrackBuilder = {
  /**
   * Takes the next sample; `colors` holds the shares of the color names for each detection, followed by those of
   * each moving region.
   */
  add(sample: FrameSample, colors: Float32Array): void;
  /** The tracks as of now. More samples may follow. */
  finish(): Track[];
};

/** Replaces the parts of a sample that no track needs. */
const DROPPED = { moving: [], detections: [] };
const NO_COLORS = new Float32Array();

export function createTrackBuilder(): TrackBuilder {
  const tracker = createTracker();
  const samples: FrameSample[] = [];
  const colors: Float32Array[] = [];
  const ended: EndedTrack[] = [];
  let droppedCount = 0;

  const finish = (classified: ClassifiedTrack): FinishedTrack => {
    const bike = findRiddenBike(classified, samples);
    return { track: finishTrack(classified, samples, colors), bike: bike && finishTrack(bike, samples, colors) };
  };
  const endOf = (track: RawTrack): EndedTrack[] => {
    const classified = classifyTrack(track, samples);
    if (!classified) return [];
    const [independent, amongSimilar] =
      'independent' in classified ? [classified.independent, classified.amongSimilar] : [classified, null];
    return [{ order: track.order, ...finish(independent), amongSimilar: amongSimilar && finish(amongSimilar) }];
  };

  return {
    add(sample, sampleColors) {
      samples.push(sample);
      colors.push(sampleColors);
      ended.push(...tracker.update(sample).flatMap(endOf));
      for (const since = tracker.firstSampleInUse(); droppedCount < since; droppedCount++) {
        // Times and camera motion remain: tracks that continue are measured with them.
        samples[droppedCount] = { ...samples[droppedCount]!, ...DROPPED };
        colors[droppedCount] = NO_COLORS;
      }
    },
    finish: () => resolveTracks([...ended, ...tracker.finish().flatMap(endOf)]),
  };
}
