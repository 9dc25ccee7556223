import { availableParallelism } from 'node:os';
import type { FrameRequest } from '#platform/media/index';
import type { NumericArray } from '../artifact.ts';
import type { SavedPass } from '../resume.ts';
import { signals } from '../signals/observer.ts';
import { type DenseContext, defineDenseObserver, type PrepareDeps, type Prepared, type Unavailable } from '../types.ts';
import { weightsNameOf } from './detectors.ts';
import {
  createObjectsObserver,
  DETECTION_INTERVAL_S,
  type ObjectsState,
  type SavedSample,
} from './objects-observer.ts';
import type { Objects, Track } from './observation.ts';

export type ObjectsSettings = {
  /** Path of the detector's weights. */
  weights: string;
  /** Its name and digest, kept with the result. */
  model: string;
  /** Number of detector threads. Default: as suits the video and the machine. */
  threads?: number;
};

/**
 * At this size, detection takes as long as decoding: for larger videos one thread keeps up, for smaller ones it takes
 * two.
 */
const LARGE_PIXELS = 1e6;
/** Digits of the weights' digest that go into versions. */
const DIGEST_DIGITS = 12;

const TRACK_ARRAYS = ['frame', 'x', 'y', 'width', 'height', 'score'] as const satisfies (keyof Track)[];

/** The fields of a track that are not arrays, and its number of entries in the joined arrays. */
type TrackFacts = Omit<Track, (typeof TRACK_ARRAYS)[number]> & { entries: number };
type StoredFacts = Pick<Objects, 'model' | 'classes'> & { tracks: TrackFacts[] };

/**
 * Prepares the detector, if there is one; its name and weights are a part of the version of what it finds. With `usual`
 * the one that sees frames at their usual size alone.
 */
export async function prepareDetector(
  { weights, detector }: PrepareDeps,
  { usual = false }: { usual?: boolean } = {},
): Promise<Prepared<ObjectsSettings> | Unavailable> {
  const found = await weights.find('objects', detector);
  if ('unavailable' in found) return found;
  const digest = found.digest.slice(0, DIGEST_DIGITS);
  const name = usual ? weightsNameOf(found.name) : found.name;
  return {
    settings: { weights: found.paths[0], model: `${name} ${digest}` },
    suffix: `${name}.${digest}`,
    fallback: found.fallback,
  };
}

export const objects = defineDenseObserver({
  kind: 'objects',
  version: 'objects-16',
  depth: 'dense',
  ranged: true,
  usesDetector: true,
  prepare: prepareDetector,
  encode({ timeS, pts, tracks, model, classes }: Objects) {
    const facts: StoredFacts = {
      model,
      classes,
      tracks: tracks.map(
        ({ id, className, colors, clothes, enteredFrom, leftTo, agreement, stationary, lit, frame }) => {
          return {
            id,
            className,
            colors,
            enteredFrom,
            leftTo,
            agreement,
            stationary,
            entries: frame.length,
            ...(clothes && { clothes }),
            ...(lit && { lit }),
          };
        },
      ),
    };
    const total = tracks.reduce((sum, { frame }) => sum + frame.length, 0);
    const joined = TRACK_ARRAYS.map((name): [string, NumericArray] => {
      const all = name === 'frame' ? new Int32Array(total) : new Float32Array(total);
      let at = 0;
      for (const track of tracks) {
        all.set(track[name], at);
        at += track[name].length;
      }
      return [name, all];
    });
    return { facts, arrays: { timeS, pts, ...Object.fromEntries(joined) } };
  },
  decode({ facts, arrays }): Objects {
    const { model, classes, tracks } = facts as StoredFacts;
    const { timeS, pts } = arrays as Pick<Objects, 'timeS' | 'pts'>;
    let at = 0;
    const restored = tracks.map(({ entries, ...track }): Track => {
      const own = TRACK_ARRAYS.map((name) => [name, arrays[name]!.subarray(at, at + entries)]);
      at += entries;
      return { ...track, ...Object.fromEntries(own) };
    });
    return { model, classes, timeS, pts, tracks: restored };
  },
  async open({ video, settings, saved, savesRanges, openPass: pass }: DenseContext<ObjectsSettings>) {
    const isLarge = video.width * video.height > LARGE_PIXELS;
    const threads = settings.threads ?? (isLarge || availableParallelism() === 1 ? 1 : 2);
    // Tracking subtracts the motion of the camera.
    const { onStep } = await pass(signals);
    const observer = await createObjectsObserver({
      ...settings,
      threads,
      displaySize: video,
      savesRanges,
      saved: saved as SavedPass<SavedSample[], ObjectsState> | null,
    });
    onStep(observer.addMotion);
    const request: FrameRequest = {
      width: observer.width,
      height: observer.height,
      format: 'rgb',
      minIntervalS: DETECTION_INTERVAL_S,
      onFrame: ({ data, timeS, pts }) => observer.take(data, timeS, pts),
    };
    const { fine } = observer;
    const frames = fine
      ? [{ ...request, width: fine.width, height: fine.height, sharp: true, onFrame: fine.take }, request]
      : [request];
    const soFar = { untilS: observer.untilS, observation: observer.copy };
    return { frames, save: observer.save, soFar, finish: observer.finish, close: observer.close };
  },
});
