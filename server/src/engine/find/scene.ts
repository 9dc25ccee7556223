import type { Observations } from '../observe/observations.ts';
import { createTrackViews } from './actions/index.ts';
import { kindOfFootage } from './camera/index.ts';
import type { FootageKind } from './camera/vehicle-footage.ts';
import { indexAt } from './time/intervals.ts';
import type { FrameTime, FrameTimes, Scene, TrackView } from './types.ts';

/**
 * Wraps observations for `find`. A scene can serve any number of plans. `ranges` are observations of every frame in
 * parts of a video whose own observations are those of a sparse pass.
 */
export function createScene(observed: Observations, ranges: readonly Observations[] = []): Scene {
  const observations = withFineObjects(observed);
  let lastId = maxTrackId(observations);
  const denseRanges = ranges.map((range) => {
    const own = withTracksAfter(range, lastId);
    lastId = Math.max(lastId, maxTrackId(own));
    return createScene(own);
  });
  const { signals, objects, sound, video } = observations;
  const frames: FrameTimes = signals ?? objects ?? audioFrames();
  let trackViews: TrackView[] | null = null;
  let footageKind: FootageKind | null = null;
  const frameTime = (index: number): FrameTime => {
    const clamped = Math.max(0, Math.min(frames.timeS.length - 1, index));
    return { timeS: frames.timeS[clamped] ?? 0, pts: frames.pts[clamped] ?? 0 };
  };
  const owners = new Map(
    denseRanges.flatMap((range) =>
      (range.observations.objects?.tracks ?? []).map(({ id }) => [id, range.observations] as const),
    ),
  );
  return {
    observations,
    denseRanges,
    frames,
    observationsAt: (timeS) => denseRanges.find((range) => isInRange(range, timeS))?.observations ?? observations,
    observationsOf: ({ id }) => owners.get(id) ?? observations,
    trackViews: () => {
      trackViews ??= createTrackViews(observations);
      return trackViews;
    },
    footageKind: () => {
      // Sampled frames do not show motion.
      footageKind ??= denseRanges.length > 0 ? kindOfMost(denseRanges) : kindOfFootage(observations);
      return footageKind;
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

/** The kind of most scenes. */
function kindOfMost(scenes: readonly Scene[]): FootageKind {
  const kinds = scenes.map((scene) => scene.footageKind());
  const isMost = (kind: FootageKind) => kinds.filter((each) => each === kind).length * 2 > kinds.length;
  return isMost('drive') ? 'drive' : isMost('unknown') ? 'unknown' : 'other';
}

/** True if a time is in the range of a scene. */
export function isInRange({ observations: { video } }: Scene, timeS: number): boolean {
  return video.range !== undefined && timeS >= video.range.fromS && timeS < video.range.untilS;
}

/** Adds the tracks of `fineObjects`, if they were found beside those of the same detector. */
function withFineObjects(observations: Observations): Observations {
  const { objects, fineObjects } = observations;
  if (!objects || fineObjects?.model !== objects.model) return observations;
  return { ...observations, objects: { ...objects, tracks: [...objects.tracks, ...fineObjects.tracks] } };
}

const maxTrackId = ({ objects }: Observations) => (objects?.tracks ?? []).reduce((max, { id }) => Math.max(max, id), 0);

/** Numbers the tracks from `lastId` + 1 on. */
function withTracksAfter(observations: Observations, lastId: number): Observations {
  const { objects } = observations;
  if (!objects) return observations;
  const tracks = objects.tracks.map((track, index) => ({ ...track, id: lastId + 1 + index }));
  return { ...observations, objects: { ...objects, tracks } };
}
